"""`rescue-agent index`: build the memory of episodes."""

from pathlib import Path
from typing import Annotated

import typer


def index(
    data: Annotated[
        list[Path] | None, typer.Option(help="RESCUE or screenplay files to remember instead of the bundled training episodes.")
    ] = None,
    if_missing: Annotated[bool, typer.Option("--if-missing", help="Do nothing, quickly, when there is an index already.")] = False,
) -> None:
    """Build the index of episodes that the embedded engine recalls from. The old one stays until the new one is whole."""
    from rescue_agent.settings import settings

    folder = settings().private_folder("index")
    if if_missing and (folder / "card.json").exists():
        return
    from rescue_agent.commands.progress import batches_bar, read_all
    from rescue_agent.corpus.splits import bundled_episodes
    from rescue_agent.embedding import default_embedder
    from rescue_agent.engines.registry import index_episodes

    episodes = read_all(data) if data else bundled_episodes("train")
    typer.echo(f"embedding {len(episodes)} episodes", err=True)
    card = index_episodes(episodes, folder, default_embedder(), batches_bar)
    typer.echo(f"index: {card.moments} moments and {card.rows} rows of {len(episodes)} episodes in {folder}", err=True)
