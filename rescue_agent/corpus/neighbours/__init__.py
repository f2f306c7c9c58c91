"""Readers of neighbouring public formats: what a format doesn't know stays empty, its own labels go to `meta`."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from rescue_agent.corpus.neighbours import esconv, meld, mpdd, persona_conflicts
from rescue_agent.schema import Episode

READERS: Final[dict[str, Callable[[Path], list[Episode]]]] = {
    "esconv": esconv.read,
    "meld": meld.read,
    "mpdd": mpdd.read,
    "persona-conflicts": persona_conflicts.read,
}
