r"""The `hybrid` engine: a language model decides with the embedded engine's evidence in its prompt, and both are pooled.

For a decision among labels, with the model's probabilities :math:`m`, the trained heads' :math:`h` and a weight :math:`\lambda`,

.. math:: p(y) \propto m(y)^{\lambda}\, h(y)^{1-\lambda}

(a logarithmic opinion pool; Genest and Zidek 1986). The weight of each decision is fitted with the model at hand by
`rescue-agent fit-hybrid`; without that it is 1/2.

Where the endpoint gives no usable answer, `Fallback` lets the embedded engine decide in its place, decision by decision, and says so.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeVar, cast

from pydantic import JsonValue

from rescue_agent.decisions import (
    EmotionEstimate,
    InterventionDecision,
    Ranking,
    RecalledMoment,
    RelationState,
    ReplyPlan,
    ViewpointEstimate,
)
from rescue_agent.engines.llm.asking import Asker
from rescue_agent.engines.llm.engine import Evidence, JointEngine, LlmEngine
from rescue_agent.engines.llm.items import Mask
from rescue_agent.engines.protocol import Engine
from rescue_agent.errors import EndpointError, UnparsedReply
from rescue_agent.moment import Moment
from rescue_agent.schema import Record

logger = logging.getLogger(__name__)
T = TypeVar("T")
_SHOWN: Final = 3
_TINY: Final = 1e-6


class PoolWeights(Record):
    """The model's weight in each decision, 0 (heads alone) to 1 (model alone)."""

    pattern: float = 0.5
    target: float = 0.5
    strategy: float = 0.5
    intervene: float = 0.5


def pooled(model: Mapping[str, float], heads: Mapping[str, float], weight: float) -> dict[str, float]:
    """The logarithmic pool of two distributions over the same labels, not yet normalised."""
    return {label: max(p, _TINY) ** weight * max(heads[label], _TINY) ** (1 - weight) for label, p in model.items()}


class _WithEvidence:
    """Shows the model what the embedded engine makes of the moment."""

    embedded: Engine

    def evidence(self, moment: Moment, mask: Mask) -> Evidence:
        """Recalled moments, head probabilities and the relation state, with ids for names."""
        return evidence_of(self.embedded, moment, mask)


class _EvidenceAsked(_WithEvidence, LlmEngine):
    def __init__(self, asker: Asker, window: int, embedded: Engine) -> None:
        super().__init__(asker, window)
        self.embedded = embedded


class _EvidenceJoint(_WithEvidence, JointEngine):
    def __init__(self, asker: Asker, window: int, embedded: Engine) -> None:
        super().__init__(asker, window)
        self.embedded = embedded


def evidence_of(embedded: Engine, moment: Moment, mask: Mask) -> Evidence:
    """What `embedded` makes of `moment`, as JSON; only decisions that the moment allows."""
    targets = embedded.rank_targets(moment, moment.candidates)
    relation = embedded.follow_relation(moment)
    found: dict[str, JsonValue] = {
        "pattern": _first(embedded.predict_pattern(moment)),
        "target": [[mask.ids[name], p] for name, p in _first_pairs(targets)],
        "strategy": _first(embedded.rank_strategies(moment, targets.best)),
        "speak": round(embedded.decide_intervention(moment).probability, 2),
        "relation": [
            {"from": mask.ids[e.source], "to": mask.ids[e.target], "warmth": round(e.warmth, 2), "tension": round(e.tension, 2)}
            for e in relation.edges
            if e.source in mask.ids and e.target in mask.ids
        ],
        "similar": [
            {"pattern": m.pattern, "supporter_used": m.strategy, "to": m.target_role, "distance": round(m.distance, 2)}
            for m in embedded.recall(moment)[:_SHOWN]
        ],
    }
    return found


def _first_pairs(ranking: Ranking) -> list[tuple[str, float]]:
    return [(label, round(p, 2)) for label, p in ranking.ranking[:_SHOWN]]


def _first(ranking: Ranking) -> list[JsonValue]:
    return [[label, p] for label, p in _first_pairs(ranking)]


