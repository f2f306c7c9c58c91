"""`rescue-agent study`: the study behind the embedded engine, a step at a time."""

from typing import Annotated

import typer


def study(
    steps: Annotated[list[str] | None, typer.Argument(help="Steps of docs/engine.md: words, penalty, ...; all when left out.")] = None,
) -> None:
    """Judge variants of the engine's heads on the open corpus (grouped cross-validation on train, then dev), as Markdown tables.

    The test split and other data take no part: nothing is chosen on them.
    """
    from eval.study.material import Material
    from eval.study.steps import STEPS
    from eval.study.table import table
    from rescue_agent.embedding import default_embedder
    from rescue_agent.errors import InputError

    chosen = steps or list(STEPS)
    if unknown := [name for name in chosen if name not in STEPS]:
        raise InputError(f"study: there is no step {unknown[0]!r}; there are {', '.join(STEPS)}")
    material = Material(default_embedder())
    for name in chosen:
        typer.echo(f"### {name}\n\n{STEPS[name].__doc__}\n")
        typer.echo(table(list(STEPS[name](material))))
        typer.echo()
