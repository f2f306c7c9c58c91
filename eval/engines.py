"""Engines on the bench: which engine answers for which group, what it was trained on, and so how its scores must be called."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from eval.records import Setting
from rescue_agent.corpus.groups import group_of
from rescue_agent.corpus.splits import bundled_episodes
from rescue_agent.embedding import default_embedder
from rescue_agent.engines.baselines import MajorityEngine, NearestEngine, RandomEngine, count_commonest
from rescue_agent.engines.embedded.engine import EmbeddedEngine
from rescue_agent.engines.embedded.training import data_hash, fit
from rescue_agent.engines.hybrid import HybridEngine
from rescue_agent.engines.llm.engine import SCORING_PROMPTS, LlmEngine
from rescue_agent.engines.llm.protocol import Ledger
from rescue_agent.engines.protocol import Engine
from rescue_agent.engines.registry import index_episodes, load_heads, make_engine, open_memory
from rescue_agent.errors import InputError
from rescue_agent.memory.episodes import EpisodeMemory
from rescue_agent.prompts import load_prompt
from rescue_agent.schema import Episode
from rescue_agent.settings import settings

FITTED: Final = ("embedded", "majority", "random", "nearest")
"""Engines that learn from episodes."""
_LEARNED: Final = ("embedded", "hybrid")
_REMEMBERING: Final = ("embedded", "nearest", "hybrid")
FOLDS: Final = 5
_OPEN_CORPUS: Final = "rescue-agent open corpus"


@dataclass(frozen=True)
class Contender:
    """An engine as it is scored.

    Attributes:
        configuration: changes whenever its answers may change: part of every input hash.
        for_group: the engine that answers for a couple or family, which is out of its memory and its training.
        ledger: what its language model was asked so far; None for an engine without one.
    """

    name: str
    setting: Setting
    configuration: str
    for_group: Callable[[str], Engine]
    ledger: Ledger | None = None


def shipped(name: str, episodes: Sequence[Episode], seed: int = 0) -> Contender:
    """The engine as a user has it; `seed` is that of the random engine.

    Its scores on the corpus that it was trained on, even on other groups of it, are supervised ones; so are those of heads or an index
    that the user made, whose data may be of the same corpus.

    Raises:
        InputError: when a group to be scored was in its training data, or the name is unknown.
    """
    engine = RandomEngine(count_commonest(bundled_episodes("train")), seed) if name == "random" else make_engine(name, live=False)
    provenance = load_heads(default_embedder()).provenance
    learned_from = set(provenance.groups) if name in _LEARNED else {episode.group for episode in bundled_episodes("train")}
    seen = {episode.group for episode in episodes} & learned_from
    learns = name in (*FITTED, "hybrid")
    if learns and seen:
        some = ", ".join(sorted(seen)[:3])
        raise InputError(f"--engine {name}: it was trained on {len(seen)} of these groups ({some}, ...); score others, or use --cv groups")
    in_domain = learns and any(episode.meta.get("corpus") == _OPEN_CORPUS for episode in episodes)
    remembers = open_memory(default_embedder()).card.data_sha256 if name in _REMEMBERING else ""
    own_data = (name in _LEARNED and settings().heads is not None) or remembers not in ("", data_hash(bundled_episodes("train")))
    configuration = f"{name} {provenance.data_sha256} {provenance.knobs} memory {remembers} k {settings().recall_k}"
    ledger = None
    if isinstance(engine, LlmEngine | HybridEngine):
        configuration, ledger = f"{configuration if name == 'hybrid' else name} {_asked(engine)}", engine.asker.ledger
    seeded = f" seed {seed}" if name == "random" else ""
    setting: Setting = "supervised" if in_domain or (learns and own_data) else "zero-shot"
    return Contender(name, setting, configuration + seeded, _without(engine, episodes), ledger)


def _asked(engine: LlmEngine | HybridEngine) -> str:
    """What the answers of a language model depend on: the model, the prompts, and the weights of the pool."""
    weights = engine.weights.model_dump_json() if isinstance(engine, HybridEngine) else ""
    return f"{engine.asker.model.identity} {' '.join(prompt_hashes().values())} {weights}"


def prompt_hashes() -> dict[str, str]:
    """Prompt -> SHA-256 of its file, of the prompts that scoring uses."""
    return {name: load_prompt(name).sha256 for name in SCORING_PROMPTS}


def _without(engine: Engine, episodes: Sequence[Episode]) -> Callable[[str], Engine]:
    """The engine for each group: memory knows a group by the prefix of its sample ids, which may hold several families."""
    groups = group_of(episodes)
    prefix = {groups[episode.sample_id]: episode.group for episode in episodes}
    return lru_cache(maxsize=None)(lambda group: engine.for_group(prefix[group]))


def fitted(name: str, training: Sequence[Episode], seed: int = 0) -> Engine:
    """An engine that learned from `training` and nothing else.

    Raises:
        InputError: when this engine learns nothing, or `training` doesn't hold what it needs.
    """
    _refuse_unlearning(name)
    commonest = count_commonest(training)
    if name == "majority":
        return MajorityEngine(commonest)
    if name == "random":
        return RandomEngine(commonest, seed)
    embedder, memory = default_embedder(), _memory(training)
    if name == "nearest":
        return NearestEngine(embedder, memory, commonest)
    return EmbeddedEngine(embedder, fit(training, embedder), memory)


def _refuse_unlearning(name: str) -> None:
    if name not in FITTED:
        raise InputError(f"--engine {name}: it learns nothing from episodes; leave out --fit-on and --cv, or choose of {', '.join(FITTED)}")


_MEMORIES: dict[str, EpisodeMemory] = {}


def _memory(training: Sequence[Episode]) -> EpisodeMemory:
    """An index of `training` in a temporary folder; engines of one fold share it."""
    key = data_hash(training)
    if key not in _MEMORIES:
        folder, embedder = Path(mkdtemp(prefix="rescue-index-")) / "index", default_embedder()
        index_episodes(training, folder, embedder)
        _MEMORIES[key] = EpisodeMemory.open(folder, embedder.model_id, embedder.dimension)
    return _MEMORIES[key]


def fitted_on(name: str, training: Sequence[Episode], episodes: Sequence[Episode], seed: int) -> Contender:
    """An engine fitted on other episodes (`--fit-on`): supervised.

    Raises:
        InputError: when a couple or family of `episodes`, which are to be scored, is among the training episodes.
    """
    _refuse_unlearning(name)
    groups = group_of([*training, *episodes])
    shared = {groups[e.sample_id] for e in training} & {groups[e.sample_id] for e in episodes}
    if shared:
        raise InputError(f"--fit-on: holds the group {sorted(shared)[0]!r} that is to be scored, too; split by group, or use --cv groups")
    engine = lru_cache(maxsize=1)(lambda: fitted(name, training, seed))
    return Contender(name, "supervised", f"{name} fitted on {data_hash(training)} seed {seed}", lambda _: engine())


def cross_validated(name: str, episodes: Sequence[Episode], group_of: dict[str, str], seed: int) -> Contender:
    """An engine for each fold, fitted on the groups of the others (`--cv groups`): supervised.

    Raises:
        InputError: when there are fewer than two groups.
    """
    _refuse_unlearning(name)
    folds = _folds(sorted(set(group_of.values())))
    engines: dict[int, Engine] = {}

    def for_group(group: str) -> Engine:
        fold = folds[group]
        if fold not in engines:
            engines[fold] = fitted(name, [e for e in episodes if folds[group_of[e.sample_id]] != fold], seed)
        return engines[fold]

    return Contender(name, "supervised", f"{name} cv of {data_hash(episodes)} seed {seed}", for_group)


def _folds(groups: Sequence[str]) -> dict[str, int]:
    """Group -> fold, in the order of a hash, so that folds are of even size and depend on nothing but the names."""
    if len(groups) < 2:
        raise InputError(f"--cv groups: the data hold {len(groups)} group; at least 2 are needed")
    shuffled = sorted(groups, key=lambda group: sha256(group.encode()).digest())
    return {group: i % min(FOLDS, len(groups)) for i, group in enumerate(shuffled)}