class HybridEngine:
    """Model and embedded engine, pooled.

    Args:
        joint: all decisions of a moment in one call (a room), or one call a decision (scoring).
    """

    name = "hybrid"
    deterministic = False

    def __init__(self, asker: Asker, window: int, embedded: Engine, weights: PoolWeights, *, joint: bool) -> None:
        self.embedded, self.weights, self.asker, self._window, self._joint = embedded, weights, asker, window, joint
        self.model: LlmEngine = (_EvidenceJoint if joint else _EvidenceAsked)(asker, window, embedded)

    def for_group(self, group: str) -> "HybridEngine":
        """The same, with everything of `group` out of the embedded engine's memory."""
        return HybridEngine(self.asker, self._window, self.embedded.for_group(group), self.weights, joint=self._joint)

    def recall(self, moment: Moment) -> tuple[RecalledMoment, ...]:
        """The embedded engine's."""
        return self.embedded.recall(moment)

    def recognise_emotion(self, moment: Moment) -> EmotionEstimate:
        """ER: the model's words and intensity."""
        return self.model.recognise_emotion(moment)

    def predict_viewpoints(self, moment: Moment) -> tuple[ViewpointEstimate, ...]:
        """VP: the model's."""
        return self.model.predict_viewpoints(moment)

    def predict_pattern(self, moment: Moment) -> Ranking:
        """RPP, pooled."""
        return self._pool(self.model.predict_pattern(moment), self.embedded.predict_pattern(moment), self.weights.pattern)

    def follow_relation(self, moment: Moment) -> RelationState:
        """The embedded engine's state, with the model's summary where there is one."""
        state = self.embedded.follow_relation(moment)
        return state.model_copy(update={"summary": self.model.follow_relation(moment).summary})

    def decide_intervention(self, moment: Moment) -> InterventionDecision:
        """ITP, pooled."""
        model, heads = self.model.decide_intervention(moment), self.embedded.decide_intervention(moment)
        odds = pooled(_speaking(model), _speaking(heads), self.weights.intervene)
        probability = odds["speak"] / (odds["speak"] + odds["hold"])
        return InterventionDecision(speak=probability >= 0.5, probability=probability, reason=model.reason)

    def rank_targets(self, moment: Moment, candidates: Sequence[str]) -> Ranking:
        """STP, pooled."""
        heads = self.embedded.rank_targets(moment, candidates)
        return self._pool(self.model.rank_targets(moment, candidates), heads, self.weights.target)

    def rank_strategies(self, moment: Moment, target: str) -> Ranking:
        """SSP, pooled."""
        heads = self.embedded.rank_strategies(moment, target)
        return self._pool(self.model.rank_strategies(moment, target), heads, self.weights.strategy)

    def write_reply(self, moment: Moment, plan: ReplyPlan) -> Iterator[str]:
        """The model's words."""
        yield from self.model.write_reply(moment, plan)

    def _pool(self, model: Ranking, heads: Ranking, weight: float) -> Ranking:
        return Ranking.of(pooled(model.probabilities, heads.probabilities, weight), model.reason)


def _speaking(decision: InterventionDecision) -> dict[str, float]:
    return {"speak": decision.probability, "hold": 1 - decision.probability}


class Fallback:
    """An engine whose failed decisions are made by `backup`. For rooms: scoring counts a failure as one.

    Decisions of one turn that fail say so in their reason; the log names the cause.
    """

    deterministic = False

    def __init__(self, engine: Engine, backup: Engine) -> None:
        self.name, self.engine, self._backup = engine.name, engine, backup

    def for_group(self, group: str) -> "Fallback":
        """The same of both engines for `group`."""
        return Fallback(self.engine.for_group(group), self._backup.for_group(group))

    def recall(self, moment: Moment) -> tuple[RecalledMoment, ...]:
        """Similar moments."""
        return self._try(lambda engine: engine.recall(moment))

    def recognise_emotion(self, moment: Moment) -> EmotionEstimate:
        """ER."""
        return self._try(lambda engine: engine.recognise_emotion(moment))

    def predict_viewpoints(self, moment: Moment) -> tuple[ViewpointEstimate, ...]:
        """VP."""
        return self._try(lambda engine: engine.predict_viewpoints(moment))

    def predict_pattern(self, moment: Moment) -> Ranking:
        """RPP."""
        return self._try(lambda engine: engine.predict_pattern(moment))

    def follow_relation(self, moment: Moment) -> RelationState:
        """The relation state."""
        return self._try(lambda engine: engine.follow_relation(moment))

    def decide_intervention(self, moment: Moment) -> InterventionDecision:
        """ITP."""
        return self._try(lambda engine: engine.decide_intervention(moment))

    def rank_targets(self, moment: Moment, candidates: Sequence[str]) -> Ranking:
        """STP."""
        return self._try(lambda engine: engine.rank_targets(moment, candidates))

    def rank_strategies(self, moment: Moment, target: str) -> Ranking:
        """SSP."""
        return self._try(lambda engine: engine.rank_strategies(moment, target))

    def write_reply(self, moment: Moment, plan: ReplyPlan) -> Iterator[str]:
        """The reply; where the model breaks off, the rest is left unsaid and the graph's check looks at what is there."""
        said = False
        try:
            for piece in self.engine.write_reply(moment, plan):
                said = True
                yield piece
        except (EndpointError, UnparsedReply) as failure:
            logger.warning("%s: reply by %s (%s)", self.name, "nobody: it broke off" if said else self._backup.name, failure)
            if not said:
                yield from self._backup.write_reply(moment, plan)

    def _try(self, decide: Callable[[Engine], T]) -> T:
        try:
            return decide(self.engine)
        except (EndpointError, UnparsedReply) as failure:
            logger.warning("%s: decided by %s (%s)", self.name, self._backup.name, failure)
            return _marked(decide(self._backup), f"by {self._backup.name}, the model gave no usable answer")


def _marked(decision: T, note: str) -> T:
    if not isinstance(decision, EmotionEstimate | InterventionDecision | Ranking):
        return decision
    said = {"reason": f"{decision.reason} ({note})".strip()}
    return cast(T, decision.model_copy(update=said))
