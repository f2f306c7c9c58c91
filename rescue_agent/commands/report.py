"""`rescue-agent report`: show and compare runs."""

from pathlib import Path
from typing import Annotated

import typer


def report(
    runs: Annotated[list[Path], typer.Argument(help="Folders that `rescue-agent score --out` wrote.")],
    seed: Annotated[int, typer.Option(help="Seed of the paired bootstrap.")] = 0,
) -> None:
    """Show the scores of runs, and every engine's difference to the first one, with a paired 95 % interval."""
    from eval.compare import differences
    from eval.records import read_results
    from eval.report import show

    for folder in runs:
        typer.echo(f"{folder}")
        show(read_results(folder))
    typer.echo("difference to the first engine (paired, 95 %)")
    for d in differences(runs, seed):
        value, low, high = (("–" if x is None else f"{x:+.3f}") for x in (d.difference.value, d.difference.low, d.difference.high))
        typer.echo(f"{d.task}\t{d.protocol}\t{d.metric}\t{d.one} - {d.other}\t{value} [{low}, {high}]\tn {d.n}")
