"""Scores as tables: a task a table, an engine a row, a metric a column; each with interval, n, and what could not be read."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from statistics import mean
from typing import Any, Final, cast

from eval.instances import TaskName
from eval.records import Prediction, Result, Results
from eval.report.labels import label_pairs, label_scores

FULL_NAMES: Final = {
    TaskName.ER: "ER, emotion recognition",
    TaskName.VP: "VP, viewpoint prediction",
    TaskName.RPP: "RPP, relation pattern prediction",
    TaskName.ITP: "ITP, intervention time prediction",
    TaskName.STP: "STP, support target prediction",
    TaskName.SSP: "SSP, support strategy prediction",
}
PUBLISHED: Final = "mean of ten published models"


@dataclass(frozen=True)
class Table:
    """A table of one task and scenario: `rows` hold as many cells as `columns`."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables(results: Sequence[Result]) -> Iterator[Table]:
    """A table for each task, protocol and scenario that has scores."""
    for part in dict.fromkeys((r.task, r.protocol, r.scenario) for r in results):
        yield _table([r for r in results if (r.task, r.protocol, r.scenario) == part])


def _table(results: Sequence[Result]) -> Table:
    first = results[0]
    metrics = [m for m in dict.fromkeys(r.metric for r in results) if any(r.value is not None for r in results if r.metric == m)]
    rows = [_row(engine, results, metrics) for engine in dict.fromkeys(r.engine for r in results)]
    if first.scenario == "all" and first.protocol == "paper":
        rows.append(_published_row(first.task, metrics))
    columns = ("engine", "setting", *metrics, "n", "unscored", "unread")
    return Table(f"{FULL_NAMES[first.task]} · {first.scenario} · {first.protocol} protocol", columns, tuple(rows))


def _row(engine: str, results: Sequence[Result], metrics: Sequence[str]) -> tuple[str, ...]:
    mine = {r.metric: r for r in results if r.engine == engine}
    any_one = next(iter(mine.values()))
    widest = max(mine.values(), key=lambda r: r.n)
    return (engine, any_one.setting, *(cell(mine.get(m)) for m in metrics), str(widest.n), str(widest.unscored), str(widest.parse_failed))


def cell(result: Result | None) -> str:
    """A score with its interval; a dash where there is none."""
    if result is None or result.value is None:
        return "–"
    digits = 2 if result.metric in ("intensity_match", "s_emo", "s_er", "judge") else 3
    if result.low is None or result.high is None:
        return f"{result.value:.{digits}f}"
    return f"{result.value:.{digits}f} [{result.low:.{digits}f}, {result.high:.{digits}f}]"


@lru_cache(maxsize=1)
def published() -> dict[str, Any]:
    """The paper's table (eval/published.json)."""
    return dict(json.loads(files("eval").joinpath("published.json").read_text(encoding="utf-8")))


def published_mean(task: TaskName, metric: str) -> float | None:
    """Mean of the ten published models; None for a metric that the paper doesn't have."""
    scores = published_scores(task, metric)
    return mean(value for _, value in scores) if scores else None


def published_scores(task: TaskName, metric: str) -> list[tuple[str, float]]:
    """(model, score) of the ten published models; empty for a metric that the paper doesn't have."""
    columns = published()["columns"].get(task.value, [])
    if metric not in columns:
        return []
    return [(name, float(model[task.value][columns.index(metric)])) for name, model in published()["models"].items()]


def _published_row(task: TaskName, metrics: Sequence[str]) -> tuple[str, ...]:
    values = [published_mean(task, metric) for metric in metrics]
    return (PUBLISHED, "zero-shot", *("–" if v is None else f"{v:.3f}" for v in values), "full benchmark", "–", "–")


def to_markdown(results: Results) -> str:
    """All tables as Markdown."""
    parts = [f"# Scores\n\n{about(results)}\n"]
    for table in tables(results.results):
        lines = [" | ".join(row) for row in (table.columns, tuple("---" for _ in table.columns), *table.rows)]
        parts.append(f"## {table.title}\n\n" + "\n".join(f"| {line} |" for line in lines) + "\n")
    return "\n".join(parts)


def about(results: Results) -> str:
    """With what and on what, in one sentence."""
    run = results.run
    return (
        f"{run['date']}; {run['samples']} samples of {run['groups']} couples and families (data {str(run['data_sha256'])[:12]}); "
        f"{run['protocol']} protocol, mode {run['mode']}, seed {run['seed']}. Intervals: 95 %, bootstrap over couples and families."
        f"{_fairness(cast(Mapping[str, Any], run.get('fairness') or {}))}"
    )


def _fairness(found: Mapping[str, Any]) -> str:
    """Swap consistency and the mean balance index of the predicted targets, by engine."""
    swaps = [f"{name} {sum(s['alike'].values())}/{sum(s['n'].values())}" for name, s in found.get("swap_consistency", {}).items()]
    balances = [f"{name} {b['mean_index']:.2f} (n {b['sessions']})" for name, b in found.get("balance", {}).items()]
    parts = {"Decided alike with two people swapped": swaps, "Balance index of the predicted targets": balances}
    return "".join(f" {heading}: {', '.join(values)}." for heading, values in parts.items() if values)


def to_csv(results: Results) -> str:
    """The flat rows of results.json as CSV. A cell that a spreadsheet would run as a formula is made text."""
    buffer = io.StringIO()
    fields = list(Result.model_fields)
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(fields)
    for result in results.results:
        writer.writerow([plain_cell(getattr(result, field)) for field in fields])
    return buffer.getvalue()


def labels_csv(predictions: Sequence[Prediction]) -> str:
    """Precision, recall and F1 of each label, for every engine, protocol and task with closed labels, as CSV."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(("engine", "task", "protocol", "label", "precision", "recall", "f1", "n"))
    for engine, task, protocol in dict.fromkeys((p.engine, p.task, p.protocol) for p in predictions):
        mine = [p for p in predictions if (p.engine, p.task, p.protocol) == (engine, task, protocol)]
        for s in label_scores(label_pairs(task, mine)):
            row = (engine, task.value, protocol, s.label, round(s.precision, 4), round(s.recall, 4), round(s.f1, 4), s.n)
            writer.writerow([plain_cell(value) for value in row])
    return buffer.getvalue()


def plain_cell(value: object) -> object:
    """`value`, with an apostrophe in front of a text that starts like a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


def show(results: Results) -> None:
    """Print all tables of all scenarios together: aligned on a terminal, tab-separated in a pipe."""
    from rich.console import Console
    from rich.table import Table as RichTable

    console = Console(highlight=False)
    console.print(about(results), markup=False)
    for table in tables([r for r in results.results if r.scenario == "all"]):
        if not console.is_terminal:
            console.print(
                "\n".join([table.title, *("\t".join(row) for row in (table.columns, *table.rows)), ""]), markup=False, soft_wrap=True
            )
            continue
        shown = RichTable(*table.columns, title=table.title)
        for row in table.rows:
            shown.add_row(*row)
        console.print(shown)
