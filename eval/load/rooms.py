"""Rooms in one process: the cost of a turn beside the engine's work, many rooms at once, a long one, a spammed one, a dead endpoint.

The engine is the majority baseline, which answers at once, and the guard has embedded the words before: what is measured is the graph,
the guard, the log and the lock.
"""

import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from eval.load.aims import at_least, at_most, p50, p95
from eval.load.talk import PEOPLE, Talk, known_words, opened, talk
from rescue_agent.engines.holding import HoldingEngine
from rescue_agent.engines.hybrid import Fallback
from rescue_agent.engines.llm.asking import Asker
from rescue_agent.engines.llm.endpoint import Endpoint
from rescue_agent.engines.llm.engine import JointEngine
from rescue_agent.engines.protocol import Engine

_ROOMS, _TURNS, _LONG, _ENDS = 20, 100, 500, 50
_CALM_TURNS, _CALM_PAUSE = 15, 1.0
_NOBODY: Final = "http://127.0.0.1:9/v1"
_CRISIS: Final = "I am going to kill myself tonight."


def report(engine: Engine) -> Iterator[str]:
    """The figures, a line each."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield _one_room(talk(engine, folder, _TURNS))
        yield from _many_rooms(engine, folder)
        yield _spammed(engine, folder)
        yield _dead_endpoint(folder)
    with tempfile.TemporaryDirectory() as name:
        yield _long_room(talk(engine, Path(name), _LONG))


def _one_room(done: Talk) -> str:
    seconds = list(done.seconds)
    return f"one room, {len(seconds)} turns, models aside: p50 {at_most(p50(seconds), 15, ' ms')}, p95 {at_most(p95(seconds), 40, ' ms')}"


def _many_rooms(engine: Engine, folder: Path) -> Iterator[str]:
    calm = _every(_at_once(engine, folder, _ROOMS, _CALM_TURNS, _CALM_PAUSE))
    yield f"{_ROOMS} rooms, {_CALM_PAUSE:.0f} s between turns: p50 {p50(calm):.1f} ms, p95 {at_most(p95(calm), 150, ' ms')}"
    before, started = _size(folder), time.perf_counter()
    done = _at_once(engine, folder, _ROOMS, _TURNS)
    taken, seconds = time.perf_counter() - started, _every(done)
    grown = _size(folder) - before - sum(room.stored for room in done)
    lost = sum(room.lost for room in done)
    yield f"{_ROOMS} rooms without a pause, {_TURNS} turns each: p50 {p50(seconds):.1f} ms, p95 {p95(seconds):.1f} ms"
    yield f"{at_least(len(seconds) / taken, 80, ' turns/s')} with the log on disk, {at_most(lost, 0, ' turns lost')}"
    yield f"disk: {at_most(grown / len(seconds), 2_000, ' bytes')} a turn beyond its text"


def _at_once(engine: Engine, folder: Path, rooms: int, turns: int, pause: float = 0.0) -> Sequence[Talk]:
    with ThreadPoolExecutor(rooms) as workers:
        return list(workers.map(lambda _: talk(engine, folder, turns, pause), range(rooms)))


def _every(done: Sequence[Talk]) -> list[float]:
    return [seconds for room in done for seconds in room.seconds]


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("rooms.sqlite*"))


def _spammed(engine: Engine, folder: Path) -> str:
    """What another room's spam does to four calm ones (F22); without the page's pace, which would refuse it."""
    calm = p95(_every(_at_once(engine, folder, 4, _TURNS)))
    with _spam(engine, folder):
        beside = p95(_every(_at_once(engine, folder, 4, _TURNS)))
    return f"4 rooms beside one that is spammed: p95 {beside:.1f} ms, {at_most(beside / calm, 2, ' times')} that without the spam"


@contextmanager
def _spam(engine: Engine, folder: Path) -> Iterator[None]:
    room, over = opened(engine, folder), threading.Event()

    def shout() -> None:
        turn = 0
        while not over.is_set():
            room.say(PEOPLE[0], known_words()[0], f"spam{turn}")
            turn += 1

    thread = threading.Thread(target=shout)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _dead_endpoint(folder: Path) -> str:
    engine = Fallback(JointEngine(Asker(Endpoint("nobody", _NOBODY, None, 1.0)), 20), HoldingEngine())
    room, started = opened(engine, folder), time.perf_counter()
    room.say(PEOPLE[0], _CRISIS, "m0")
    return f"the crisis route with the endpoint down: {at_most(time.perf_counter() - started, 1, ' s')}"


def _long_room(done: Talk) -> str:
    early, late = p95(list(done.seconds[:_ENDS])), p95(list(done.seconds[-_ENDS:]))
    return (
        f"a room of {_LONG} turns: p95 {early:.1f} ms in its first {_ENDS}, {late:.1f} in its last: {at_most(late / early, 1.5, ' times')}"
    )
