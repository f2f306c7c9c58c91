"""The Room tab: people come in, talk, correct what was read about them, and leave; the supporter answers or listens."""

import json
import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import fields
from functools import partial
from typing import Any, Final

import gradio as gr

from graphs.history import Snapshot
from graphs.room import Room
from rescue_agent.errors import RescueError
from rescue_agent.page.bubbles import gone, private_lines
from rescue_agent.page.tab_strings import LANGUAGES, Language, say
from rescue_agent.page.transcript import plain_markdown
from rescue_agent.rooms.seats import Seat
from rescue_agent.safety.notices import first_screen
from rescue_agent.tabs.events import QUIET, or_message
from rescue_agent.tabs.facilitating import Action, Facilitating, ProposalDesk, proposal_desk
from rescue_agent.tabs.language import follow, known_language
from rescue_agent.tabs.room_desk import Desk, devices, room_desk, scenarios
from rescue_agent.tabs.room_view import conversation, exports, invitations, may_look, reading, return_link
from rescue_agent.tabs.rooms import Rooms
from rescue_agent.tabs.seen import Seen, SeenDesk, seen_desk
from rescue_agent.taxonomy import GROUP_LABEL, SUPPORTER

EVENTS_AT_ONCE: Final = 20
_LOOK_EVERY: Final = 0.7
"""Seconds between two looks of a browser for what is new."""
_WHILE_WRITING: Final = 0.15
"""The same for the browser whose turn is being answered."""
Updates = dict[Any, Any]


