"""`make soak`: open rooms and talk in them for ten minutes; the memory each minute, and its slope."""

import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import linear_regression
from typing import Final

from eval.load.memory import rss
from eval.load.talk import talk
from rescue_agent.engines.protocol import Engine
from rescue_agent.engines.registry import make_engine

_MINUTES: Final = 10.0
_TURNS: Final = 30


def _minutes(engine: Engine, folder: Path, minutes: float) -> Iterator[tuple[float, float, int]]:
    """After each minute: which it is, the memory in MB, and the turns said so far."""
    started, said = time.monotonic(), 0
    for minute in range(1, int(minutes) + 1):
        while time.monotonic() < started + 60 * minute:
            said += len(talk(engine, folder, _TURNS).seconds)
        yield (time.monotonic() - started) / 60, rss(), said


def main(minutes: float = _MINUTES) -> None:
    """Print the memory each minute, and the slope after the first."""
    measured = []
    with tempfile.TemporaryDirectory() as name:
        for at, size, said in _minutes(make_engine("embedded"), Path(name), minutes):
            sys.stdout.write(f"minute {at:.1f}: {size:.0f} MB, {said} turns in {said // _TURNS} rooms\n")
            sys.stdout.flush()
            measured.append((at, size))
    if len(measured) > 2:
        slope = linear_regression(*zip(*measured[1:], strict=True)).slope
        sys.stdout.write(f"slope after the first minute: {slope:.2f} MB a minute\n")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else _MINUTES)
