"""`rescue-agent fit`: train the heads of the embedded engine."""

from pathlib import Path
from typing import Annotated

import typer


def fit(
    data: Annotated[
        list[Path] | None, typer.Option(help="RESCUE or screenplay files to learn from; the bundled training episodes when left out.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for heads.npz and heads.json; default: `heads` in the data folder.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first bad line.")] = False,
) -> None:
    """Train the heads (patterns, intervention, targets, strategies, emotions, viewpoints) and save them as .npz and JSON."""
    from rescue_agent.commands.progress import read_all
    from rescue_agent.corpus.splits import bundled_episodes
    from rescue_agent.embedding import default_embedder
    from rescue_agent.engines.embedded.training import fit as fit_heads
    from rescue_agent.settings import settings

    episodes = read_all(data, strict) if data else bundled_episodes("train")
    folder = out or settings().private_folder("heads")
    typer.echo(f"learning from {len(episodes)} episodes with {sum(len(e.rows) for e in episodes)} rows", err=True)
    heads = fit_heads(episodes, default_embedder())
    heads.save(folder)
    typer.echo(f"heads: {folder} (data {heads.provenance.data_sha256[:12]}); use them with RESCUE_HEADS={folder}", err=True)
