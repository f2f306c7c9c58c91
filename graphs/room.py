"""A live room: people join, say something, take it back; the supporter answers or holds. The log is the truth, this is its reader.

Every turn is logged before the graph runs and its outcome after, under the room's lock. A turn whose outcome is missing (the process
died in between) is answered when the room is opened again, so that there is exactly one visible reply.
"""

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Final, cast

from pydantic import JsonValue

from graphs.record import DecisionRecord, HumanEntry, record_of
from graphs.replay import run_turn
from graphs.state import RECENT_REPLIES
from rescue_agent.decisions import RelationState
from rescue_agent.engines.protocol import Engine
from rescue_agent.errors import RoomError
from rescue_agent.moment import Moment, Utterance
from rescue_agent.rooms.erasing import Erasing
from rescue_agent.rooms.lock import room_lock
from rescue_agent.rooms.log import Event, Kind, RoomLog
from rescue_agent.rooms.names import clean_names
from rescue_agent.safety.fairness import Balance, balance
from rescue_agent.schema import Episode, Record, Row, SupportStrategy
from rescue_agent.taxonomy import GROUP_LABEL, SUPPORTER, Scenario

_EVENTS_A_TURN, _LATE_ANSWERS = 4, 50
"""How far back the log is read for a turn: so many events for each turn of the window, and answers that came late."""
MAX_TURN: Final = 5_000
"""Characters of one turn."""


class RoomCard(Record):
    """What a room is: its people never change once it is made."""

    room_id: str
    scenario: Scenario
    participants: tuple[str, ...]


class ShownTurn(Record):
    """One thing that was said, as everybody in the room sees it."""

    seq: int
    speaker: str
    target: tuple[str, ...]
    text: str


