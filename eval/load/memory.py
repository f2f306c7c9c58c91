"""What rooms take beyond the embedding model: run as a process of its own, since memory that was used once stays with a process."""

import os
import resource
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from eval.load.aims import at_most
from eval.load.talk import PEOPLE, known_words, opened, talk, words
from rescue_agent.engines.protocol import Engine
from rescue_agent.engines.registry import make_engine

_IDLE, _ACTIVE, _TURNS = 100, 20, 20


def report() -> list[str]:
    """The figures, a line each, from a process of their own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(_measured).result()


def rss() -> float:
    """The memory of this process, in MB."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _measured() -> list[str]:
    with tempfile.TemporaryDirectory() as name:
        return list(_figures(Path(name)))


def _figures(folder: Path) -> Iterator[str]:
    said = known_words()
    model, started = rss(), time.perf_counter()
    engine = make_engine("embedded")
    opened(engine, folder).say(PEOPLE[0], said[0], "first")
    yield f"cold start, embedding model loaded, to the first answer: {at_most(time.perf_counter() - started, 5, ' s')}"
    _fill(engine, folder)
    beyond = at_most(rss() - model, 600, " MB")
    yield f"memory with {_IDLE} idle rooms and {_ACTIVE} active ones: {beyond} beyond the {model:.0f} MB of the model"


def _fill(engine: Engine, folder: Path) -> None:
    idle = [opened(engine, folder) for _ in range(_IDLE)]
    for room in idle:
        room.say(PEOPLE[0], words()[0], "m0")
    with ThreadPoolExecutor(_ACTIVE) as workers:
        list(workers.map(lambda _: talk(engine, folder, _TURNS), range(_ACTIVE)))
