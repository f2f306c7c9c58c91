"""The baselines that stand beside every score: the commonest answer, a seeded random one, and the nearest remembered one."""

import hashlib
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import mean
from typing import Final, Self

from rescue_agent.corpus.moves import supporter_move
from rescue_agent.decisions import (
    EmotionEstimate,
    InterventionDecision,
    Ranking,
    RecalledMoment,
    RecalledRow,
    RelationState,
    ReplyPlan,
    ViewpointEstimate,
)
from rescue_agent.embedding import Embedder, Vectors
from rescue_agent.engines.embedded.composer import compose
from rescue_agent.engines.embedded.features import recall_vector
from rescue_agent.engines.embedded.phrases import about_name
from rescue_agent.engines.embedded.reading import embed_utterances
from rescue_agent.engines.embedded.remembering import target_role
from rescue_agent.memory.episodes import EpisodeMemory
from rescue_agent.moment import Moment, Utterance
from rescue_agent.neutral import NAME
from rescue_agent.schema import Episode, Record, Row
from rescue_agent.taxonomy import SCENARIOS, Scenario, pattern_names, strategy_names


def last_client(moment: Moment) -> Utterance:
    """The last utterance of a participant.

    Raises:
        ValueError: when none has spoken.
    """
    found = next((u for u in reversed(moment.utterances) if not u.by_supporter), None)
    if found is None:
        raise ValueError("ER needs a moment in which a participant has spoken")
    return found


class Commonest(Record):
    """What the training episodes hold most of; shares are counts over their sum."""

    emotion: str
    intensity: float
    viewpoint: str
    attitude: str
    speak: float
    target_roles: dict[str, float]
    patterns: dict[Scenario, dict[str, float]]
    strategies: dict[Scenario, dict[str, float]]


def count_commonest(episodes: Sequence[Episode]) -> Commonest:
    """Count the labels of `episodes`, each by the rules of its task."""
    rows = [(e, i, row) for e in episodes for i, row in enumerate(e.rows)]
    emotions = [e for _, _, row in rows for e in row.internal_emotion if e.person == row.primary_speaker and not row.by_supporter]
    views = [p for e, _, row in rows for v in row.viewpoints_attitudes if (p := about_name(v, e.participants))]
    nexts = [after.by_supporter for e in episodes for row, after in pairwise(e.rows) if not row.by_supporter]
    viewpoint = Counter((v.text, v.extra) for v in views).most_common(1)
    return Commonest(
        emotion=Counter(e.emotion_description for e in emotions).most_common(1)[0][0] if emotions else "uneasy",
        intensity=mean([e.intensity for e in emotions if e.intensity is not None] or [5.0]),
        viewpoint=viewpoint[0][0][0] if viewpoint else f"{NAME} sees it differently",
        attitude=viewpoint[0][0][1] if viewpoint else "",
        speak=mean(nexts or [0.5]),
        target_roles=_shares([_role(e, i, row) for e, i, row in rows], ("group", "last_speaker", "other_speaker", "silent")),
        patterns={s: _shares([row.relation_cycle_state for e, _, row in rows if e.scenario == s], pattern_names(s)) for s in SCENARIOS},
        strategies={s: _shares([_strategy(e, row) for e, _, row in rows if e.scenario == s], strategy_names(s)) for s in SCENARIOS},
    )


def _strategy(episode: Episode, row: Row) -> str:
    move = supporter_move(episode, row)
    return move[0] if move else ""


def _role(episode: Episode, i: int, row: Row) -> str:
    move = supporter_move(episode, row)
    return target_role(move[1] if move else "", [r.primary_speaker for r in episode.rows[:i] if not r.by_supporter])


def _shares(labels: Sequence[str], known: Sequence[str]) -> dict[str, float]:
    counts = Counter(label for label in labels if label in known)
    total = max(1, counts.total())
    return {label: counts[label] / total for label in known}


def spread_over_candidates(roles: dict[str, float], moment: Moment, candidates: Sequence[str]) -> dict[str, float]:
    """Shares of target roles, handed to the candidates that stand in these roles."""
    speakers = [u.speaker for u in moment.utterances if not u.by_supporter]
    standing = {candidate: target_role(candidate, speakers) for candidate in candidates}
    holders = Counter(standing.values())
    return {candidate: roles.get(role, 0.0) / holders[role] for candidate, role in standing.items()}


