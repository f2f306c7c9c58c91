"""`rescue-agent safety`: screen texts by the guard's rules."""

import sys
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="The guard: screen texts as the live room does.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Keep `screen` a command of its own."""


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
