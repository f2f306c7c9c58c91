"""A live room: people join, say something, take it back; the supporter answers or holds. The log is the truth, this is its reader.

Every turn is logged before the graph runs and its outcome after, under the room's lock. A turn whose outcome is missing (the process
died in between) is answered when the room is opened again, so that there is exactly one visible reply. In a facilitated room the
outcome waits for the facilitator's verdict; whoever speaks meanwhile makes it a hold.
"""

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from pydantic import JsonValue, ValidationError

from graphs import history
from graphs.history import RoomCard, ShownTurn, Snapshot
from graphs.proposals import Proposals
from graphs.record import DecisionRecord, HumanEntry, record_of
from graphs.replay import run_turn, turn_input, whole
from graphs.state import RECENT_REPLIES, SupportContext, SupportState, Verdict
from rescue_agent.decisions import RelationState
from rescue_agent.engines.protocol import Engine
from rescue_agent.errors import RoomError
from rescue_agent.moment import Correction, Moment, Utterance
from rescue_agent.rooms.erasing import Erasing
from rescue_agent.rooms.lock import room_lock
from rescue_agent.rooms.log import Event, Kind, RoomLog
from rescue_agent.rooms.names import clean_names
from rescue_agent.safety.fairness import Balance, balance
from rescue_agent.schema import Episode, Record
from rescue_agent.taxonomy import GROUP_LABEL, SUPPORTER, Scenario, strategy_names

_EVENTS_A_TURN, _LATE_ANSWERS = 4, 50
"""How far back the log is read for a turn: so many events for each turn of the window, and answers that came late."""
MAX_TURN: Final = 5_000
"""Characters of one turn."""
MAX_PEOPLE: Final = 8
_DELETED: Final = "this room was deleted"


class Proposal(Record):
    """What the agent proposes to a facilitator after the turn `seq`: to say `decision.reply`, or to hold."""

    seq: int
    decision: DecisionRecord


