"""Load: what a room costs beside the engine's own work, and whether memory grows. `make bench` prints the figures, `make soak` runs on.

The engine is the majority baseline, which answers at once: what is measured is the graph, the log, and the lock.
"""

import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Final

from graphs.room import Room
from rescue_agent.corpus.splits import bundled_episodes
from rescue_agent.engines.protocol import Engine
from rescue_agent.engines.registry import make_engine
from rescue_agent.rooms.log import RoomLog

_ROOMS: Final = 20
_TURNS: Final = 100
_LONG: Final = 500
_SOAK_MINUTES: Final = 10


def _words() -> list[str]:
    return [row.dialogue_cleaned for episode in bundled_episodes("dev") for _, row in episode.client_rows()]


def turn_times(engine: Engine, folder: Path, turns: int, name: str = "a") -> Iterator[float]:
    """Seconds of each turn of one new room."""
    room = Room.create("couple", ["Orla", "Pavel"], log=RoomLog(folder / "rooms.sqlite"), engine=engine, folder=folder)
    words = _words()
    for i in range(turns):
        started = time.perf_counter()
        room.say(("Orla", "Pavel")[i % 2], words[i % len(words)], f"{name}{i}")
        yield time.perf_counter() - started


def report() -> Iterator[str]:
    """The load figures, a line each."""
    engine = make_engine("majority")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield f"one room, {_TURNS} turns, engine aside: {_spread(list(turn_times(engine, folder, _TURNS)))}"
        started = time.perf_counter()
        with ThreadPoolExecutor(_ROOMS) as workers:
            done = list(workers.map(lambda i: list(turn_times(engine, folder, _TURNS, f"r{i}-")), range(_ROOMS)))
        seconds = time.perf_counter() - started
        every = [t for times in done for t in times]
        yield f"{_ROOMS} rooms at once: {_spread(every)}, {len(every) / seconds:.0f} turns/s, {_ROOMS * _TURNS - len(every)} lost"
        size = sum(path.stat().st_size for path in folder.glob("rooms.sqlite*"))
        text = sum(len(word.encode()) for word in _words()) / len(_words())
        yield f"disk: {size / (len(every) + _TURNS) - text:.0f} bytes a turn beyond its text"
    with tempfile.TemporaryDirectory() as name:
        times = list(turn_times(engine, Path(name), _LONG))
        early, late = _p95(times[:50]), _p95(times[-50:])
        ratio = late / early
        yield f"a long room: p95 {early * 1000:.1f} ms in the first 50 turns, {late * 1000:.1f} ms in the last 50 ({ratio:.1f} times)"


def _p95(times: list[float]) -> float:
    return sorted(times)[int(0.95 * len(times))]


def _spread(times: list[float]) -> str:
    return f"p50 {median(times) * 1000:.1f} ms, p95 {_p95(times) * 1000:.1f} ms"


def soak(minutes: float = _SOAK_MINUTES) -> None:
    """Open rooms and talk in them for `minutes`, and print the memory each minute and its slope."""
    engine, end = make_engine("embedded"), time.monotonic() + minutes * 60
    sizes: list[tuple[float, float]] = []
    started = due = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        while time.monotonic() < end:
            turns = sum(1 for _ in turn_times(engine, Path(name), 30, f"s{len(sizes)}-{time.monotonic()}-"))
            if time.monotonic() >= due:
                due += 60
                sizes.append(((time.monotonic() - started) / 60, _rss()))
                sys.stdout.write(f"minute {sizes[-1][0]:.1f}: {sizes[-1][1]:.0f} MB (a room of {turns} turns done)\n")
                sys.stdout.flush()
    settled = sizes[1:] or sizes
    slope = (settled[-1][1] - settled[0][1]) / max(settled[-1][0] - settled[0][0], 1e-9)
    sys.stdout.write(f"slope after the first minute: {slope:.2f} MB a minute\n")


def _rss() -> float:
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    soak(float(sys.argv[1]) if len(sys.argv) > 1 else _SOAK_MINUTES)
