"""The page: a room in which a couple or a family talks with the supporter. It wires rooms to rendering; both live elsewhere."""

import logging
import secrets
import threading
import webbrowser
from collections import defaultdict
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final, TypeVar

import gradio as gr
import uvicorn
from fastapi import FastAPI

from graphs.record import as_decided
from graphs.room import Room
from rescue_agent.corpus.rescue import write_episodes
from rescue_agent.engines.protocol import Engine
from rescue_agent.engines.registry import make_engine
from rescue_agent.errors import RescueError, SettingsError
from rescue_agent.moment import Moment, Utterance
from rescue_agent.page.bubbles import STYLE, bubbles
from rescue_agent.page.panel import panel
from rescue_agent.rooms.log import RoomLog
from rescue_agent.safety.notices import FIRST_SCREEN, NoticeClock
from rescue_agent.safety.resources import countries, help_text
from rescue_agent.settings import settings
from rescue_agent.taxonomy import Scenario

logger = logging.getLogger(__name__)
_EVENTS_AT_ONCE: Final = 20
T = TypeVar("T")


class Rooms:
    """The rooms of this process. A room is known to a browser only by its unguessable id; everything else is read from the log."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.folder = settings().private_folder("rooms")
        self.log = RoomLog(self.folder / "rooms.sqlite")
        self.notices: defaultdict[str, NoticeClock] = defaultdict(NoticeClock)

    def create(self, scenario: str, names: str) -> Room:
        """A new room for the comma-separated `names`."""
        people = [name for name in names.split(",") if name.strip()]
        kind: Scenario = "family" if scenario == "family" else "couple"
        return Room.create(kind, people, log=self.log, engine=self.engine, folder=self.folder, window=settings().window)

    def open(self, room_id: str) -> Room:
        """The room of this id.

        Raises:
            RoomError: when there is none.
        """
        return Room.open(room_id, log=self.log, engine=self.engine, folder=self.folder, window=settings().window)


def shown(room: Room) -> tuple[str, str]:
    """The room as HTML: its bubbles, and what the supporter sees."""
    turns = [(turn.speaker, turn.text) for turn in room.transcript()]
    decisions = room.decisions()
    last = decisions[-1] if decisions else None
    held = last.intervene.reason if last and last.reply is None else None
    return bubbles(turns, room.card.participants, held), panel(as_decided(last, alone=True)) if last else ""


def build_page(rooms: Rooms) -> gr.Blocks:
    """The page over `rooms`."""
    page: gr.Blocks = gr.Blocks(title="rescue-agent", analytics_enabled=False)
    with page:
        room_id = gr.State("")
        gr.Markdown("# rescue-agent\n" + FIRST_SCREEN)
        with gr.Accordion("Help, right now", open=False):
            country = gr.Dropdown(countries(), label="Your country", value=None)
            resources = gr.Markdown(help_text(None))
            country.change(help_text, country, resources, api_visibility="private")
        with gr.Group() as entrance:
            scenario = gr.Radio(["couple", "family"], value="couple", label="Who is here?")
            names = gr.Textbox(label="Names, with commas between them", placeholder="Ada, Ben", max_length=400)
            consent = gr.Checkbox(
                label="Everybody here agrees to talk with an AI, and to this talk being stored on this computer until you delete the room."
            )
            enter = gr.Button("Open the room", variant="primary")
        with gr.Group(visible=False) as inside:
            log = gr.HTML()
            speaker = gr.Radio([], label="Speaking now")
            text = gr.Textbox(label="What do you want to say?", lines=2, max_length=5000)
            with gr.Row():
                send = gr.Button("Say it", variant="primary")
                undo = gr.Button("Take back my last turn")
                export = gr.DownloadButton("Export (RESCUE JSON)")
                delete = gr.Button("Delete the room", variant="stop")
            with gr.Accordion("What the supporter sees", open=False):
                seen = gr.HTML()

        def on_enter(scenario: str, names: str, consent: bool) -> dict[Any, Any]:
            if not consent:
                raise gr.Error("Please agree first: everybody in the room should know what this is.")
            room = _or_message(lambda: rooms.create(scenario, names))
            people = list(room.card.participants)
            return {
                room_id: room.card.room_id,
                entrance: gr.update(visible=False),
                inside: gr.update(visible=True),
                speaker: gr.update(choices=people, value=people[0]),
                log: shown(room)[0],
            }

        def on_say(room_id: str, speaker: str, text: str) -> tuple[str, str, str]:
            room = _or_message(lambda: rooms.open(room_id))
            _or_message(lambda: room.say(speaker, text, secrets.token_hex(8)))
            if rooms.notices[room_id].due():
                gr.Info(FIRST_SCREEN)
            return *shown(room), ""

        def on_undo(room_id: str, speaker: str) -> tuple[str, str]:
            room = _or_message(lambda: rooms.open(room_id))
            _or_message(lambda: room.undo(speaker, secrets.token_hex(8)))
            return shown(room)

        def on_export(room_id: str) -> str:
            path = Path(mkdtemp(prefix="rescue-")) / "room.jsonl"
            write_episodes([_or_message(lambda: rooms.open(room_id)).export()], path)
            return str(path)

        def on_delete(room_id: str) -> dict[Any, Any]:
            _or_message(lambda: rooms.open(room_id)).delete()
            return {entrance: gr.update(visible=True), inside: gr.update(visible=False), log: "", seen: ""}

        enter.click(on_enter, [scenario, names, consent], [room_id, entrance, inside, speaker, log], api_visibility="private")
        gr.on([send.click, text.submit], on_say, [room_id, speaker, text], [log, seen, text], api_visibility="private")
        undo.click(on_undo, [room_id, speaker], [log, seen], api_visibility="private")
        export.click(on_export, room_id, export, api_visibility="private")
        delete.click(on_delete, room_id, [entrance, inside, log, seen], api_visibility="private")
    page.queue(max_size=100, default_concurrency_limit=_EVENTS_AT_ONCE)
    return page


def _or_message(action: Callable[[], T]) -> T:
    """Do `action`; what a user can mend is shown as one line, anything else as an apology with nothing private in it."""
    try:
        return action()
    except RescueError as error:
        raise gr.Error(str(error)) from None
    except Exception:
        logger.exception("a page event failed")
        raise gr.Error("Something went wrong here. What was said before is safe; try again.") from None


def build_app(engine: Engine, password: str | None = None) -> FastAPI:
    """The web application: the page at `/`, and `/healthz`."""
    app = FastAPI(title="rescue-agent", docs_url=None, redoc_url=None, openapi_url=None)

    @app.get("/healthz")
    def healthz() -> dict[str, str]:
        return {"status": "ok"}

    auth = ("room", password) if password else None
    gr.mount_gradio_app(app, build_page(Rooms(engine)), path="/", auth=auth, css=STYLE, max_file_size="2mb", show_error=False)
    return app


def serve(*, host: str, port: int, engine_name: str | None, password: str | None, open_browser: bool) -> None:
    """Load the engine and serve the page until Ctrl-C.

    Raises:
        SettingsError: when the address is not loopback and there is no password.
    """
    if not _is_loopback(host):
        if not password:
            raise SettingsError(f"--host {host}: people on the network could join; give --password, or stay on 127.0.0.1")
        logger.warning("listening on %s: whoever reaches this address and knows the password can open rooms", host)
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
