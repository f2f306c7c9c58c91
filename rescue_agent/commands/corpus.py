"""`rescue-agent corpus`: compile and decompile screenplays; check, count and plot any RESCUE file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from rescue_agent.corpus.check import Check
    from rescue_agent.corpus.findings import Finding
    from rescue_agent.corpus.stats import Figure

app = typer.Typer(help="Work with episodes: screenplays to RESCUE JSON and back, checks, statistics, plots.", no_args_is_help=True)

_Source = Annotated[Path, typer.Argument(help="A RESCUE file, a screenplay, or a folder of them.")]
_SHOWN = 5


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


@app.command()
def check(
    path: _Source,
    every: Annotated[bool, typer.Option("--all", help=f"Show every finding, not only the first {_SHOWN} of a kind.")] = False,
    min_label: Annotated[int, typer.Option(min=1, help="How often each label should stand at least.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a finding on standard output.")] = False,
) -> None:
    """Find faults of schema, people, labels, times, wording and balance. Exit code 1 for errors, 2 for what cannot be read."""
    import json
    from dataclasses import asdict

    from rescue_agent.corpus.check import check as check_episodes

    outcome = check_episodes(path, min_label)
    as_lines = (json.dumps(asdict(finding), ensure_ascii=False) for finding in outcome.findings)
    for line in as_lines if as_json else _report(outcome.findings, None if every else _SHOWN):
        typer.echo(line)
    typer.echo(_summary(outcome), err=as_json)
    if outcome.errors:
        raise typer.Exit(1)


def _report(findings: "tuple[Finding, ...]", limit: int | None) -> "Iterator[str]":
    """The findings by kind, errors first, at most `limit` of each kind."""
    kinds = dict.fromkeys((finding.severity, finding.kind) for finding in findings)
    for severity, kind in sorted(kinds, key=lambda known: known[0]):
        own = [finding for finding in findings if (finding.severity, finding.kind) == (severity, kind)]
        yield f"{severity}: {kind} ({len(own)})"
        yield from (f"  {finding.place}: {finding.problem} -> {finding.remedy}" for finding in own[:limit])
        if limit is not None and len(own) > limit:
            yield f"  and {len(own) - limit} more; --all shows them"


def _summary(outcome: "Check") -> str:
    grams = outcome.shared_grams
    return (
        f"{outcome.episodes} episodes, {outcome.rows} rows: {outcome.errors} errors, {len(outcome.findings) - outcome.errors} warnings; "
        f"{grams.shared} of {grams.total} word 6-grams ({grams.share:.2%}) stand in more than one episode"
    )


@app.command()
def stats(
    path: _Source,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a figure on standard output.")] = False,
) -> None:
    """Print the paper's statistics table for any file, beside the published figures."""
    import json
    from dataclasses import asdict

    from rich.console import Console

    from rescue_agent.commands.progress import read_all
    from rescue_agent.corpus.stats import PUBLISHED_MINUTES, minutes, statistics

    episodes = read_all([path])
    figures = statistics(episodes)
    if as_json:
        for figure in figures:
            typer.echo(json.dumps(asdict(figure)))
        return
    console = Console()
    for scenario in dict.fromkeys(figure.scenario for figure in figures):
        console.print(_table([figure for figure in figures if figure.scenario == scenario], scenario))
    spoken = minutes(episodes)
    console.print(f"minutes in all: {'-' if spoken is None else format(spoken, ',.1f')} (published: {PUBLISHED_MINUTES:,})")


def _table(figures: "list[Figure]", title: str) -> "Table":
    from rich.table import Table

    table = Table("measure", title=title, title_justify="left")
    table.add_column("here", justify="right")
    table.add_column("published", justify="right")
    for before, figure in zip([None, *figures], figures, strict=False):
        if before and before.section != figure.section:
            table.add_section()
        table.add_row(figure.measure, _number(figure.value, figure.unit), _number(figure.published, figure.unit))
    return table


def _number(value: float | None, unit: str) -> str:
    if value is None:
        return "-"
    if unit == "":
        return f"{value:,.0f}"
    return f"{value:,.2f}" if unit in ("mean", "0-10") else f"{value:,.1f} {unit}"


@app.command()
def plots(
    path: _Source,
    out: Annotated[Path, typer.Option(help="The folder to write to.")],
) -> None:
    """Plot how labels follow each other and how emotion moves through an episode, as PNG and SVG."""
    from rescue_agent.commands.progress import read_all
    from rescue_agent.corpus.plots import save_plots

    written = save_plots(read_all([path]), out)
    for file in written:
        typer.echo(file)


@app.command()
def agreement(
    path: Annotated[Path | None, typer.Argument(help="The annotated RESCUE file or screenplays; the bundled corpus when left out.")] = None,
    second: Annotated[Path | None, typer.Option(help="The second pass (JSONL); that of the bundled corpus when left out.")] = None,
) -> None:
    """Print how far a second reader who saw no labels agrees: accuracy, Cohen's kappa, mean difference of intensity."""
    from rescue_agent.commands.progress import read_all
    from rescue_agent.corpus.agreement import SECOND_PASS, read_second_pass
    from rescue_agent.corpus.agreement import agreement as measure
    from rescue_agent.corpus.splits import bundled_episodes

    episodes = read_all([path]) if path else bundled_episodes("all")
    readings = read_second_pass(second or SECOND_PASS)
    rows = sum(len(episode.rows) for episode in episodes)
    typer.echo(f"{len(readings)} of {rows} rows ({len(readings) / rows:.1%}) of {len({r.sample_id for r in readings})} episodes")
    typer.echo("field | rows both filled | only one filled | accuracy | kappa | mean difference")
    for found in measure(episodes, readings):
        figures = (found.accuracy, found.kappa, found.mean_difference)
        shown = " | ".join("-" if figure is None else f"{figure:.3f}" for figure in figures)
        typer.echo(f"{found.field} | {found.n} | {found.one_sided} | {shown}")