class _Baseline:
    """What all baselines share: no relation edges, a uniform start, and the composer's reply."""

    name = ""
    deterministic = True

    def for_group(self, group: str) -> Self:
        return self

    def recall(self, moment: Moment) -> tuple[RecalledMoment, ...]:
        return ()

    def predict_pattern(self, moment: Moment) -> Ranking:
        raise NotImplementedError

    def follow_relation(self, moment: Moment) -> RelationState:
        return RelationState(belief=self.predict_pattern(moment).ranking)

    def write_reply(self, moment: Moment, plan: ReplyPlan) -> Iterator[str]:
        yield from compose(moment, plan)


class MajorityEngine(_Baseline):
    """Always the commonest answer of the training episodes."""

    name = "majority"

    def __init__(self, commonest: Commonest) -> None:
        self._commonest = commonest

    def recognise_emotion(self, moment: Moment) -> EmotionEstimate:
        """ER: the mean intensity and the commonest phrase."""
        c = self._commonest
        return EmotionEstimate(person=last_client(moment).speaker, description=c.emotion, intensity=round(c.intensity, 2), reason=_COMMON)

    def predict_viewpoints(self, moment: Moment) -> tuple[ViewpointEstimate, ...]:
        """VP: the commonest viewpoint, of everybody else."""
        return _same_of_all(moment, self._commonest.viewpoint, self._commonest.attitude)

    def predict_pattern(self, moment: Moment) -> Ranking:
        """RPP: shares of the training episodes."""
        return Ranking.of(self._commonest.patterns[moment.scenario], _COMMON)

    def decide_intervention(self, moment: Moment) -> InterventionDecision:
        """ITP: always yes, the commonest answer of the balanced task (F1 66.7); the probability is the training share."""
        return InterventionDecision(speak=True, probability=self._commonest.speak, reason=_COMMON)

    def rank_targets(self, moment: Moment, candidates: Sequence[str]) -> Ranking:
        """STP: by the shares of the roles that the candidates stand in."""
        return Ranking.of(spread_over_candidates(self._commonest.target_roles, moment, candidates), _COMMON)

    def rank_strategies(self, moment: Moment, target: str) -> Ranking:
        """SSP: shares of the training episodes."""
        return Ranking.of(self._commonest.strategies[moment.scenario], _COMMON)


_COMMON: Final = "the commonest in the training episodes"


def _same_of_all(moment: Moment, viewpoint: str, attitude: str) -> tuple[ViewpointEstimate, ...]:
    source = last_client(moment).speaker
    return tuple(
        ViewpointEstimate(source=source, target=name, viewpoint=viewpoint.replace(NAME, name), attitude=attitude)
        for name in moment.participants
        if name != source
    )


class RandomEngine(_Baseline):
    """A random answer, the same for the same seed and moment whatever the order of the instances."""

    name = "random"

    def __init__(self, commonest: Commonest, seed: int = 0) -> None:
        self._commonest, self._seed = commonest, seed

    def _rng(self, task: str, moment: Moment) -> random.Random:
        content = f"{self._seed}\n{task}\n{moment.model_dump_json()}"
        return random.Random(hashlib.sha256(content.encode()).digest())  # noqa: S311 (a baseline, no secret)

    def _ranking(self, task: str, moment: Moment, labels: Sequence[str]) -> Ranking:
        order = self._rng(task, moment).sample(list(labels), len(labels))
        return Ranking.of(dict.fromkeys(order, 1.0), _CHANCE)

    def recognise_emotion(self, moment: Moment) -> EmotionEstimate:
        """ER: the commonest phrase with a uniform intensity."""
        intensity = self._rng("er", moment).randint(0, 10)
        return EmotionEstimate(person=last_client(moment).speaker, description=self._commonest.emotion, intensity=intensity, reason=_CHANCE)

    def predict_viewpoints(self, moment: Moment) -> tuple[ViewpointEstimate, ...]:
        """VP: each other person with probability one half."""
        rng = self._rng("vp", moment)
        views = _same_of_all(moment, self._commonest.viewpoint, self._commonest.attitude)
        return tuple(view for view in views if rng.random() < 0.5)

    def predict_pattern(self, moment: Moment) -> Ranking:
        """RPP: a random order."""
        return self._ranking("rpp", moment, pattern_names(moment.scenario))

    def decide_intervention(self, moment: Moment) -> InterventionDecision:
        """ITP: a coin."""
        return InterventionDecision(speak=self._rng("itp", moment).random() < 0.5, probability=0.5, reason=_CHANCE)

    def rank_targets(self, moment: Moment, candidates: Sequence[str]) -> Ranking:
        """STP: a random order."""
        return self._ranking("stp", moment, candidates)

    def rank_strategies(self, moment: Moment, target: str) -> Ranking:
        """SSP: a random order."""
        return self._ranking("ssp", moment, strategy_names(moment.scenario))


