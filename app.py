"""The page: a room in which a couple or a family talks with the supporter. It wires rooms to rendering; both live elsewhere."""

import html
import logging
import re
import secrets
import threading
import webbrowser
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from ipaddress import ip_address
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final, TypeVar

import gradio as gr
import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.routing import Mount

from graphs.fairness import balance_note
from graphs.record import as_decided
from graphs.room import Room
from rescue_agent.corpus.rescue import write_episodes
from rescue_agent.engines.protocol import Engine
from rescue_agent.engines.registry import make_engine
from rescue_agent.errors import RescueError, RoomError, SettingsError
from rescue_agent.moment import Moment, Utterance
from rescue_agent.page.bubbles import STYLE, bubbles, private_lines
from rescue_agent.page.panel import panel
from rescue_agent.page.tabs_style import TABS_STYLE
from rescue_agent.redaction import where
from rescue_agent.rooms.log import RoomLog
from rescue_agent.rooms.pace import Pace
from rescue_agent.rooms.seats import Seat, Seats
from rescue_agent.safety.notices import FIRST_SCREEN, NoticeClock
from rescue_agent.safety.private import PrivateTalk
from rescue_agent.safety.resources import countries, help_text
from rescue_agent.settings import settings
from rescue_agent.tabs.language import language_choice
from rescue_agent.tabs.replay import replay_tab
from rescue_agent.tabs.scores import scores_tab
from rescue_agent.tabs.settings import settings_tab
from rescue_agent.taxonomy import Scenario

logger = logging.getLogger(__name__)
_EVENTS_AT_ONCE: Final = 20
_EVERY: Final = 1.0
"""Seconds between two looks at the log for what others have said."""
_SHARED, _OWN = "All on this device", "Each on their own device, with a link"
CONSENT: Final = (
    "I agree to talk with an AI here, and to what is said being stored on the computer that runs this page until the room is deleted."
)
ROOMS_AT_ONCE, ROOMS_A_SECOND = 40, 2.0
TURNS_AT_ONCE, TURNS_A_SECOND = 8, 1.0
"""What all browsers together may open, and one seat may say; more is refused at once, so that nobody waits behind it."""
GONE: Final = '<div class="room-log">This room was deleted.</div>'
T = TypeVar("T")