class Room:
    """A room over a log. Several objects, threads and processes may use one room at a time: the lock orders them."""

    def __init__(self, card: RoomCard, log: RoomLog, engine: Engine, folder: Path, window: int) -> None:
        self.card, self._log, self._engine, self._folder, self._window = card, log, engine, folder, window
        self._proposals = Proposals(folder)

    @classmethod
    def create(
        cls,
        scenario: Scenario,
        names: Sequence[str],
        *,
        log: RoomLog,
        engine: Engine,
        folder: Path,
        window: int = 20,
        facilitator: str = "",
        open_panel: bool = False,
    ) -> "Room":
        """Open a new room for a couple (two people) or a family (two to eight).

        Args:
            facilitator: the name of a human supporter, who then has the last word on everything the agent would say.
            open_panel: whether participants may look at what the supporter sees.

        Raises:
            RoomError: for names that cannot be used, or a wrong number of people.
        """
        people = clean_names([*names, facilitator] if facilitator else names)
        participants, helper = (people[:-1], people[-1]) if facilitator else (people, "")
        if len(participants) < 2 or len(participants) > (2 if scenario == "couple" else MAX_PEOPLE):
            allowed = "two people" if scenario == "couple" else "two to eight people"
            raise RoomError(f"a {scenario} has {allowed}, not {len(participants)}")
        card = RoomCard(
            room_id=secrets.token_urlsafe(16), scenario=scenario, participants=participants, facilitator=helper, open_panel=open_panel
        )
        log.append(card.room_id, "created", Kind.CREATED, body=card.model_dump(mode="json"))
        return cls(card, log, engine, folder, window)

    @classmethod
    def open(cls, room_id: str, *, log: RoomLog, engine: Engine, folder: Path, window: int = 20, recover: bool = True) -> "Room":
        """Open a room that exists.

        Args:
            recover: answer what a crash left unanswered; without it nothing is waited for.

        Raises:
            RoomError: when there is no such room.
        """
        created = log.find(room_id, "created")
        if created is None:
            raise RoomError("there is no such room; check the link")
        room = cls(RoomCard.model_validate(created.body), log, engine, folder, window)
        if recover:
            with room_lock(folder, room_id):
                room._answer_open_turns()
        return room

    # What people do -------------------------------------------------------------------------------------------------

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
        # without the room's lock: nobody waits to be heard while the supporter writes
        said = self._log.append(self.card.room_id, f"said-{message_id}", Kind.SAID, speaker, body)
        if said.seq == 1:
            self._log.delete_room(self.card.room_id)
            raise RoomError(_DELETED)
        return said

    def answer(
        self, said: Event, streamed: Callable[[str], None] | None = None, stopped: Callable[[], bool] = lambda: False
    ) -> DecisionRecord:
        """Let the supporter answer what was heard, or hold; in a facilitated room, propose it. Earlier turns come first.

        Args:
            streamed: is given the reply so far, whole checked sentences, while it is being written.
            stopped: tells whether somebody stopped the supporter, which then holds.
        """
        with room_lock(self._folder, self.card.room_id):
            self._check_that_it_stands()
            for earlier in (event for event in self._open_turns() if event.seq < said.seq and not self.card.facilitator):
                self._answer(earlier, streamed, stopped)
            return self._answer(said, streamed, stopped)

    def undo(self, speaker: str, message_id: str) -> None:
        """Take back the last turn of `speaker`, and the reply to it.

        Raises:
            RoomError: when there is none to take back.
        """
        with room_lock(self._folder, self.card.room_id):
            said = self._last_turn(speaker, "has nothing to take back")
            self._log.append(self.card.room_id, f"undo-{message_id}", Kind.UNDONE, speaker, {"seq": said.seq})
            self._proposals.forget(self.card.room_id)

    def correct(self, person: str, description: str, intensity: float, message_id: str) -> None:
        """Take `person`'s word for what they felt in their last turn: it outweighs what was read, in every decision from now on.

        Args:
            description: a short phrase, at most 200 characters.
            intensity: 0-10.

        Raises:
            RoomError: when they have said nothing yet, or for a phrase or number out of bounds.
        """
        try:
            told = Correction(description=_storable(description), intensity=intensity)
        except ValidationError:
            raise RoomError("say in a few words what you felt (at most 200 characters), and how strongly from 0 to 10") from None
        with room_lock(self._folder, self.card.room_id):
            said = self._last_turn(person, "has said nothing yet")
            relation = self._followed_anew(said, told)
            body: dict[str, JsonValue] = {"corrects": said.seq, **told.model_dump(mode="json")}
            if relation:
                body["relation"] = relation.model_dump(mode="json")
            self._log.append(self.card.room_id, f"correct-{message_id}", Kind.CORRECTED, person, body)
            self._proposals.forget(self.card.room_id)

    def leave(self, person: str) -> None:
        """Log that `person` has left; what they said stays, and they can say nothing more.

        Raises:
            RoomError: when nobody of that name is in the room.
        """
        self._checked_person(person)
        with room_lock(self._folder, self.card.room_id):
            self._check_that_it_stands()
            self._log.append(self.card.room_id, f"left-{person}", Kind.LEFT, person)

    def erase_words(self, person: str) -> None:
        """Erase what `person` said, for good: their turns, the answers to them, and every reply or reading that holds words of theirs.

        Their place in the order stays, empty. The pause of joint work stays, too.

        Raises:
            RoomError: when nobody of that name is in the room.
        """
        self._checked_person(person)
        with room_lock(self._folder, self.card.room_id):
            own = [e for e in self._log.events(self.card.room_id) if e.person == person and e.kind in (Kind.SAID, Kind.CORRECTED)]
            texts = [str(e.body.get("text", e.body.get("description", ""))) for e in own]
            erasing = Erasing(frozenset(e.seq for e in own), texts)
            self._log.rewrite(self.card.room_id, erasing.body_of)
            self._proposals.forget(self.card.room_id)

    def delete(self) -> None:
        """Delete the room and everything that was said in it, for good."""
        with room_lock(self._folder, self.card.room_id):
            self._log.delete_room(self.card.room_id)
            self._proposals.forget(self.card.room_id)

    # What a facilitator does ----------------------------------------------------------------------------------------

    def proposal(self) -> Proposal | None:
        """What waits for the facilitator's verdict; None when nothing does."""
        if not self.card.facilitator:
            return None
        with room_lock(self._folder, self.card.room_id):
            waiting = self._open_turns()[-1:]
            if not waiting:
                return None
            decision = self._record(self._waiting_state(waiting[0]), waiting[0].seq)
            still_waits = self._log.find(self.card.room_id, f"answer-{waiting[0].seq}") is None
            return Proposal(seq=waiting[0].seq, decision=decision) if still_waits else None

    def settle(self, seq: int, verdict: Verdict) -> DecisionRecord:
        """Say what the facilitator decided about the turn `seq`, or hold.

        Raises:
            RoomError: when the room has gone on since, or for a target, strategy or text that cannot be used.
        """
        with room_lock(self._folder, self.card.room_id):
            waiting = [event for event in self._open_turns()[-1:] if event.seq == seq]
            if not waiting or not self.card.facilitator:
                raise RoomError("the room has gone on since; look at what it says now")
            checked = self._checked_verdict(verdict, self._waiting_state(waiting[0]))
            return history.decision_of(self._settled(waiting[0], checked))

    # What there is to see -------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """The room as it is now."""
        return Snapshot(self._log.events(self.card.room_id), self.paused)

    def transcript(self) -> tuple[ShownTurn, ...]:
        """What was said and not taken back, in order."""
        return self.snapshot().turns

    def decisions(self) -> tuple[DecisionRecord, ...]:
        """The supporter's decisions, holds among them, in order."""
        return self.snapshot().decisions

    def latest_moment(self) -> Moment | None:
        """The moment of the last turn, as the engine saw it."""
        said = [event for event in self._visible() if event.kind is Kind.SAID]
        return self._moment(said[-1], self._before(said[-1])) if said else None

    def export(self) -> Episode:
        """The session in the RESCUE schema, with the supporter's moves, the patterns that it read, and people's own corrections."""
        visible = self._visible()
        told = history.corrections(visible)
        rows = [history.row(n, event, self.card, told.get(event.seq)) for n, event in enumerate(history.spoken(visible), 1)]
        return Episode(
            sample_id=f"{self.card.room_id}/1",
            scenario=self.card.scenario,
            participants=self.card.participants,
            source_file="rescue-agent room",
            rows=tuple(rows),
        )

    def balance(self) -> Balance:
        """How evenly the supporter's attention is spread so far. Off where joint work is paused: safety comes first."""
        said = [] if self.paused else history.spoken(self._visible())
        moves = [history.move_of(event, self.card)[0] for event in said if event.kind is Kind.REPLIED]
        return balance(self.card.participants, [history.utterance(event) for event in said], moves)

    @property
    def paused(self) -> bool:
        """Whether joint work is paused. Neither taking back nor erasing the words that led to it lifts a pause."""
        return self._log.is_paused(self.card.room_id)

    # The log and what follows from it -------------------------------------------------------------------------------

    def _visible(self) -> list[Event]:
        """Events that still count, from the first."""
        return history.still_counting(self._log.events(self.card.room_id))

    def _last_turn(self, person: str, complaint: str) -> Event:
        own = [event for event in self._visible() if event.kind is Kind.SAID and event.person == person]
        if not own:
            raise RoomError(f"{person} {complaint}")
        return own[-1]

    def _open_turns(self) -> list[Event]:
        """Turns that still count and have no outcome yet."""
        return [event for event in self._log.unanswered(self.card.room_id) if not event.body.get("erased")]

    def _answer_open_turns(self) -> None:
        for said in self._open_turns():
            self._answer(said)

    def _answer(
        self, said: Event, streamed: Callable[[str], None] | None = None, stopped: Callable[[], bool] = lambda: False
    ) -> DecisionRecord:
        """The outcome of a turn: the logged one if there is one, else the graph's."""
        outcome = self._log.find(self.card.room_id, f"answer-{said.seq}")
        if outcome is None and self.card.facilitator:
            return self._proposed(said)
        if outcome is None:
            outcome = self._decided(said, streamed, stopped)
        if "decision" not in outcome.body:
            raise RoomError("these words were erased")
        return history.decision_of(outcome)

    def _before(self, said: Event) -> list[Event]:
        """What still counts and comes before a turn, as far back as its window needs."""
        recent = self._log.recent(self.card.room_id, said.seq + _LATE_ANSWERS, _EVENTS_A_TURN * self._window + _LATE_ANSWERS)
        return [event for event in history.still_counting(recent) if event.seq != said.seq and history.comes_before(event, said)]

    def _moment(self, said: Event, before: Sequence[Event]) -> Moment:
        return Moment(
            scenario=self.card.scenario,
            participants=self.card.participants,
            context=tuple(history.utterances(before)[-self._window :]),
            current=history.utterance(said),
            prior=history.last_relation(before),
        )

    def _decided(self, said: Event, streamed: Callable[[str], None] | None, stopped: Callable[[], bool]) -> Event:
        before = self._before(said)
        moment, replies = self._moment(said, before), _replies(before)
        state = run_turn(moment, self._engine, recent_replies=replies, paused=self.paused, streamed=streamed, stopped=stopped)
        return self._log_outcome(said, moment, state)

    def _log_outcome(self, said: Event, moment: Moment, state: SupportState) -> Event:
        decision, verdict = self._record(state, said.seq), state.get("verdict")
        to = verdict.target if verdict else history.addressee(decision, self.card)
        # scripted words wait for no model
        follows = self._engine.deterministic or "pauses" not in state
        relation = self._with_reply(moment, state["relation"], decision.reply, to) if follows else state["relation"]
        body: dict[str, JsonValue] = {
            "answers": said.seq,
            "decision": decision.model_dump(mode="json"),
            "relation": relation.model_dump(mode="json"),
            "paused": state.get("pauses", False),
        }
        if decision.reply:
            body |= {"text": decision.reply, "to": [to]}
        if verdict:
            body |= {"facilitator": verdict.model_dump(mode="json"), "proposed": state["proposed"]}
        kind = Kind.REPLIED if decision.reply else Kind.HELD
        return self._log.append(self.card.room_id, f"answer-{said.seq}", kind, SUPPORTER, body)

    def _record(self, state: SupportState, seq: int) -> DecisionRecord:
        return record_of(state, f"{self.card.room_id}/1", seq, self._engine.name, HumanEntry(spoke=False))

    def _with_reply(self, moment: Moment, relation: RelationState, reply: str | None, to: str) -> RelationState:
        """The relation state after the supporter's own words."""
        if not reply:
            return relation
        said = Utterance(speaker=SUPPORTER, target=(to,), text=reply)
        after = moment.model_copy(update={"context": moment.utterances, "current": said, "prior": relation})
        return self._engine.follow_relation(after)

    def _followed_anew(self, said: Event, told: Correction) -> RelationState | None:
        """The relation state with `said` as its speaker means it; None from an engine that would have to be paid for every turn since."""
        if not self._engine.deterministic:
            return None
        visible = self._visible()
        heard, state = list(history.utterances(self._before(said))), history.last_relation(self._before(said))
        turns = [event for event in history.spoken(visible) if event.seq == said.seq or not history.comes_before(event, said)]
        for event in turns:
            current = history.utterance(event, told if event.seq == said.seq else None)
            known = {"scenario": self.card.scenario, "participants": self.card.participants, "context": tuple(heard[-self._window :])}
            state = self._engine.follow_relation(Moment.model_validate({**known, "current": current, "prior": state}))
            heard.append(current)
        return state

    # Facilitated turns ----------------------------------------------------------------------------------------------

    def _proposed(self, said: Event) -> DecisionRecord:
        """Work the turn out up to the facilitator. Earlier turns that still wait are held: the room has gone on."""
        for earlier in (event for event in self._open_turns() if event.seq < said.seq):
            self._settled(earlier, _held(self._record(self._waiting_state(earlier), earlier.seq)))
        return self._record(self._waiting_state(said), said.seq)

    def _waiting_state(self, said: Event) -> SupportState:
        """The turn as it waits for a verdict: kept by the checkpointer, or worked out anew. Scripted words are said at once."""
        known = self._proposals.waiting(self.card.room_id, said.seq)
        if known:
            return known
        before = self._before(said)
        moment, context = self._moment(said, before), SupportContext(engine=self._engine)
        given = turn_input(moment, _replies(before), self.paused, facilitated=True)
        state, waits = self._proposals.propose(self.card.room_id, said.seq, given, context)
        if not waits:
            state = whole(state, context)
            self._log_outcome(said, moment, state)
        return state

    def _settled(self, said: Event, verdict: Verdict) -> Event:
        self._waiting_state(said)
        known = self._log.find(self.card.room_id, f"answer-{said.seq}")
        if known:
            return known
        state = self._proposals.settle(self.card.room_id, verdict, SupportContext(engine=self._engine))
        return self._log_outcome(said, self._moment(said, self._before(said)), state)

    def _checked_verdict(self, verdict: Verdict, state: SupportState) -> Verdict:
        if verdict.action == "held":
            return verdict.model_copy(update={"text": ""})
        if verdict.action == "approved":
            best = {"target": state["target"].best, "strategy": state["strategy"].best}
            return verdict.model_copy(update={"text": state["reply"], **best})
        if verdict.target not in (*self.card.participants, GROUP_LABEL[self.card.scenario]):
            raise RoomError(f"{verdict.target!r} cannot be addressed here")
        if verdict.strategy not in strategy_names(self.card.scenario):
            raise RoomError(f"{verdict.strategy!r} is no strategy of a {self.card.scenario} room")
        return verdict.model_copy(update={"text": _checked_words(verdict.text)})

    # What is let in -------------------------------------------------------------------------------------------------

    def _check_that_it_stands(self) -> None:
        if not self._log.last_seq(self.card.room_id):
            raise RoomError(_DELETED)

    def _checked_person(self, person: str) -> None:
        if person not in self.card.participants:
            raise RoomError(f"{person!r} is not in this room")

    def _checked_text(self, speaker: str, text: str) -> str:
        self._checked_person(speaker)
        if self._log.find(self.card.room_id, f"left-{speaker}"):
            raise RoomError(f"{speaker} has left this room")
        return _checked_words(text)

    def _checked_target(self, speaker: str, to: Sequence[str]) -> tuple[str, ...]:
        known = {*self.card.participants, SUPPORTER, GROUP_LABEL[self.card.scenario]} - {speaker}
        if strangers := [name for name in to if name not in known]:
            raise RoomError(f"{strangers[0]!r} cannot be addressed here; known are {', '.join(sorted(known))}")
        others = tuple(name for name in self.card.participants if name != speaker)
        return tuple(to) or (others if len(others) == 1 else (GROUP_LABEL[self.card.scenario],))


def _checked_words(text: str) -> str:
    if len(text) > MAX_TURN:
        raise RoomError(f"a turn has at most {MAX_TURN} characters, this one has {len(text)}; say it in parts")
    clean = _storable(text)
    if not clean:
        raise RoomError("an empty turn is not sent")
    return clean


def _storable(text: str) -> str:
    """Lone surrogates and NUL cannot be stored; what is stored is what is shown."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "").strip()


def _replies(before: Sequence[Event]) -> tuple[str, ...]:
    return tuple(str(event.body["text"]) for event in before if event.kind is Kind.REPLIED)[-RECENT_REPLIES:]


def _held(decision: DecisionRecord) -> Verdict:
    return Verdict(action="held", target=decision.target.best, strategy=decision.strategy.best, text="")
