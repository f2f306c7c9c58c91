"""The embedded engine: all six decisions and the reply without a language model. Deterministic."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from rescue_agent.decisions import (
    Edge,
    EmotionEstimate,
    InterventionDecision,
    Ranking,
    RecalledMoment,
    RelationState,
    ReplyPlan,
    ViewpointEstimate,
)
from rescue_agent.embedding import Embedder
from rescue_agent.engines.embedded import features, reasons
from rescue_agent.engines.embedded.composer import compose
from rescue_agent.engines.embedded.heads import HeadSet, softmax
from rescue_agent.engines.embedded.pooling import recall_votes
from rescue_agent.engines.embedded.reading import Reader, Reading
from rescue_agent.memory.episodes import EpisodeMemory
from rescue_agent.moment import Moment, Utterance
from rescue_agent.neutral import NAME
from rescue_agent.relation import filter_step, move_edge, with_edges
from rescue_agent.safety.untrusted import as_read
from rescue_agent.taxonomy import GROUP_LABEL, pattern_names, strategy_names

_LEVEL: Final = 1e-9
"""Scores nearer than this are level."""


class EmbeddedEngine:
    """Sentence embeddings, trained heads, recalled moments, a forward filter over patterns, and a composer.

    Args:
        memory: recalled moments are mixed into patterns and strategies; without it the heads decide alone.
        exclude_group: the couple or family under test, which memory must not recall.
    """

    name = "embedded"
    deterministic = True

    def __init__(
        self, embedder: Embedder, heads: HeadSet, memory: EpisodeMemory | None, *, recall_k: int = 8, exclude_group: str | None = None
    ) -> None:
        self.heads, self.memory = heads, memory
        self._embedder, self._recall_k, self._exclude_group = embedder, recall_k, exclude_group
        self._reader = Reader(embedder, heads)
        self._recall = lru_cache(maxsize=256)(self._recall_uncached)

    def for_group(self, group: str) -> "EmbeddedEngine":
        """The same engine with every moment of `group` out of its memory."""
        return EmbeddedEngine(self._embedder, self.heads, self.memory, recall_k=self._recall_k, exclude_group=group)

    # Reading --------------------------------------------------------------------------------------------------------

    def _read(self, moment: Moment) -> list[Reading]:
        return self._reader.read(as_read(moment).utterances, moment.participants)

    @property
    def _dimension(self) -> int:
        return self.heads.provenance.dimension

    def recall(self, moment: Moment) -> tuple[RecalledMoment, ...]:
        """Moments before a supporter's turn that lie near this one, nearest first."""
        return self._recall(moment) if self.memory else ()

    def _recall_uncached(self, moment: Moment) -> tuple[RecalledMoment, ...]:
        if self.memory is None or not moment.utterances:
            return ()
        vector = features.recall_vector([r.vector for r in self._read(moment)])
        return self.memory.recall(vector, moment.scenario, self._recall_k, self._exclude_group)

    def _pool(self, probabilities: Mapping[str, float], moment: Moment, field: str, weight: float) -> dict[str, float]:
        """Logarithmic pool of the head's probabilities and the labels of recalled moments, by the learned weight of the latter."""
        votes = recall_votes(self.recall(moment), field, tuple(probabilities))
        if not votes:
            return dict(probabilities)
        return {label: p ** (1 - weight) * votes[label] ** weight for label, p in probabilities.items()}

    # The six decisions ----------------------------------------------------------------------------------------------

    def recognise_emotion(self, moment: Moment) -> EmotionEstimate:
        """ER: the intensity head, and the phrase nearest to where the utterance maps to."""
        reading = self._last_client(moment)
        if reading is None:
            raise ValueError("ER needs a moment in which a participant has spoken")
        if told := reading.utterance.corrected:
            reason = f"{reading.speaker} said so"
            return EmotionEstimate(person=reading.speaker, description=told.description, intensity=told.intensity, reason=reason)
        book = self.heads.phrases["emotion"]
        phrase = book.phrases[book.best(reading.full)]
        return EmotionEstimate(
            person=reading.speaker,
            description=phrase,
            intensity=round(reading.intensity, 2),
            reason=reasons.for_emotion(reading),
        )

    def _last_client(self, moment: Moment) -> Reading | None:
        clients = [r for r in self._read(moment) if not r.utterance.by_supporter]
        return clients[-1] if clients else None

    def predict_viewpoints(self, moment: Moment) -> tuple[ViewpointEstimate, ...]:
        """VP: whom the speaker of the last utterance has a view of, likeliest first, worded by the nearest general phrase."""
        readings = self._read(moment)
        if not readings or readings[-1].utterance.by_supporter:
            return ()
        others = [name for name in moment.participants if name != readings[-1].speaker]
        scored = {name: self._viewpoint_probability(readings, name, len(moment.participants)) for name in others}
        likely = sorted(scored, key=lambda name: -scored[name])
        # whoever stands level with the likeliest is kept, too: the order of a list decides nothing
        enough = min(self.heads.knob("threshold.viewpoint"), max(scored.values(), default=0.0) - _LEVEL)
        kept = [name for name in likely if scored[name] >= enough]
        return tuple(self._word_viewpoint(readings[-1], name, scored[name]) for name in kept)

    def _viewpoint_probability(self, readings: Sequence[Reading], other: str, n_participants: int) -> float:
        x = features.viewpoint_features(readings, other, n_participants)
        return float(self.heads.linear["viewpoint"].probabilities(x)[1])

    def _word_viewpoint(self, reading: Reading, target: str, probability: float) -> ViewpointEstimate:
        book = self.heads.phrases["viewpoint"]
        i = book.best(reading.full)
        return ViewpointEstimate(
            source=reading.speaker,
            target=target,
            viewpoint=book.phrases[i].replace(NAME, target),
            attitude=book.extras[i],
            probability=round(probability, 6),
        )

    def predict_pattern(self, moment: Moment) -> Ranking:
        """RPP: the belief of the forward filter, pooled with the patterns of recalled moments."""
        belief = dict(self.follow_relation(moment).belief)
        pooled = self._pool(belief, moment, "pattern", self.heads.knob(f"recall.pattern.{moment.scenario}"))
        return Ranking.of(pooled, reasons.for_pattern(self._read(moment)))

    def follow_relation(self, moment: Moment) -> RelationState:
        """The relation state (module `rescue_agent.relation`), carried on from `moment.prior` if there is one."""
        readings = self._read(moment)
        if moment.prior is None:
            state, first = self._initial_state(moment), 0
        else:
            state, first = moment.prior, len(moment.context)
        for i in range(first, len(readings)):
            state = self._step(state, moment, readings[: i + 1])
        return state

    def _initial_state(self, moment: Moment) -> RelationState:
        prior = self.heads.filters[moment.scenario].prior
        return RelationState(belief=tuple(zip(pattern_names(moment.scenario), map(float, prior), strict=True)))

    def _step(self, state: RelationState, moment: Moment, readings: Sequence[Reading]) -> RelationState:
        parameters = self.heads.filters[moment.scenario]
        posterior = self.heads.linear[f"pattern.{moment.scenario}"].probabilities(features.window_features(readings, self._dimension))
        belief = np.array([p for _, p in state.belief], dtype=np.float32)
        belief = filter_step(belief, parameters.transition, posterior, parameters.shares, parameters.tempering)
        named = tuple(zip(pattern_names(moment.scenario), map(float, belief), strict=True))
        moved = with_edges(state, self._moved_edges(state, moment, readings[-1]))
        return moved.model_copy(update={"belief": named})

    def _moved_edges(self, state: RelationState, moment: Moment, reading: Reading) -> Iterator[Edge]:
        if reading.utterance.by_supporter:
            return
        types = reading.type_probabilities()
        for other in addressed_people(reading.utterance, moment):
            view = self._word_viewpoint(reading, other, 1.0).viewpoint
            yield move_edge(state.edge(reading.speaker, other), types, reading.intensity, view)

    def decide_intervention(self, moment: Moment) -> InterventionDecision:
        """ITP: the intervention head after the last utterance."""
        readings = self._read(moment)
        if not readings:
            return InterventionDecision(speak=False, probability=0.0, reason="nobody has spoken yet")
        x = features.intervention_features(readings, len(moment.participants), self._dimension)
        probability = float(self.heads.linear["intervene"].probabilities(x)[1])
        speak = probability >= self.heads.knob("threshold.speak")
        return InterventionDecision(speak=speak, probability=round(probability, 6), reason=reasons.for_intervention(readings, speak))

    def rank_targets(self, moment: Moment, candidates: Sequence[str]) -> Ranking:
        """STP: a conditional logit over the candidates."""
        readings = self._read(moment)
        x = np.stack([features.target_features(readings, name, moment.participants) for name in candidates])
        probabilities = softmax(self.heads.linear["target"].scores(x)[:, 0])
        scored = _group_first_if_level(dict(zip(candidates, map(float, probabilities), strict=True)), moment.group_label)
        return Ranking.of(scored, reasons.for_target(readings, max(scored, key=lambda name: scored[name])))

    def rank_strategies(self, moment: Moment, target: str) -> Ranking:
        """SSP: the strategy head, pooled with what the supporter did in recalled moments."""
        readings = self._read(moment)
        x = features.strategy_features(readings, target, moment.participants, self._dimension)
        probabilities = self.heads.linear[f"strategy.{moment.scenario}"].probabilities(x)
        scored = dict(zip(strategy_names(moment.scenario), map(float, probabilities), strict=True))
        pooled = self._pool(scored, moment, "strategy", self.heads.knob(f"recall.strategy.{moment.scenario}"))
        return Ranking.of(pooled, reasons.for_strategy(readings, self.recall(moment), max(pooled, key=lambda name: pooled[name])))

    def write_reply(self, moment: Moment, plan: ReplyPlan) -> Iterator[str]:
        """The composer's reply, sentence by sentence."""
        yield from compose(moment, plan)


def _group_first_if_level(scores: dict[str, float], group: str) -> dict[str, float]:
    """Where several people stand level at the top, nobody stands out: the group comes first."""
    best = max(scores.values())
    level = [name for name, score in scores.items() if score >= best - _LEVEL]
    return (
        {group: best, **{name: score for name, score in scores.items() if name != group}} if len(level) > 1 and group in scores else scores
    )


def addressed_people(utterance: Utterance, moment: Moment) -> tuple[str, ...]:
    """Whom an utterance is to or of: the participants it addresses (all others, if the group), else those whom it names."""
    others = tuple(name for name in moment.participants if name != utterance.speaker)
    if set(utterance.target) & set(GROUP_LABEL.values()):
        return others
    addressed = tuple(name for name in others if name in utterance.target)
    mentioned = tuple(name for name in others if name.casefold() in utterance.text.casefold())
    return addressed or mentioned or (others if len(others) == 1 else ())
