"""`rescue-agent safety`: screen texts, attack engines."""

import sys
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="The guard, and what has been measured of its safety.", no_args_is_help=True)


@app.command("attacks")
def attacks_(
    engine: Annotated[str, typer.Option(help="Engines, with commas.")] = "embedded",
    limit: Annotated[int | None, typer.Option(help="At most so many attacks, each in three positions.", min=1)] = None,
) -> None:
    """Print how often text that a participant types makes an engine decide otherwise, beside innocuous text in the same place."""
    from eval.attacks import run
    from rescue_agent.commands.progress import bar
    from rescue_agent.engines.registry import make_engine

    for name in (part.strip() for part in engine.split(",") if part.strip()):
        made = make_engine(name, live=False)
        typer.echo(str(run(made, limit, lambda items: bar(items, len(items), "attacking"))))


@app.command("screen")
def screen_(file: Annotated[str, typer.Argument(help="A file with one text a line, or - for standard input.")]) -> None:
    """Write one JSON object a line, in order: {"text_hash", "level", "families", "route"}. The text itself is never written."""
    import json
    from hashlib import sha256

    from rescue_agent.errors import InputError
    from rescue_agent.safety.policy import route
    from rescue_agent.safety.screen import screen

    try:
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise InputError.at(file, f"cannot be read ({error.strerror})", "check the path") from None
    for line in raw.decode("utf-8", "replace").removeprefix("\ufeff").splitlines():
        found = screen(line)
        document = {
            "text_hash": sha256(line.encode()).hexdigest(),
            "level": found.level.name.lower(),
            "families": list(found.families),
            "route": route(found),
        }
        typer.echo(json.dumps(document))