class RoomTab:
    """The events of the tab. Everything a browser says is checked against its seat; what it sees is read from the log."""

    def __init__(self, rooms: Rooms, desk: Desk, side: gr.Column, seen: Seen, facilitating: Facilitating, host: str) -> None:
        self.rooms, self.desk, self.side, self.seen, self.facilitating, self.host = rooms, desk, side, seen, facilitating, host
        self._nothing_new: Updates = {desk.version: gr.skip()}
        self._answering = ThreadPoolExecutor(EVENTS_AT_ONCE, thread_name_prefix="answer")

    # Coming in ------------------------------------------------------------------------------------------------------

    def on_load(self, request: gr.Request) -> Updates:
        """Show whose seat a link opens; the entrance where there is none."""
        token, desk = str(request.query_params.get("seat", "")), self.desk
        if not token:
            return {desk.token: ""}
        seat, room = or_message(lambda: self.rooms.look(token))
        return {
            desk.token: token,
            desk.entrance: gr.update(visible=False),
            desk.door: gr.update(visible=True),
            desk.whose: _whose(seat, room, "en"),
        }

    def on_open(
        self,
        scenario: str,
        names: str,
        shared: bool,
        facilitator: str | None,
        open_panel: bool | None,
        agreed: bool,
        language: str,
        request: gr.Request,
    ) -> Updates:
        """Open a new room: go in on a shared device, or give the links out."""
        words = known_language(language)
        _need(agreed, words)
        room = or_message(lambda: self.rooms.create(scenario, names, facilitator=facilitator, open_panel=open_panel))
        tokens, base = self.rooms.invite(room, shared=shared), str(request.headers.get("origin", ""))
        if list(tokens) == [""]:
            return {**self.seated(tokens[""], words), self.desk.links: return_link(tokens[""], base, words)}
        return {self.desk.entrance: gr.update(visible=False), self.desk.links: invitations(tokens, room.card, base, words)}

    def on_sit(self, token: str, agreed: bool, language: str) -> Updates:
        """Take the seat of a link."""
        _need(agreed, known_language(language))
        return self.seated(token, known_language(language))

    def seated(self, token: str, language: Language) -> Updates:
        """The room as its seat sees it first."""
        seat, room = or_message(lambda: self.rooms.enter(token))
        desk, people = self.desk, [seat.person] if seat.person else list(room.card.participants)
        return {
            desk.token: token,
            desk.message_id: secrets.token_hex(8),
            desk.entrance: gr.update(visible=False),
            desk.door: gr.update(visible=False),
            desk.inside: gr.update(visible=True),
            desk.speaking: gr.update(visible=seat.role != "facilitator"),
            desk.aside: gr.update(visible=seat.role == "participant"),
            desk.speaker: gr.update(choices=people, value=people[0], visible=len(people) > 1),
            desk.to: _addressees(room, people[0], language),
            desk.exports: exports(token, language),
            desk.talk: private_lines(self.rooms.private[token].lines, language) if seat.role == "participant" else "",
            **self.drawn(seat, room, people[0], -1, language),
        }

    # What is seen ---------------------------------------------------------------------------------------------------

    def drawn(self, seat: Seat, room: Room, speaker: str, proposal: float, language: Language) -> Updates:
        """The room as a seat sees it now."""
        version, seen = self.rooms.version(seat.room), room.snapshot()
        person = seat.person or speaker
        return {
            self.desk.version: version,
            self.desk.log: conversation(room.card, seen, self.rooms.live[seat.room], language),
            self.desk.read: reading(seen, person, language) if seat.role != "facilitator" else "",
            **self._panels(seat, room, seen, proposal, language),
        }

    def _panels(self, seat: Seat, room: Room, seen: Snapshot, proposal: float, language: Language) -> Updates:
        facilitates, looks = seat.role == "facilitator", may_look(seat, room.card, seen)
        return {
            self.side: gr.update(visible=facilitates or room.card.open_panel),
            **(self.facilitating.drawn(room, proposal, language) if facilitates else self.facilitating.hidden()),
            **(self.seen.drawn(room, seen, language) if looks else self.seen.hidden(paused=room.card.open_panel, language=language)),
        }

    def on_tick(self, token: str, known: str, speaker: str, proposal: float, language: str) -> Updates:
        """Look for what is new; nothing is waited for."""
        if not (token and known):
            return self._nothing_new
        try:
            room_id = self.rooms.seats.find(token).room
            if self.rooms.version(room_id) == known:
                return self._nothing_new
            return self.drawn(*self.rooms.look(token), speaker, proposal, known_language(language))
        except RescueError:
            return {self.desk.log: gone(known_language(language)), self.desk.speaking: gr.update(visible=False), self.desk.token: ""}

    def again(self, token: str, known: str, speaker: str, proposal: float, language: str) -> Updates:
        """The same in another language, or for another speaker."""
        words = known_language(language)
        if not token:
            return self._nothing_new
        seat, room = or_message(lambda: self.rooms.look(token))
        person = seat.person or speaker
        if not known:
            return {self.desk.whose: _whose(seat, room, words)}
        return {
            self.desk.to: _addressees(room, person, words),
            self.desk.exports: exports(token, words),
            **self.drawn(seat, room, person, proposal, words),
        }

    # What people do -------------------------------------------------------------------------------------------------

    def on_say(self, token: str, name: str, to: str, text: str, message: str, proposal: float, language: str) -> Iterator[Updates]:
        """Say something: it is there at once, and the reply appears while it is being written."""
        words = known_language(language)
        seat, room = or_message(lambda: self.rooms.look(token))
        or_message(lambda: self.rooms.let_speak(token))
        said = or_message(lambda: room.hear(seat.speaks_as(name), text, message, [to] if to else ()))
        sent = {self.desk.text: "", self.desk.message_id: secrets.token_hex(8)}
        answering = self._answering.submit(self.rooms.answer, room, said)
        yield {**self.drawn(seat, room, name, proposal, words), **sent}
        yield from self._while_written(answering, seat, room, words)
        or_message(answering.result)
        if self.rooms.notices[token].due():
            gr.Info(first_screen(words, self.host))
        yield self.drawn(seat, room, name, proposal, words)

    def _while_written(self, answering: Future[None], seat: Seat, room: Room, language: Language) -> Iterator[Updates]:
        known = ""
        while not _is_done(answering):
            version, known = known, self.rooms.version(seat.room)
            if version != known:
                yield {self.desk.log: conversation(room.card, room.snapshot(), self.rooms.live[seat.room], language)}

    def on_stop(self, token: str) -> None:
        """Stop the supporter: what it is writing is not said."""
        or_message(lambda: self.rooms.stop(token))

    def on_undo(self, token: str, name: str, proposal: float, language: str) -> Updates:
        """Take back the last turn of whoever speaks from this seat."""
        return self._done(token, name, proposal, language, lambda seat, room: room.undo(seat.speaks_as(name), secrets.token_hex(8)))

    def on_erase(self, token: str, name: str, proposal: float, language: str) -> Updates:
        """Erase everything that whoever speaks from this seat has said."""
        return self._done(token, name, proposal, language, lambda seat, room: room.erase_words(seat.speaks_as(name)))

    def on_correct(self, token: str, name: str, felt: str, strongly: float, proposal: float, language: str) -> Updates:
        """Take a person's word for what they felt in their last turn."""

        def correct(seat: Seat, room: Room) -> None:
            room.correct(seat.speaks_as(name), felt, strongly, secrets.token_hex(8))

        return {**self._done(token, name, proposal, language, correct), self.desk.felt: ""}

    def on_leave(self, token: str, name: str, proposal: float, language: str) -> Updates:
        """Leave; on a shared device, one of the people there leaves and the others go on."""
        updates = self._done(token, name, proposal, language, lambda seat, room: room.leave(seat.speaks_as(name)))
        if not token or self.rooms.seats.find(token).role == "shared":
            return updates
        return self._outside(say("room.goodbye", known_language(language)))

    def on_delete(self, token: str, language: str) -> Updates:
        """Delete the room."""
        if not token:
            return self._nothing_new
        or_message(lambda: self.rooms.delete(token))
        return self._outside(say("room.gone", known_language(language)))

    def _done(self, token: str, name: str, proposal: float, language: str, action: Callable[[Seat, Room], None]) -> Updates:
        """Do something in the room; without a token the browser's own question was answered with no."""
        if not token:
            return self._nothing_new
        seat, room = or_message(lambda: self.rooms.look(token))
        or_message(lambda: action(seat, room))
        return self.drawn(seat, room, name, proposal, known_language(language))

    def _outside(self, told: str) -> Updates:
        desk = self.desk
        return {
            desk.token: "",
            desk.version: "",
            desk.entrance: gr.update(visible=True),
            desk.inside: gr.update(visible=False),
            desk.aside: gr.update(visible=False),
            self.side: gr.update(visible=False),
            desk.log: "",
            desk.talk: "",
            desk.links: f'<p class="notice" role="status">{told}</p>',
        }

    # In private -----------------------------------------------------------------------------------------------------

    def on_private(self, token: str, text: str, language: str) -> tuple[str, str]:
        """Say something that stays on this page."""
        seat = or_message(lambda: self.rooms.seats.find(token))
        if seat.role != "participant" or not text.strip():
            raise gr.Error(say("private.needs_seat", known_language(language)))
        talk = self.rooms.private[token]
        talk.say(text[:5000])
        return private_lines(talk.lines, known_language(language)), ""

    def on_flee(self, token: str) -> str:
        """Forget the private talk; the browser has gone elsewhere by then."""
        self.rooms.private.pop(token, None)
        return ""


