"""`rescue-agent corpus`: compile and decompile screenplays."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Work with episodes: screenplays to RESCUE JSON and back.", no_args_is_help=True)


@app.command("compile")
def compile_(
    source: Annotated[Path | None, typer.Argument(help="A screenplay or a folder of them; the bundled corpus when left out.")] = None,
    out: Annotated[Path | None, typer.Option(help="The RESCUE JSONL to write.")] = None,
) -> None:
    """Turn screenplays into RESCUE JSON. Without arguments: rebuild the bundled open.jsonl and splits.json."""
    from rescue_agent.corpus.compiling import compile_open, read_screenplays
    from rescue_agent.corpus.rescue import write_episodes
    from rescue_agent.corpus.splits import OPEN
    from rescue_agent.errors import InputError

    if source is None:
        episodes, target = compile_open(OPEN / "screenplays", out or OPEN), out or OPEN
    elif out is None:
        raise InputError(f"{source}: say where to write with --out FILE.jsonl")
    else:
        episodes, target = read_screenplays(source), out
        write_episodes(episodes, out)
    typer.echo(f"{target}: {len(episodes)} episodes with {sum(len(e.rows) for e in episodes)} rows", err=True)


@app.command()
def decompile(
    source: Annotated[Path, typer.Argument(help="A RESCUE file.")],
    out: Annotated[Path, typer.Option(help="The screenplay to write.")],
) -> None:
    """Turn RESCUE JSON into a screenplay that a person can read and edit."""
    from rescue_agent.commands.progress import read_all
    from rescue_agent.corpus.screenplay import render
    from rescue_agent.files import replacing

    episodes = read_all([source])
    with replacing(out) as temporary:
        temporary.write_text(render(episodes), encoding="utf-8")
    typer.echo(f"{out}: {len(episodes)} episodes", err=True)
