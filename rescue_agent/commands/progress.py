"""What several commands show and read: progress on standard error when it is a terminal, and episodes from files."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import typer

from rescue_agent.schema import Episode

T = TypeVar("T")


def bar(items: Iterable[T], total: int, what: str) -> Iterable[T]:
    """`items`, with a progress bar on a terminal and without one in a pipe."""
    if not sys.stderr.isatty():
        return items
    from rich.console import Console
    from rich.progress import track

    return track(items, description=what, total=total, console=Console(stderr=True), transient=True)


def batches_bar(batches: Iterable[Sequence[T]], total: int) -> Iterable[Sequence[T]]:
    """A bar over batches, for the index."""
    return bar(batches, total, "writing the index")


def read_all(paths: Sequence[Path], strict: bool = False) -> list[Episode]:
    """The episodes of all files; what was mended and which lines were left out goes to standard error.

    Raises:
        InputError: when nothing can be read, or at the first bad line under `strict`.
    """
    from rescue_agent.corpus.rescue import read_episodes
    from rescue_agent.errors import InputError

    episodes: list[Episode] = []
    for path in paths:
        reading = read_episodes(path, strict=strict)
        for line in reading.summary():
            typer.echo(line, err=True)
        episodes += reading.episodes
    if not episodes:
        raise InputError(f"{', '.join(map(str, paths))}: no episode could be read")
    return episodes
