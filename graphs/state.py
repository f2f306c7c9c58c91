"""State and context of the turn graph. Every field is typed, so that the checkpointer writes and reads it under strict msgpack;
sequences are lists, since msgpack knows no tuples."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypedDict

from rescue_agent.decisions import (
    EmotionEstimate,
    InterventionDecision,
    Ranking,
    RecalledMoment,
    RelationState,
    ViewpointEstimate,
)
from rescue_agent.engines.protocol import Engine
from rescue_agent.moment import Mode, Utterance
from rescue_agent.safety.levels import Screening
from rescue_agent.schema import Record
from rescue_agent.taxonomy import Scenario

RECENT_REPLIES = 5
"""How many of its last replies the supporter must not repeat."""


class Verdict(Record):
    """What a facilitator makes of a proposal: said as it is, with other words, something else altogether, or nothing. `text` is empty for
    nothing; `target` and `strategy` are of what is said.
    """

    action: Literal["approved", "edited", "replaced", "held"]
    target: str
    strategy: str
    text: str


@dataclass(frozen=True)
class SupportContext:
    """Services of the graph: what a run is given and no checkpoint holds. `stopped` tells whether somebody stopped the supporter."""

    engine: Engine
    stopped: Callable[[], bool] = lambda: False


class SupportInput(TypedDict):
    """What a turn brings: the room as it is, and what was just said."""

    scenario: Scenario
    participants: list[str]
    mode: Mode
    window: list[Utterance]
    turn: Utterance
    prior: RelationState | None
    recent_replies: list[str]
    paused: bool
    facilitated: bool


class Update(TypedDict, total=False):
    """What the nodes add: what the guard found, the six decisions, and the reply (empty for a hold). In a facilitated
    room `proposed` is the reply before the facilitator's verdict.
    """

    screening: Screening
    recalled: list[RecalledMoment]
    emotion: EmotionEstimate
    viewpoints: list[ViewpointEstimate]
    pattern: Ranking
    relation: RelationState
    intervention: InterventionDecision
    target: Ranking
    strategy: Ranking
    draft: str
    reply: str
    pauses: bool
    proposed: str
    verdict: Verdict


class SupportState(SupportInput, Update):
    """A turn as it is worked out."""
