"""The bundled open corpus and its fixed splits."""

import hashlib
import json
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

from rescue_agent.corpus.rescue import read_episodes
from rescue_agent.errors import InputError
from rescue_agent.schema import Episode

Split = Literal["train", "dev", "test"]
SPLITS: Final[tuple[Split, ...]] = ("train", "dev", "test")
OPEN: Final = Path(__file__).parent / "open"
"""Folder of the bundled corpus: screenplays/, the compiled open.jsonl, and splits.json."""
_DEV_FROM, _TEST_FROM = 0.70, 0.85


def split_of(group: str) -> Split:
    """The split of a group, by a hash of its name: 70 / 15 / 15 %, and no new group ever moves an old one."""
    place = int.from_bytes(hashlib.sha256(f"rescue-agent open corpus 1:{group}".encode()).digest()[:8]) / 2**64
    return "train" if place < _DEV_FROM else "dev" if place < _TEST_FROM else "test"


def assign(groups: Iterable[str]) -> dict[Split, list[str]]:
    """Split -> its groups, sorted: what splits.json holds."""
    names = sorted(set(groups))
    return {split: [name for name in names if split_of(name) == split] for split in SPLITS}


@lru_cache(maxsize=1)
def _bundled() -> tuple[Episode, ...]:
    return tuple(read_episodes(OPEN / "open.jsonl", strict=True).episodes)


@lru_cache(maxsize=1)
def _fixed() -> dict[str, list[str]]:
    return dict(json.loads((OPEN / "splits.json").read_text(encoding="utf-8")))


def bundled_episodes(split: Split | Literal["all"] = "all") -> list[Episode]:
    """The bundled episodes of a split, by sample_id.

    Raises:
        InputError: for a split that there is none of.
    """
    if split == "all":
        return list(_bundled())
    if split not in SPLITS:
        raise InputError(f"the open corpus has no split {split!r}; it has {', '.join(SPLITS)}")
    wanted = set(_fixed()[split])
    return [episode for episode in _bundled() if episode.group in wanted]


def named_episodes(name: str) -> list[Episode] | None:
    """The episodes of `open:train`, `open:dev`, `open:test` or `open:all`; None for a name that is no split of the bundled corpus.

    Raises:
        InputError: for another word behind `open:`.
    """
    if not name.startswith("open:"):
        return None
    known: tuple[Split | Literal["all"], ...] = (*SPLITS, "all")
    split = next((s for s in known if name == f"open:{s}"), None)
    if split is None:
        raise InputError(f"--data {name}: the bundled corpus has open:train, open:dev, open:test and open:all")
    return bundled_episodes(split)
