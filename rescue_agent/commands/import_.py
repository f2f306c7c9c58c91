"""`rescue-agent import`: neighbouring public formats into episodes."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Format(StrEnum):
    """The formats that can be read."""

    ESCONV = "esconv"
    MELD = "meld"
    MPDD = "mpdd"
    PERSONA_CONFLICTS = "persona-conflicts"


def import_(
    format_: Annotated[Format, typer.Argument(metavar="FORMAT", help="esconv, meld, mpdd or persona-conflicts.")],
    path: Annotated[Path, typer.Argument(help="The file or folder as it was published.")],
    out: Annotated[Path, typer.Option(help="The RESCUE JSONL to write.")],
) -> None:
    """Turn a neighbouring public format into episodes; its own labels are kept in `meta`, what it doesn't know stays empty."""
    from rescue_agent.corpus.neighbours import READERS
    from rescue_agent.corpus.rescue import write_episodes
    from rescue_agent.errors import InputError

    episodes = READERS[format_](path)
    if not episodes:
        raise InputError(f"{path}: holds no {format_} dialogue")
    write_episodes(episodes, out)
    typer.echo(f"{out}: {len(episodes)} episodes with {sum(len(e.rows) for e in episodes)} rows", err=True)