_CHANCE: Final = "by chance"


class NearestEngine(_Baseline):
    """Whatever the nearest remembered moment or row holds; the commonest answer where it holds nothing."""

    name = "nearest"

    def __init__(self, embedder: Embedder, memory: EpisodeMemory, commonest: Commonest, exclude_group: str | None = None) -> None:
        self._embedder, self._memory, self._commonest, self._exclude_group = embedder, memory, commonest, exclude_group
        self._fallback = MajorityEngine(commonest)

    def for_group(self, group: str) -> Self:
        """The same engine with `group` out of its memory."""
        return type(self)(self._embedder, self._memory, self._commonest, group)

    def _vectors(self, moment: Moment, count: int) -> Vectors:
        return embed_utterances(self._embedder, moment.utterances[-count:], moment.participants)

    def recall(self, moment: Moment) -> tuple[RecalledMoment, ...]:
        """The nearest moments that carry a label."""
        if not moment.utterances:
            return ()
        return self._memory.recall(recall_vector(self._vectors(moment, 4)), moment.scenario, _TRIED, self._exclude_group)

    def _rows(self, moment: Moment) -> tuple[RecalledRow, ...]:
        vector = embed_utterances(self._embedder, [last_client(moment)], moment.participants)[0]
        return self._memory.recall_rows(vector, moment.scenario, _TRIED, self._exclude_group)

    def recognise_emotion(self, moment: Moment) -> EmotionEstimate:
        """ER: emotion and intensity of the nearest row that has them."""
        row = next((r for r in self._rows(moment) if r.emotion and r.intensity is not None), None)
        if row is None or row.intensity is None:
            return self._fallback.recognise_emotion(moment)
        intensity = min(10.0, max(0.0, row.intensity))
        return EmotionEstimate(person=last_client(moment).speaker, description=row.emotion, intensity=intensity, reason=_from(row))

    def predict_viewpoints(self, moment: Moment) -> tuple[ViewpointEstimate, ...]:
        """VP: the viewpoint of the nearest row that has one, of those whom the utterance addresses, else of everybody else."""
        row = next((r for r in self._rows(moment) if r.viewpoint), None)
        if row is None:
            return self._fallback.predict_viewpoints(moment)
        views = _same_of_all(moment, row.viewpoint, row.attitude)
        addressed = tuple(view for view in views if view.target in last_client(moment).target)
        return addressed or views

    def _nearest_label(self, moment: Moment, labels: Sequence[str], field: str, otherwise: Ranking) -> Ranking:
        found = next((m for m in self.recall(moment) if getattr(m, field) in labels), None)
        if found is None:
            return otherwise
        rest = {label: (1 - _TRUST) * p for label, p in otherwise.probabilities.items()}
        return Ranking.of(rest | {getattr(found, field): rest[getattr(found, field)] + _TRUST}, _from(found))

    def predict_pattern(self, moment: Moment) -> Ranking:
        """RPP: the pattern of the nearest moment that has one."""
        return self._nearest_label(moment, pattern_names(moment.scenario), "pattern", self._fallback.predict_pattern(moment))

    def decide_intervention(self, moment: Moment) -> InterventionDecision:
        """ITP: whether the supporter spoke after the nearest row."""
        rows = self._rows(moment) if any(not u.by_supporter for u in moment.utterances) else ()
        if not rows:
            return self._fallback.decide_intervention(moment)
        speak = rows[0].supporter_next
        return InterventionDecision(speak=speak, probability=_TRUST if speak else 1 - _TRUST, reason=_from(rows[0]))

    def rank_targets(self, moment: Moment, candidates: Sequence[str]) -> Ranking:
        """STP: who stands in the role of the nearest moment's target."""
        otherwise = self._fallback.rank_targets(moment, candidates)
        found = next((m for m in self.recall(moment) if m.target_role), None)
        if found is None:
            return otherwise
        near = spread_over_candidates({found.target_role: 1.0}, moment, candidates)
        return Ranking.of({c: _TRUST * near[c] + (1 - _TRUST) * otherwise.probabilities[c] for c in candidates}, _from(found))

    def rank_strategies(self, moment: Moment, target: str) -> Ranking:
        """SSP: the strategy of the nearest moment that has one."""
        return self._nearest_label(moment, strategy_names(moment.scenario), "strategy", self._fallback.rank_strategies(moment, target))


_TRIED: Final = 20
"""How many neighbours are looked at to find one that carries the label."""
_TRUST: Final = 0.9


def _from(recalled: RecalledMoment | RecalledRow) -> str:
    return f"as in {recalled.sample_id} row {recalled.row_index}, distance {recalled.distance:.2f}"