class Rooms:
    """The rooms of this process. A browser knows a room by its seat's token; who sits there is looked up, never taken from the browser."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.folder = settings().private_folder("rooms")
        self.log = RoomLog(self.folder / "rooms.sqlite")
        self.seats = Seats(self.log.path)
        self.notices: defaultdict[str, NoticeClock] = defaultdict(NoticeClock)
        self.private: defaultdict[str, PrivateTalk] = defaultdict(PrivateTalk)
        self._opening, self._saying = Pace(ROOMS_AT_ONCE, ROOMS_A_SECOND), Pace(TURNS_AT_ONCE, TURNS_A_SECOND)

    def create(self, scenario: str, names: str) -> Room:
        """A new room for the comma-separated `names`. Raises RoomError when too many are being opened."""
        if not self._opening.take(""):
            raise RoomError("too many rooms are being opened; try again in a moment")
        people = [name for name in names.split(",") if name.strip()]
        kind: Scenario = "family" if scenario == "family" else "couple"
        return Room.create(kind, people, log=self.log, engine=self.engine, folder=self.folder, window=settings().window)

    def open(self, room_id: str) -> Room:
        """The room of this id.

        Raises:
            RoomError: when there is none.
        """
        return Room.open(room_id, log=self.log, engine=self.engine, folder=self.folder, window=settings().window)

    def enter(self, token: str) -> tuple[Seat, Room]:
        """The seat of a token, and its room. Raises RoomError when there is none."""
        seat = self.seats.find(token)
        return seat, self.open(seat.room)

    def let_speak(self, token: str) -> None:
        """Let a seat say something. Raises RoomError when it goes too fast."""
        if not self._saying.take(token):
            raise RoomError("that was a lot at once; slow down a little, and send it again")

    def delete(self, token: str) -> None:
        """Delete the room of a seat, its seats and its private talks."""
        seat, room = self.enter(token)
        room.delete()
        self.seats.delete_room(seat.room)
        self.private.pop(token, None)


def shown(room: Room) -> tuple[str, str]:
    """The room as HTML: its bubbles, and what the supporter sees."""
    turns = [(turn.speaker, turn.text) for turn in room.transcript()]
    decisions = room.decisions()
    last = decisions[-1] if decisions else None
    held = last.intervene.reason if last and last.reply is None else None
    seen = panel(as_decided(last, alone=True), balance_note("supporter", room.balance())) if last else ""
    return bubbles(turns, room.card.participants, held), seen


def links(tokens: Mapping[str, str]) -> str:
    """A link for each participant, as HTML."""
    items = "".join(
        f'<li>{html.escape(name)}: <a href="/?seat={token}" target="_blank" rel="noopener">/?seat={token}</a></li>'
        for name, token in tokens.items()
    )
    return f"<p>Give each person their own link, and only that one. Whoever has it speaks as them.</p><ul>{items}</ul>"


def build_page(rooms: Rooms) -> gr.Blocks:
    """The page over `rooms`."""
    page: gr.Blocks = gr.Blocks(title="rescue-agent", analytics_enabled=False)
    with page, gr.Tabs() as tabs, gr.Tab("Room"):
        token, message_id, version = gr.Textbox(visible=False), gr.Textbox(visible=False), gr.Number(0, visible=False)
        gr.Markdown("# rescue-agent\n" + FIRST_SCREEN)
        with gr.Accordion("Help, right now", open=False):
            country = gr.Dropdown(countries(), label="Your country", value=None)
            resources = gr.Markdown(help_text(None))
            country.change(help_text, country, resources, api_visibility="private")
        with gr.Group() as entrance:
            scenario = gr.Radio(["couple", "family"], value="couple", label="Who is here?")
            names = gr.Textbox(label="Names, with commas between them", placeholder="Ada, Ben", max_length=400)
            devices = gr.Radio([_SHARED, _OWN], value=_SHARED, label="Where do you sit?")
            consent = gr.Checkbox(label=CONSENT)
            enter = gr.Button("Open the room", variant="primary")
        invitations = gr.HTML()
        with gr.Group(visible=False) as door:
            whose = gr.Markdown()
            agreed = gr.Checkbox(label=CONSENT)
            sit = gr.Button("Come in", variant="primary")
        with gr.Group(visible=False) as inside:
            log = gr.HTML()
            speaker = gr.Radio([], label="Speaking now")
            text = gr.Textbox(label="What do you want to say?", lines=2, max_length=5000)
            with gr.Row():
                send = gr.Button("Say it", variant="primary")
                undo = gr.Button("Take back my last turn")
                erase = gr.Button("Erase all my words", variant="stop")
            with gr.Row():
                export = gr.DownloadButton("Export (RESCUE JSON)")
                delete = gr.Button("Delete the room", variant="stop")
            with gr.Accordion("What the supporter sees", open=False, visible=False) as insight:
                seen = gr.HTML()
        with gr.Accordion("Speak privately", open=False, visible=False) as aside:
            talk = gr.HTML()
            private_text = gr.Textbox(label="Only for this page", lines=2, max_length=5000)
            with gr.Row():
                private_send = gr.Button("Say it privately")
                flee = gr.Button("Leave quickly", variant="stop")

        room_view = [log, seen, version]

        def view(room: Room) -> tuple[str, str, int]:
            return *shown(room), rooms.log.last_seq(room.card.room_id)

        def seated(given: str) -> dict[Any, Any]:
            """Show the room to a seat."""
            seat, room = _or_message(lambda: rooms.enter(given))
            people = [seat.person] if seat.person else list(room.card.participants)
            drawn, sees, seq = view(room)
            return {
                token: given,
                message_id: secrets.token_hex(8),
                entrance: gr.update(visible=False),
                door: gr.update(visible=False),
                inside: gr.update(visible=True),
                insight: gr.update(visible=seat.role == "shared"),
                aside: gr.update(visible=seat.role == "participant"),
                speaker: gr.update(choices=people, value=people[0], visible=len(people) > 1),
                log: drawn,
                seen: sees,
                version: seq,
                talk: private_lines(rooms.private[given].lines) if seat.person else "",
            }

        everything = [token, message_id, entrance, door, inside, insight, aside, speaker, log, seen, version, talk, invitations, whose]

        def on_load(request: gr.Request) -> dict[Any, Any]:
            given = str(request.query_params.get("seat", ""))
            if not given:
                return {token: ""}
            seat, room = _or_message(lambda: rooms.enter(given))
            line = f"This is the seat of **{_md(seat.person)}**, in a room with {_md(', '.join(room.card.participants))}."
            return {token: given, entrance: gr.update(visible=False), door: gr.update(visible=True), whose: line}

        def on_sit(given: str, agreed: bool) -> dict[Any, Any]:
            _need(agreed)
            return seated(given)

        def on_enter(scenario: str, names: str, devices: str, consent: bool) -> dict[Any, Any]:
            _need(consent)
            room = _or_message(lambda: rooms.create(scenario, names))
            room_id = room.card.room_id
            if devices == _SHARED:
                return seated(rooms.seats.issue(room_id, "shared"))
            tokens = {name: rooms.seats.issue(room_id, "participant", name) for name in room.card.participants}
            return {entrance: gr.update(visible=False), invitations: links(tokens)}

        def on_say(given: str, name: str, words: str, message: str) -> Iterator[tuple[str, str, int, str, str]]:
            seat, room = _or_message(lambda: rooms.enter(given))
            who = _or_message(lambda: speaking(seat, name))
            _or_message(lambda: rooms.let_speak(given))
            said = _or_message(lambda: room.hear(who, words, message))
            yield *view(room), "", secrets.token_hex(8)
            _or_message(lambda: room.answer(said))
            if rooms.notices[given].due():
                gr.Info(FIRST_SCREEN)
            yield *view(room), "", secrets.token_hex(8)

        def on_undo(given: str, name: str) -> tuple[str, str, int]:
            seat, room = _or_message(lambda: rooms.enter(given))
            _or_message(lambda: room.undo(speaking(seat, name), secrets.token_hex(8)))
            return view(room)

        def on_erase(given: str, name: str) -> tuple[str, str, int]:
            seat, room = _or_message(lambda: rooms.enter(given))
            _or_message(lambda: room.erase_words(speaking(seat, name)))
            return view(room)

        def on_tick(given: str, known: float) -> tuple[Any, Any, Any]:
            if not given:
                return gr.skip(), gr.skip(), gr.skip()
            try:
                seat = rooms.seats.find(given)
                if rooms.log.last_seq(seat.room) == known:
                    return gr.skip(), gr.skip(), gr.skip()
                return view(rooms.open(seat.room))
            except RescueError:
                return GONE, "", -1

        def on_export(given: str) -> str:
            path = Path(mkdtemp(prefix="rescue-")) / "room.jsonl"
            write_episodes([_or_message(lambda: rooms.enter(given))[1].export()], path)
            return str(path)

        def on_delete(given: str) -> dict[Any, Any]:
            _or_message(lambda: rooms.delete(given))
            return {token: "", entrance: gr.update(visible=True), inside: gr.update(visible=False), log: "", seen: ""}

        def on_private(given: str, words: str) -> tuple[str, str]:
            seat = _or_message(lambda: rooms.seats.find(given))
            if not seat.person or not words.strip():
                raise gr.Error("Speaking privately needs a link of one's own.")
            rooms.private[given].say(words[:5000])
            return private_lines(rooms.private[given].lines), ""

        def on_flee(given: str) -> str:
            rooms.private.pop(given, None)
            return ""

        page.load(on_load, None, everything, api_visibility="private")
        enter.click(on_enter, [scenario, names, devices, consent], everything, api_visibility="private")
        sit.click(on_sit, [token, agreed], everything, api_visibility="private")
        saying = [*room_view, text, message_id]
        gr.on([send.click, text.submit], on_say, [token, speaker, text, message_id], saying, api_visibility="private")
        undo.click(on_undo, [token, speaker], room_view, api_visibility="private")
        erase.click(on_erase, [token, speaker], room_view, api_visibility="private")
        export.click(on_export, token, export, api_visibility="private")
        delete.click(on_delete, token, [token, entrance, inside, log, seen], api_visibility="private")
        gr.on([private_send.click, private_text.submit], on_private, [token, private_text], [talk, private_text], api_visibility="private")
        flee.click(on_flee, token, talk, js="(seat) => { window.location.replace('about:blank'); return seat; }", api_visibility="private")
        gr.Timer(_EVERY).tick(on_tick, [token, version], room_view, show_progress="hidden", api_visibility="private")
    with page, tabs:
        language = language_choice()
        with gr.Tab("Replay"):
            replay_tab(rooms.engine, language)
        with gr.Tab("Scores"):
            scores_tab(rooms.engine, language)
        with gr.Tab("Settings", render_children=True):
            settings_tab(rooms.engine, language, page)
    page.queue(max_size=100, default_concurrency_limit=_EVENTS_AT_ONCE)
    return page


def speaking(seat: Seat, name: str) -> str:
    """Who speaks: the person of the seat; on a shared device, who is chosen there. A name from another browser counts for nothing.

    Raises:
        RoomError: when a shared device names nobody.
    """
    if not (seat.person or name):
        raise RoomError("choose who is speaking")
    return seat.person or name


def _need(consent: bool) -> None:
    if not consent:
        raise gr.Error("Please agree first: everybody in the room should know what this is.")


def _md(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]()#+|>~!-])", r"\\\1", html.escape(text))


def _or_message(action: Callable[[], T]) -> T:
    """Do `action`; what a user can mend is shown as one line, anything else as an apology with nothing private in it."""
    try:
        return action()
    except RescueError as error:
        raise gr.Error(str(error)) from None
    except Exception as error:
        logger.error("a page event failed: %s", where(error))
        raise gr.Error("Something went wrong here. What was said before is safe; try again.") from None


def build_app(engine: Engine, password: str | None = None) -> FastAPI:
    """The web application: the page at `/`, and `/healthz`."""
    app = FastAPI(title="rescue-agent", docs_url=None, redoc_url=None, openapi_url=None)

    @app.get("/healthz")
    def healthz() -> dict[str, str]:
        return {"status": "ok"}

    auth = ("room", password) if password else None
    gr.mount_gradio_app(app, build_page(Rooms(engine)), path="/", auth=auth, css=STYLE + TABS_STYLE, max_file_size="2mb", show_error=False)
    for mounted in (route.app for route in app.routes if isinstance(route, Mount)):
        if isinstance(mounted, FastAPI):
            mounted.add_exception_handler(RequestValidationError, _unreadable)
    return app


def _unreadable(_: Request, __: Exception) -> JSONResponse:
    """The answer to a malformed request holds nothing of it: half a character pair could not even be encoded."""
    return JSONResponse({"detail": "this request cannot be read"}, status_code=422)


def serve(*, host: str, port: int, engine_name: str | None, password: str | None, open_browser: bool) -> None:
    """Load the engine and serve the page until Ctrl-C.

    Raises:
        SettingsError: when the address is not loopback and there is no password.
    """
    if not _is_loopback(host):
        if not password:
            raise SettingsError(f"--host {host}: people on the network could join; give --password, or stay on 127.0.0.1")
        logger.warning("listening on %s: whoever reaches this address and knows the password can open rooms", host)
    settings().llm_cache = "off"  # what people say in a room is kept in its log, and nowhere else
    engine = make_engine(engine_name or settings().engine)
    engine.recall(_WARM_UP)
    if open_browser:
        threading.Timer(1.0, webbrowser.open, [f"http://{host}:{port}/"]).start()
    uvicorn.run(build_app(engine, password), host=host, port=port, log_level="warning")


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


_WARM_UP: Final = Moment(scenario="couple", participants=("A", "B"), current=Utterance(speaker="A", text="Good evening."))
