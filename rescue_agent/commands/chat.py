"""`rescue-agent chat`: open the page."""

from typing import Annotated

import typer


def chat(
    host: Annotated[str, typer.Option(help="Address to listen on; anything but loopback needs --password.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", min=1, max=65535)] = 7860,
    engine: Annotated[str | None, typer.Option(help="embedded, llm, hybrid, majority, random, nearest; default by RESCUE_ENGINE.")] = None,
    password: Annotated[str | None, typer.Option(help="Password of the page, required off loopback.", envvar="RESCUE_PASSWORD")] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
) -> None:
    """Open the chat page on this machine: a couple or family in one room with the supporter."""
    from app import serve

    serve(host=host, port=port, engine_name=engine, password=password, open_browser=browser)
