"""The engine protocol: six decisions and a reply. Chat, replay and scoring all call these methods and no others."""

from collections.abc import Iterator, Sequence
from typing import Protocol, runtime_checkable

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


@runtime_checkable
class Engine(Protocol):
    """An implementation of the six decisions of RESCUE-BENCH and of the supporter's reply.

    Attributes:
        name: how `--engine` calls it.
        deterministic: whether the same moment always gives the same answer.
    """

    name: str
    deterministic: bool

    def for_group(self, group: str) -> "Engine":
        """The same engine with everything of the couple or family `group` out of its memory: what scoring uses."""
        ...

    def recall(self, moment: Moment) -> tuple[RecalledMoment, ...]:
        """Similar moments from memory, nearest first; empty for an engine without memory."""
        ...

    def recognise_emotion(self, moment: Moment) -> EmotionEstimate:
        """ER: what the speaker of `moment.current` feels."""
        ...

    def predict_viewpoints(self, moment: Moment) -> tuple[ViewpointEstimate, ...]:
        """VP: what the speaker of `moment.current` thinks of others present. Never of oneself, never of the supporter."""
        ...

    def predict_pattern(self, moment: Moment) -> Ranking:
        """RPP: all relation patterns of the scenario, after `moment.utterances`."""
        ...

    def follow_relation(self, moment: Moment) -> RelationState:
        """The relation state after `moment.utterances`, carried on from `moment.prior`."""
        ...

    def decide_intervention(self, moment: Moment) -> InterventionDecision:
        """ITP: should the supporter speak after `moment.utterances`?"""
        ...

    def rank_targets(self, moment: Moment, candidates: Sequence[str]) -> Ranking:
        """STP: all `candidates`, best first."""
        ...

    def rank_strategies(self, moment: Moment, target: str) -> Ranking:
        """SSP: all strategies of the scenario for `target` (a participant or the group label), best first."""
        ...

    def write_reply(self, moment: Moment, plan: ReplyPlan) -> Iterator[str]:
        """The supporter's words, piece by piece: at most three sentences, to `plan.target`, by `plan.strategy`."""
        ...
