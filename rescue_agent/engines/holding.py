"""What a room does when the `llm` engine gives no usable answer: it reads nothing and holds."""

from collections.abc import Iterator, Sequence

from rescue_agent.decisions import (
    EmotionEstimate,
    InterventionDecision,
    Ranking,
    RecalledMoment,
    RelationState,
    ReplyPlan,
    ViewpointEstimate,
)
from rescue_agent.moment import Moment
from rescue_agent.taxonomy import pattern_names, strategy_names


class HoldingEngine:
    """Holds, and claims nothing."""

    name = "holding"
    deterministic = True

    def for_group(self, group: str) -> "HoldingEngine":
        """The same."""
        return self

    def recall(self, moment: Moment) -> tuple[RecalledMoment, ...]:
        """Nothing."""
        return ()

    def recognise_emotion(self, moment: Moment) -> EmotionEstimate:
        """ER: not read."""
        return EmotionEstimate(person=moment.current.speaker if moment.current else "", description="not read", intensity=0.0)

    def predict_viewpoints(self, moment: Moment) -> tuple[ViewpointEstimate, ...]:
        """VP: none."""
        return ()

    def predict_pattern(self, moment: Moment) -> Ranking:
        """RPP: all alike."""
        return Ranking.of(dict.fromkeys(pattern_names(moment.scenario), 1.0))

    def follow_relation(self, moment: Moment) -> RelationState:
        """The state as it was."""
        return moment.prior or RelationState()

    def decide_intervention(self, moment: Moment) -> InterventionDecision:
        """ITP: hold."""
        return InterventionDecision(speak=False, probability=0.0)

    def rank_targets(self, moment: Moment, candidates: Sequence[str]) -> Ranking:
        """STP: all alike."""
        return Ranking.of(dict.fromkeys(candidates, 1.0))

    def rank_strategies(self, moment: Moment, target: str) -> Ranking:
        """SSP: all alike."""
        return Ranking.of(dict.fromkeys(strategy_names(moment.scenario), 1.0))

    def write_reply(self, moment: Moment, plan: ReplyPlan) -> Iterator[str]:
        """Nothing; the graph's check puts a composed reply in its place."""
        yield from ()
