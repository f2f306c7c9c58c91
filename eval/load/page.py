"""The page's path: browsers that say something over Gradio's own requests, and wait until the supporter is done with it.

The page runs in a process of its own, as it does for people. Every seat keeps to the page's pace, so that many rooms say a little each.
"""

import os
import secrets
import socket
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

import httpx
import uvicorn

from app import build_app
from eval.load.aims import at_least, at_most, p50, p95
from eval.load.talk import PEOPLE, known_words, words
from rescue_agent.engines.registry import make_engine
from rescue_agent.rooms.log import Kind, RoomLog
from rescue_agent.tabs.rooms import ROOMS_AT_ONCE, TURNS_AT_ONCE, Rooms

_BROWSERS: Final = 20
_TIMEOUT: Final = 60.0


@dataclass(frozen=True)
class _Opened:
    """Where the page is, and the shared seat of each of its rooms by the room's id."""

    url: str
    seats: Mapping[str, str]


def report() -> Iterator[str]:
    """The figures, a line each."""
    words()  # read before the clock runs
    with tempfile.TemporaryDirectory() as name, _served(Path(name)) as opened:
        started = time.perf_counter()
        seconds = _turns(opened)
        rate = len(seconds) / (time.perf_counter() - started)
        lost = len(opened.seats) * TURNS_AT_ONCE - _kept(Path(name), opened.seats)
    yield f"the page, {_BROWSERS} browsers, {len(opened.seats)} rooms: {at_least(rate, 40, ' turns/s')}, {at_most(lost, 0, ' turns lost')}"
    yield f"a turn over the page at that load: p50 {p50(seconds):.0f} ms, p95 {p95(seconds):.0f} ms"


def _turns(opened: _Opened) -> list[float]:
    with ThreadPoolExecutor(_BROWSERS) as workers:
        rooms = workers.map(lambda seat: list(_Browser(opened.url).talk(seat)), opened.seats.values())
        return [seconds for room in rooms for seconds in room]


def _kept(folder: Path, rooms: Iterable[str]) -> int:
    """How many turns are in the log."""
    log = RoomLog(folder / "rooms" / "rooms.sqlite")
    return sum(event.kind is Kind.SAID for room in rooms for event in log.events(room))


@contextmanager
def _served(folder: Path) -> Iterator[_Opened]:
    processes = get_context("spawn")
    there, here = processes.Pipe()
    page = processes.Process(target=_serve, args=(folder, there), daemon=True)
    page.start()
    try:
        opened: _Opened = here.recv()
        _wait_for(opened.url)
        yield opened
    finally:
        page.terminate()
        page.join()


def _wait_for(url: str) -> None:
    while True:
        try:
            httpx.get(f"{url}/healthz")
            return
        except httpx.TransportError:
            time.sleep(0.1)


class _Browser:
    """What a browser sends when somebody presses a button of the room."""

    def __init__(self, url: str) -> None:
        self._http, self._session = httpx.Client(base_url=url, timeout=_TIMEOUT), secrets.token_hex(5)
        self._page = self._http.get("/config").json()

    def talk(self, token: str) -> Iterator[float]:
        """Take a seat; seconds from sending each of its turns until the page has shown all there is to it."""
        self._press("Come in", [token, True, "en"])
        for i in range(TURNS_AT_ONCE):
            started = time.perf_counter()
            self._press("Say it", [token, PEOPLE[i % 2], "", words()[i], f"m{i}", -1, "en"])
            yield time.perf_counter() - started

    def _press(self, label: str, data: list[Any]) -> None:
        button = next(part["id"] for part in self._page["components"] if part["props"].get("value") == label)
        event = next(event["id"] for event in self._page["dependencies"] if [button, "click"] in event["targets"])
        asked = {"data": data, "fn_index": event, "session_hash": self._session, "trigger_id": button}
        self._http.post("/gradio_api/queue/join", json=asked).raise_for_status()
        with self._http.stream("GET", "/gradio_api/queue/data", params={"session_hash": self._session}) as lines:
            for line in lines.iter_lines():
                if '"process_completed"' in line:
                    return


def _serve(folder: Path, opened: Connection) -> None:
    """Serve the page on a free port, with rooms in it; say where, and which there are."""
    os.environ["RESCUE_DATA_DIR"] = str(folder)
    engine, _ = make_engine("majority"), known_words()
    rooms = Rooms(engine)
    made = [rooms.create("couple", ", ".join(PEOPLE)) for _ in range(ROOMS_AT_ONCE)]
    free = socket.socket()
    free.bind(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{free.getsockname()[1]}"
    opened.send(_Opened(url, {room.card.room_id: rooms.invite(room, shared=True)[""] for room in made}))
    uvicorn.Server(uvicorn.Config(build_app(engine), log_level="error")).run(sockets=[free])
