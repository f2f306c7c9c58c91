"""What the events of a room say: what still counts, what was said to whom, and the rows of an export."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from pydantic import JsonValue

from graphs.record import DecisionRecord
from graphs.state import Verdict
from rescue_agent.decisions import RelationState
from rescue_agent.moment import Correction, Utterance
from rescue_agent.rooms.log import Event, Kind
from rescue_agent.schema import InternalEmotion, Record, Row, SupportStrategy
from rescue_agent.taxonomy import GROUP_LABEL, Scenario

_COUNTING = (Kind.SAID, Kind.REPLIED, Kind.HELD, Kind.CORRECTED)


class RoomCard(Record):
    """What a room is: its people never change once it is made.

    Attributes:
        facilitator: the name of the human supporter without whom nothing is said; empty where there is none.
        open_panel: whether participants may look at what the supporter sees.
    """

    room_id: str
    scenario: Scenario
    participants: tuple[str, ...]
    facilitator: str = ""
    open_panel: bool = False


class ShownTurn(Record):
    """One thing that was said, as everybody in the room sees it."""

    seq: int
    speaker: str
    target: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Snapshot:
    """A room at one time, out of one reading of its log."""

    events: Sequence[Event]
    paused: bool

    @cached_property
    def visible(self) -> list[Event]:
        """Events that still count."""
        return still_counting(self.events)

    @cached_property
    def turns(self) -> tuple[ShownTurn, ...]:
        """What was said and not taken back, in order."""
        return tuple(map(shown, spoken(self.visible)))

    @cached_property
    def decisions(self) -> tuple[DecisionRecord, ...]:
        """The supporter's decisions, holds among them, in order."""
        return tuple(map(decision_of, outcomes(self.visible)))

    @property
    def last_decision(self) -> DecisionRecord | None:
        """The supporter's last decision."""
        return next(map(decision_of, reversed(outcomes(self.visible))), None)

    @cached_property
    def corrections(self) -> dict[int, Correction]:
        """Turn (its `seq`) -> what its speaker said they felt."""
        return corrections(self.visible)

    @property
    def relation(self) -> RelationState | None:
        """The relation state as it stands; None before the first turn."""
        return last_relation(self.visible)

    @property
    def left(self) -> tuple[str, ...]:
        """Who has left."""
        return tuple(event.person for event in self.events if event.kind is Kind.LEFT)


def still_counting(events: Iterable[Event]) -> list[Event]:
    """Turns, outcomes and corrections that were neither taken back nor erased, nor belong to a turn that was."""
    known = list(events)
    undone = {event.body["seq"] for event in known if event.kind is Kind.UNDONE}
    return [
        event
        for event in known
        if event.kind in _COUNTING
        and not event.body.get("erased")
        and undone.isdisjoint((event.seq, event.body.get("answers"), event.body.get("corrects")))
    ]


def spoken(events: Iterable[Event]) -> list[Event]:
    """The events in which something was said."""
    return [event for event in events if event.kind in (Kind.SAID, Kind.REPLIED)]


def outcomes(events: Iterable[Event]) -> list[Event]:
    """The supporter's replies and holds."""
    return [event for event in events if event.kind in (Kind.REPLIED, Kind.HELD)]


def comes_before(event: Event, said: Event) -> bool:
    """Whether an event is part of what `said` follows: earlier turns, and answers and corrections to them (which may have come later)."""
    about = event.body.get("answers", event.body.get("corrects"))
    return event.seq < said.seq or (isinstance(about, int) and about < said.seq)


def corrections(events: Iterable[Event]) -> dict[int, Correction]:
    """Turn -> what its speaker says they felt in it; the last word counts."""
    return {cast(int, e.body["corrects"]): _correction(e.body) for e in events if e.kind is Kind.CORRECTED}


def _correction(body: Mapping[str, JsonValue]) -> Correction:
    return Correction.model_validate({"description": body["description"], "intensity": body["intensity"]})


def utterances(events: Sequence[Event]) -> list[Utterance]:
    """What was said, each with its speaker's own correction."""
    told = corrections(events)
    return [utterance(event, told.get(event.seq)) for event in spoken(events)]


def utterance(event: Event, corrected: Correction | None = None) -> Utterance:
    """What was said in an event."""
    target = tuple(cast(list[str], event.body["to"]))
    return Utterance(speaker=event.person, target=target, text=str(event.body["text"]), corrected=corrected)


def shown(event: Event) -> ShownTurn:
    """The event as everybody sees it."""
    said = utterance(event)
    return ShownTurn(seq=event.seq, speaker=said.speaker, target=said.target, text=said.text)


def last_relation(events: Sequence[Event]) -> RelationState | None:
    """The relation state as it was followed last."""
    found = next((event.body["relation"] for event in reversed(events) if event.body.get("relation")), None)
    return RelationState.model_validate(found) if found else None


def decision_of(outcome: Event) -> DecisionRecord:
    """What the agent decided."""
    return DecisionRecord.model_validate(outcome.body["decision"])


def verdict_of(outcome: Event) -> Verdict | None:
    """What a facilitator made of it, in a room that has one."""
    given = outcome.body.get("facilitator")
    return Verdict.model_validate(given) if given else None


def move_of(outcome: Event, card: RoomCard) -> tuple[str, str]:
    """(strategy, target) of what was said."""
    verdict, decision = verdict_of(outcome), decision_of(outcome)
    return (verdict.strategy, verdict.target) if verdict else (decision.strategy.best, addressee(decision, card))


def addressee(decision: DecisionRecord, card: RoomCard) -> str:
    """Whom the agent's reply is to: scripted words are always to all."""
    return decision.target.best if decision.safety.level == "none" else GROUP_LABEL[card.scenario]


def row(number: int, event: Event, card: RoomCard, corrected: Correction | None) -> Row:
    """The event as a row of the RESCUE schema, with the move and the pattern of a reply, and what a speaker said they felt."""
    said = utterance(event)
    plain = Row(row_index=number, primary_speaker=said.speaker, target=said.target, dialogue_cleaned=said.text)
    if event.kind is Kind.SAID:
        return plain.model_copy(update=_felt(said.speaker, corrected)) if corrected else plain
    decision, (strategy, target) = decision_of(event), move_of(event, card)
    content = decision.strategy.reason if strategy == decision.strategy.best else ""
    return plain.model_copy(
        update={
            "support_strategy": (SupportStrategy(target=(target,), strategy_type=strategy, strategy_content=content),),
            "relation_cycle_state": decision.pattern.label,
            "relation_cycle_reason": decision.pattern.reason,
            "meta": _facilitated(event),
        }
    )


def _felt(person: str, corrected: Correction) -> dict[str, object]:
    emotion = InternalEmotion(person=person, emotion_description=corrected.description, intensity=corrected.intensity)
    return {"internal_emotion": (emotion,), "meta": {"emotion_by": "the speaker"}}


def _facilitated(event: Event) -> dict[str, JsonValue]:
    verdict = verdict_of(event)
    if not verdict:
        return {}
    decision = decision_of(event)
    proposed: dict[str, JsonValue] = {"text": event.body["proposed"], "target": decision.target.best, "strategy": decision.strategy.best}
    return {"facilitator": verdict.action, "proposed": proposed}