def _is_done(answering: Future[None]) -> bool:
    """Whether an answer is there after a short wait."""
    return bool(wait([answering], _WHILE_WRITING).done)


def _need(agreed: bool, language: Language) -> None:
    if not agreed:
        raise gr.Error(say("room.agree_first", language))


def _whose(seat: Seat, room: Room, language: Language) -> str:
    """Whose seat this is, and who facilitates, as Markdown."""
    names = plain_markdown(", ".join(room.card.participants))
    key = "room.seat" if seat.person else "room.seat_shared"
    line = say(key, language, name=plain_markdown(seat.person), names=names)
    if not room.card.facilitator:
        return line
    return f"{line} {say('room.facilitated_consent', language, name=plain_markdown(room.card.facilitator))}"


def _addressees(room: Room, speaker: str, language: Language) -> dict[str, Any]:
    """Whom `speaker` may address; whoever is meant, at first."""
    others = [(name, name) for name in room.card.participants if name != speaker]
    group = [(say("room.to_all", language), GROUP_LABEL[room.card.scenario])]
    choices = [(say("room.to_any", language), ""), *others, *group, (say("room.to_supporter", language), SUPPORTER)]
    updated: dict[str, Any] = gr.update(choices=choices, value="")
    return updated


def room_tab(rooms: Rooms, language: gr.Radio, page: gr.Blocks, host: str) -> None:
    """The tab, inside the Blocks context of `page`; its texts follow `language`. `host` is where what is said is sent."""
    with gr.Row():
        with gr.Column(scale=3, min_width=320):
            desk = room_desk()
        with gr.Column(scale=2, min_width=320, visible=False) as side:
            proposal, panel = proposal_desk(), seen_desk()
    tab = RoomTab(rooms, desk, side, Seen(rooms.engine, panel), Facilitating(rooms, proposal), host)
    everything = [side, *_parts(desk), *_parts(proposal), *_parts(panel)]
    known = [desk.speaker, proposal.seq, language]
    asked = [desk.token, *known]
    _coming_in(tab, page, everything, language)
    _talking(tab, everything, asked)
    _facilitating(tab, everything, asked)
    _in_private(tab, language)
    tick = gr.Timer(_LOOK_EVERY).tick
    tick(tab.on_tick, [desk.token, desk.version, *known], everything, **QUIET)
    for change in (language.change, desk.speaker.input):
        change(tab.again, [desk.token, desk.version, *known], everything, **QUIET)
    follow(language, [*desk.labels(), *proposal.labels(), (panel.panel, "label", "seen.title")])


