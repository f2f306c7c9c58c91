"""Engines by name: what `--engine` takes."""

import logging
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from rescue_agent.corpus.splits import bundled_episodes
from rescue_agent.embedding import Embedder, default_embedder
from rescue_agent.engines.baselines import Commonest, MajorityEngine, NearestEngine, RandomEngine, count_commonest
from rescue_agent.engines.embedded.engine import EmbeddedEngine
from rescue_agent.engines.embedded.heads import HeadSet
from rescue_agent.engines.embedded.remembering import remember
from rescue_agent.engines.embedded.training import data_hash
from rescue_agent.engines.holding import HoldingEngine
from rescue_agent.engines.hybrid import Fallback, HybridEngine
from rescue_agent.engines.llm.engine import JointEngine, LlmEngine
from rescue_agent.engines.llm.protocol import Ledger
from rescue_agent.engines.protocol import Engine
from rescue_agent.errors import HeadsError, IndexMismatch, IndexUnusable, InputError
from rescue_agent.memory.episodes import EpisodeMemory, IndexCard, Progress, build_index
from rescue_agent.schema import Episode
from rescue_agent.settings import settings
from rescue_agent.tracing import keep_private

logger = logging.getLogger(__name__)

BUNDLED_HEADS: Final = Path(__file__).parent / "embedded" / "bundled"
"""The heads that ship with the package: what `rescue-agent fit` makes of the bundled training episodes."""

ALL_TURNS: Final = 10_000
"""How many turns a model sees in scoring: what the task's protocol shows."""


def index_folder() -> Path:
    """Where this machine's index stands."""
    return settings().private_folder("index")


def index_episodes(
    episodes: Sequence[Episode], folder: Path, embedder: Embedder, progress: Progress = lambda batches, _: batches
) -> IndexCard:
    """Build the index of `episodes` in `folder`.

    Raises:
        IndexUnusable: when no episode has a supporter's turn.
    """
    stored = list(remember(episodes, embedder))
    return build_index(folder, stored, embedding_model=embedder.model_id, data_sha256=data_hash(episodes), progress=progress)


def open_memory(embedder: Embedder) -> EpisodeMemory:
    """Open this machine's index; a missing or broken one is rebuilt from the bundled training episodes.

    Raises:
        IndexMismatch: when the index was made with another embedding model: rebuilding is the user's choice then.
    """
    folder = index_folder()
    try:
        return EpisodeMemory.open(folder, embedder.model_id, embedder.dimension)
    except IndexMismatch:
        raise
    except IndexUnusable as problem:
        logger.warning("%s; rebuilding it from the bundled episodes", problem)
    index_episodes(bundled_episodes("train"), folder, embedder)
    return EpisodeMemory.open(folder, embedder.model_id, embedder.dimension)


def load_heads(embedder: Embedder) -> HeadSet:
    """The heads by setting, or the bundled ones.

    Raises:
        HeadsError: when they cannot be read, or were trained on another embedding model.
    """
    heads = HeadSet.load(settings().heads or BUNDLED_HEADS)
    if heads.provenance.embedding_model != embedder.model_id:
        made, used = heads.provenance.embedding_model, embedder.model_id
        raise HeadsError(f"heads were trained on {made!r}, in use is {used!r}; run `rescue-agent fit` and set RESCUE_HEADS")
    return heads


@lru_cache(maxsize=1)
def _commonest() -> Commonest:
    return count_commonest(bundled_episodes("train"))


def _embedded() -> Engine:
    embedder = default_embedder()
    return EmbeddedEngine(embedder, load_heads(embedder), open_memory(embedder), recall_k=settings().recall_k)


def _nearest() -> Engine:
    embedder = default_embedder()
    return NearestEngine(embedder, open_memory(embedder), _commonest())


def _llm(live: bool) -> Engine:
    from rescue_agent.engines.llm.connect import configured_address, connect

    asker = connect(configured_address())
    return Fallback(JointEngine(asker, settings().llm_window), HoldingEngine()) if live else LlmEngine(asker, ALL_TURNS)


def _hybrid(live: bool) -> Engine:
    from rescue_agent.engines.llm.connect import configured_address, connect
    from rescue_agent.engines.pool_weights import load_weights

    asker, embedded = connect(configured_address()), _embedded()
    weights = load_weights(asker.model.identity)
    window = settings().llm_window if live else ALL_TURNS
    engine = HybridEngine(asker, window, embedded, weights, joint=live)
    return Fallback(engine, embedded) if live else engine


_ENGINES: Final[dict[str, Callable[[bool], Engine]]] = {
    "embedded": lambda _: _embedded(),
    "llm": _llm,
    "hybrid": _hybrid,
    "majority": lambda _: MajorityEngine(_commonest()),
    "random": lambda _: RandomEngine(_commonest()),
    "nearest": lambda _: _nearest(),
}
ENGINE_NAMES: Final = tuple(_ENGINES)


def make_engine(name: str, *, live: bool = True) -> Engine:
    """The engine called `name`.

    Args:
        live: for a room or a replay, where `llm` and `hybrid` make all decisions of a turn in one call and have somebody to step in when
            the endpoint fails; for scoring they ask for one decision at a time, and a failure is counted as one.

    Raises:
        InputError: when there is none of that name.
        SettingsError: when it needs a language model and none is set.
    """
    if name not in _ENGINES:
        raise InputError(f"--engine {name!r}: unknown; known are {', '.join(ENGINE_NAMES)}")
    keep_private()
    return _ENGINES[name](live)


def ledger_of(engine: Engine) -> Ledger | None:
    """What the language model behind `engine` was asked so far; None for an engine without one."""
    inner = engine.engine if isinstance(engine, Fallback) else engine
    return inner.asker.ledger if isinstance(inner, LlmEngine | HybridEngine) else None
