"""The page: a room in which a couple or a family talks with the supporter. It wires rooms to rendering; both live elsewhere."""

import logging
import threading
import webbrowser
from ipaddress import ip_address
from typing import Final

import gradio as gr
import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.routing import Mount

from rescue_agent.engines.llm.connect import sent_to
from rescue_agent.engines.protocol import Engine
from rescue_agent.engines.registry import make_engine
from rescue_agent.errors import RoomError, SettingsError
from rescue_agent.moment import Moment, Utterance
from rescue_agent.page.bubbles import STYLE
from rescue_agent.page.tab_strings import say
from rescue_agent.page.tabs_style import TABS_STYLE
from rescue_agent.settings import settings
from rescue_agent.tabs.help import help_above
from rescue_agent.tabs.language import follow, language_choice
from rescue_agent.tabs.replay import replay_tab
from rescue_agent.tabs.room import EVENTS_AT_ONCE, room_tab
from rescue_agent.tabs.room_view import EXPORTS, exported
from rescue_agent.tabs.rooms import Rooms
from rescue_agent.tabs.scores import scores_tab
from rescue_agent.tabs.settings import settings_tab
from rescue_agent.tabs.theme import theme

logger = logging.getLogger(__name__)


def build_page(rooms: Rooms) -> gr.Blocks:
    """The page over `rooms`."""
    page: gr.Blocks = gr.Blocks(title="rescue-agent", analytics_enabled=False)
    host = sent_to(rooms.engine)
    with page:
        language = language_choice()
        help_now = help_above(language, host)
        with gr.Tabs():
            with gr.Tab(say("tab.room")) as room:
                room_tab(rooms, language, page, host)
            with gr.Tab(say("tab.replay")) as replay:
                replay_tab(rooms.engine, language)
            with gr.Tab(say("tab.scores")) as scores:
                scores_tab(rooms.engine, language)
            with gr.Tab(say("tab.settings"), render_children=True) as shown_settings:
                settings_tab(rooms.engine, language, page, help_now)
        tabs = {"room": room, "replay": replay, "scores": scores, "settings": shown_settings}
        follow(language, [(tab, "label", f"tab.{name}") for name, tab in tabs.items()])
    page.queue(max_size=100, default_concurrency_limit=EVENTS_AT_ONCE)
    return page


def build_app(engine: Engine, password: str | None = None) -> FastAPI:
    """The web application: the page at `/`, and `/healthz`."""
    app = FastAPI(title="rescue-agent", docs_url=None, redoc_url=None, openapi_url=None)

    @app.get("/healthz")
    def healthz() -> dict[str, str]:
        return {"status": "ok"}

    rooms = Rooms(engine)

    @app.get("/export/room.{kind}")
    def export(kind: str, seat: str = "") -> Response:
        try:
            sitting, room = rooms.look(seat)
            text = exported(sitting, room, kind) if kind in EXPORTS else None
        except RoomError as error:
            return PlainTextResponse(f"{error}\n", status_code=404)
        if text is None:
            return PlainTextResponse(f"rooms are exported as {', '.join(EXPORTS)}\n", status_code=404)
        headers = {"Content-Disposition": f'attachment; filename="room.{kind}"', "Cache-Control": "no-store"}
        return Response(text, media_type=f"{EXPORTS[kind][1]}; charset=utf-8", headers=headers)

    auth = ("room", password) if password else None
    gr.mount_gradio_app(
        app,
        build_page(rooms),
        path="/",
        auth=auth,
        theme=theme(),
        css=STYLE + TABS_STYLE,
        footer_links=[],
        run_history=False,
        max_file_size="2mb",
        show_error=False,
    )
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