def _parts(desk: Desk | ProposalDesk | SeenDesk) -> list[Any]:
    return [getattr(desk, field.name) for field in fields(desk)]


def _coming_in(tab: RoomTab, page: gr.Blocks, everything: list[Any], language: gr.Radio) -> None:
    desk = tab.desk
    chosen = [desk.scenario, desk.names, desk.shared, desk.facilitator, desk.open_panel, desk.consent, language]
    page.load(tab.on_load, None, everything, **QUIET)
    desk.open.click(tab.on_open, chosen, everything, **QUIET)
    desk.sit.click(tab.on_sit, [desk.token, desk.agreed, language], everything, **QUIET)
    language.change(lambda given: _choices(known_language(given)), language, [desk.scenario, desk.shared], **QUIET)


def _choices(language: Language) -> tuple[Any, Any]:
    return gr.update(choices=scenarios(language)), gr.update(choices=devices(language))


def _talking(tab: RoomTab, everything: list[Any], asked: list[Any]) -> None:
    desk = tab.desk
    token, speaker, proposal, language = asked
    saying = [token, speaker, desk.to, desk.text, desk.message_id, proposal, language]
    gr.on([desk.say.click, desk.text.submit], tab.on_say, saying, everything, **QUIET)
    desk.stop.click(tab.on_stop, token, None, **QUIET)
    desk.undo.click(tab.on_undo, asked, everything, **QUIET)
    desk.correct.click(tab.on_correct, [token, speaker, desk.felt, desk.strongly, proposal, language], everything, **QUIET)
    desk.erase.click(tab.on_erase, asked, everything, js=_sure("room.sure_erase"), **QUIET)
    desk.leave.click(tab.on_leave, asked, everything, js=_sure("room.sure_leave"), **QUIET)
    desk.delete.click(tab.on_delete, [token, language], everything, js=_sure("room.sure_delete"), **QUIET)


def _sure(key: str) -> str:
    """JavaScript that asks before what cannot be undone: on a no, the event goes on without its token and does nothing."""
    asked = json.dumps({language: say(key, language) for language in LANGUAGES})
    return f"(...given) => confirm(({asked})[given.at(-1)] ?? ({asked}).en) ? given : ['', ...given.slice(1)]"


def _facilitating(tab: RoomTab, everything: list[Any], asked: list[Any]) -> None:
    desk = tab.facilitating.desk
    token, speaker, proposal, language = asked
    given = [token, proposal, desk.words, desk.target, desk.strategy, language]
    actions: dict[gr.Button, Action] = {desk.approve: "approved", desk.edit: "edited", desk.hold: "held"}
    for button, action in actions.items():
        settled = button.click(partial(tab.facilitating.settle, action), given, None, **QUIET)
        settled.success(tab.again, [token, tab.desk.version, speaker, proposal, language], everything, **QUIET)


def _in_private(tab: RoomTab, language: gr.Radio) -> None:
    desk = tab.desk
    given = [desk.token, desk.private_text, language]
    gr.on([desk.private_say.click, desk.private_text.submit], tab.on_private, given, [desk.talk, desk.private_text], **QUIET)
    desk.flee.click(tab.on_flee, desk.token, desk.talk, js="(seat) => { window.location.replace('about:blank'); return seat; }", **QUIET)