class Room:
    """A room over a log. Several objects, threads and processes may use one room at a time: the lock orders them."""

    def __init__(self, card: RoomCard, log: RoomLog, engine: Engine, folder: Path, window: int) -> None:
        self.card, self._log, self._engine, self._folder, self._window = card, log, engine, folder, window

    @classmethod
    def create(cls, scenario: Scenario, names: Sequence[str], *, log: RoomLog, engine: Engine, folder: Path, window: int = 20) -> "Room":
        """Open a new room for a couple (two people) or a family (two to eight).

        Raises:
            RoomError: for names that cannot be used, or a wrong number of people.
        """
        participants = clean_names(names)
        if len(participants) < 2 or len(participants) > (2 if scenario == "couple" else 8):
            raise RoomError(f"a {scenario} has {'two people' if scenario == 'couple' else 'two to eight people'}, not {len(participants)}")
        card = RoomCard(room_id=secrets.token_urlsafe(16), scenario=scenario, participants=participants)
        log.append(card.room_id, "created", Kind.CREATED, body=card.model_dump(mode="json"))
        return cls(card, log, engine, folder, window)

    @classmethod
    def open(cls, room_id: str, *, log: RoomLog, engine: Engine, folder: Path, window: int = 20) -> "Room":
        """Open a room that exists, and answer what a crash left unanswered.

        Raises:
            RoomError: when there is no such room.
        """
        created = log.find(room_id, "created")
        if created is None:
            raise RoomError("there is no such room; check the link")
        room = cls(RoomCard.model_validate(created.body), log, engine, folder, window)
        with room_lock(folder, room_id):
            room._answer_open_turn()
        return room

    def say(self, speaker: str, text: str, message_id: str, to: Sequence[str] = ()) -> DecisionRecord:
        """Log what `speaker` says, and let the supporter answer or hold.

        Args:
            message_id: chosen by the client; the same one again changes nothing and gives the same outcome.
            to: whom it is said to; the other in a couple, else the group, when empty.

        Raises:
            RoomError: for an unknown speaker or target, or an empty or over-long turn; nothing is stored then.
        """
        said = self.hear(speaker, text, message_id, to)
        return self.answer(said)

    def hear(self, speaker: str, text: str, message_id: str, to: Sequence[str] = ()) -> Event:
        """Log what `speaker` says: from here on it is there, whatever happens. Arguments and errors as `say`."""
        body: dict[str, JsonValue] = {"text": self._checked_text(speaker, text), "to": list(self._checked_target(speaker, to))}
        with room_lock(self._folder, self.card.room_id):
            return self._log.append(self.card.room_id, f"said-{message_id}", Kind.SAID, speaker, body)

    def answer(self, said: Event) -> DecisionRecord:
        """Let the supporter answer what was heard, or hold."""
        with room_lock(self._folder, self.card.room_id):
            return self._answer(said)

    def undo(self, speaker: str, message_id: str) -> None:
        """Take back the last turn of `speaker`, and the reply to it.

        Raises:
            RoomError: when there is none to take back.
        """
        with room_lock(self._folder, self.card.room_id):
            own = [event for event in self._visible() if event.kind is Kind.SAID and event.person == speaker]
            if not own:
                raise RoomError(f"{speaker} has nothing to take back")
            self._log.append(self.card.room_id, f"undo-{message_id}", Kind.UNDONE, speaker, {"seq": own[-1].seq})

    def transcript(self) -> tuple[ShownTurn, ...]:
        """What was said and not taken back, in order."""
        return tuple(_shown(event) for event in self._visible() if event.kind is not Kind.HELD)

    def decisions(self) -> tuple[DecisionRecord, ...]:
        """The supporter's decisions, holds among them, in order."""
        outcomes = (event for event in self._visible() if event.kind in (Kind.REPLIED, Kind.HELD))
        return tuple(DecisionRecord.model_validate(event.body["decision"]) for event in outcomes)

    def export(self) -> Episode:
        """The session in the RESCUE schema, with the supporter's moves and the patterns that it read."""
        rows = [_row(number, event, self.card) for number, event in enumerate(self._spoken(), 1)]
        return Episode(
            sample_id=f"{self.card.room_id}/1",
            scenario=self.card.scenario,
            participants=self.card.participants,
            source_file="rescue-agent room",
            rows=tuple(rows),
        )

    def erase_words(self, person: str) -> None:
        """Erase what `person` said, for good: their turns, the answers to them, and every reply or reading that holds words of theirs.

        Their place in the order stays, empty. The pause of joint work stays, too.

        Raises:
            RoomError: when nobody of that name is in the room.
        """
        if person not in self.card.participants:
            raise RoomError(f"{person!r} is not in this room")
        with room_lock(self._folder, self.card.room_id):
            said = [e for e in self._log.events(self.card.room_id) if e.kind is Kind.SAID and e.person == person]
            erasing = Erasing(frozenset(e.seq for e in said), [str(e.body.get("text", "")) for e in said])
            self._log.rewrite(self.card.room_id, erasing.body_of)

    def balance(self) -> Balance:
        """How evenly the supporter's attention is spread so far. Off where joint work is paused: safety comes first."""
        spoken = self._spoken()
        if self.paused:
            spoken = []
        moves = [DecisionRecord.model_validate(e.body["decision"]).strategy.best for e in spoken if e.kind is Kind.REPLIED]
        return balance(self.card.participants, [_utterance(event) for event in spoken], moves)

    def delete(self) -> None:
        """Delete the room and everything that was said in it, for good."""
        with room_lock(self._folder, self.card.room_id):
            self._log.delete_room(self.card.room_id)

    # The log and what follows from it -------------------------------------------------------------------------------

    def _visible(self) -> list[Event]:
        """Events that still count, from the first."""
        return _still_counting(self._log.events(self.card.room_id))

    def _spoken(self) -> list[Event]:
        return [event for event in self._visible() if event.kind is not Kind.HELD]

    def _answer_open_turn(self) -> None:
        waiting = self._log.unanswered(self.card.room_id)
        if waiting:
            undone = {event.body["seq"] for event in self._log.events(self.card.room_id) if event.kind is Kind.UNDONE}
            for said in (event for event in waiting if event.seq not in undone and not event.body.get("erased")):
                self._answer(said)

    def _answer(self, said: Event) -> DecisionRecord:
        """The outcome of a turn: the logged one if there is one, else the graph's."""
        outcome = self._log.find(self.card.room_id, f"answer-{said.seq}")
        if outcome is None:
            outcome = self._decide(said)
        if "decision" not in outcome.body:
            raise RoomError("these words were erased")
        return DecisionRecord.model_validate(outcome.body["decision"])

    def _decide(self, said: Event) -> Event:
        recent = self._log.recent(self.card.room_id, said.seq + _LATE_ANSWERS, _EVENTS_A_TURN * self._window + _LATE_ANSWERS)
        before = [event for event in _still_counting(recent) if event.seq != said.seq and _comes_before(event, said)]
        spoken = [event for event in before if event.kind is not Kind.HELD]
        moment = Moment(
            scenario=self.card.scenario,
            participants=self.card.participants,
            context=tuple(_utterance(event) for event in spoken[-self._window :]),
            current=_utterance(said),
            prior=_last_relation(before),
        )
        replies = tuple(str(event.body["text"]) for event in spoken if event.kind is Kind.REPLIED)[-RECENT_REPLIES:]
        state = run_turn(moment, self._engine, recent_replies=replies, paused=self.paused)
        decision = record_of(state, f"{self.card.room_id}/1", said.seq, self._engine.name, HumanEntry(spoke=False))
        relation = self._with_reply(moment, state["relation"], decision)
        body: dict[str, JsonValue] = {
            "answers": said.seq,
            "decision": decision.model_dump(mode="json"),
            "relation": relation.model_dump(mode="json"),
            "paused": state.get("pauses", False),
        }
        if decision.reply:
            body |= {"text": decision.reply, "to": [_addressee(decision, self.card)]}
        kind = Kind.REPLIED if decision.reply else Kind.HELD
        return self._log.append(self.card.room_id, f"answer-{said.seq}", kind, SUPPORTER, body)

    def _with_reply(self, moment: Moment, relation: RelationState, decision: DecisionRecord) -> RelationState:
        """The relation state after the supporter's own words."""
        if not decision.reply:
            return relation
        reply = Utterance(speaker=SUPPORTER, target=(_addressee(decision, self.card),), text=decision.reply)
        after = moment.model_copy(update={"context": moment.utterances, "current": reply, "prior": relation})
        return self._engine.follow_relation(after)

    @property
    def paused(self) -> bool:
        """Whether joint work is paused. Neither taking back nor erasing the words that led to it lifts a pause."""
        return self._log.is_paused(self.card.room_id)

    def _checked_text(self, speaker: str, text: str) -> str:
        if speaker not in self.card.participants:
            raise RoomError(f"{speaker!r} is not in this room")
        if len(text) > MAX_TURN:
            raise RoomError(f"a turn has at most {MAX_TURN} characters, this one has {len(text)}; say it in parts")
        # lone surrogates and NUL cannot be stored; what is stored is what is shown
        clean = text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "").strip()
        if not clean:
            raise RoomError("an empty turn is not sent")
        return clean

    def _checked_target(self, speaker: str, to: Sequence[str]) -> tuple[str, ...]:
        known = {*self.card.participants, SUPPORTER, GROUP_LABEL[self.card.scenario]} - {speaker}
        if strangers := [name for name in to if name not in known]:
            raise RoomError(f"{strangers[0]!r} cannot be addressed here; known are {', '.join(sorted(known))}")
        others = tuple(name for name in self.card.participants if name != speaker)
        return tuple(to) or (others if len(others) == 1 else (GROUP_LABEL[self.card.scenario],))


def _still_counting(events: Sequence[Event]) -> list[Event]:
    """Turns and outcomes among `events` that were neither taken back nor erased, nor are the outcome of a turn that was."""
    undone = {event.body["seq"] for event in events if event.kind is Kind.UNDONE}
    return [
        event
        for event in events
        if event.kind in (Kind.SAID, Kind.REPLIED, Kind.HELD)
        and not event.body.get("erased")
        and event.seq not in undone
        and event.body.get("answers") not in undone
    ]


def _comes_before(event: Event, said: Event) -> bool:
    """Whether an event is part of what `said` follows: earlier turns, and the answers to them (which may have come after it)."""
    answered = event.body.get("answers")
    return event.seq < said.seq or (isinstance(answered, int) and answered < said.seq)


def _addressee(decision: DecisionRecord, card: RoomCard) -> str:
    """Whom a reply is to: scripted words are always to all."""
    return decision.target.best if decision.safety.level == "none" else GROUP_LABEL[card.scenario]


def _utterance(event: Event) -> Utterance:
    return Utterance(speaker=event.person, target=tuple(cast(list[str], event.body["to"])), text=str(event.body["text"]))


def _shown(event: Event) -> ShownTurn:
    said = _utterance(event)
    return ShownTurn(seq=event.seq, speaker=said.speaker, target=said.target, text=said.text)


def _last_relation(events: Sequence[Event]) -> RelationState | None:
    found = next((event.body["relation"] for event in reversed(events) if "relation" in event.body), None)
    return RelationState.model_validate(found) if found else None


def _row(number: int, event: Event, card: RoomCard) -> Row:
    said = _utterance(event)
    row = Row(row_index=number, primary_speaker=said.speaker, target=said.target, dialogue_cleaned=said.text)
    if event.kind is Kind.SAID:
        return row
    decision = DecisionRecord.model_validate(event.body["decision"])
    move = SupportStrategy(
        target=(_addressee(decision, card),), strategy_type=decision.strategy.best, strategy_content=decision.strategy.reason
    )
    return row.model_copy(
        update={
            "support_strategy": (move,),
            "relation_cycle_state": decision.pattern.label,
            "relation_cycle_reason": decision.pattern.reason,
        }
    )
