"""The report as one HTML page: tables, scores with intervals beside the published models, confusions, calibration, errors to browse."""

import html
from collections.abc import Mapping, Sequence
from importlib.resources import files
from string import Template
from types import MappingProxyType
from typing import Final

from eval.instances import Instance, TaskName
from eval.records import Prediction, Result, Results, by_engine
from eval.report.errors import SHOWN, error_block, errors
from eval.report.labels import confidences, label_pairs, label_scores
from eval.report.plots import Bar, calibration_plot, confusion_plot, interval_plot, label_bars
from eval.report.table import FULL_NAMES, Table, about, published_scores, tables

HEADLINE: Final = {
    TaskName.ER: ("intensity_match", "s_er"),
    TaskName.VP: ("pair_f1", "judge"),
    TaskName.RPP: ("accuracy", "macro_f1"),
    TaskName.ITP: ("f1", "balanced_accuracy"),
    TaskName.STP: ("recall_at_1", "mrr_at_3"),
    TaskName.SSP: ("recall_at_1", "mrr_at_3"),
}
"""The metrics that have a plot of their own."""


def to_html(results: Results, predictions: Sequence[Prediction], asked: Mapping[str, Mapping[str, Instance]]) -> str:
    """The whole page; nothing in it comes from elsewhere, every text is escaped.

    Args:
        asked: protocol -> instance id -> instance, for the input beside an error.
    """
    template = Template(files(__package__).joinpath("page.html").read_text(encoding="utf-8"))
    contents = _contents(list(_parts(results.results)))
    return template.substitute(about=html.escape(about(results)), contents=contents, body=sections(results.results, predictions, asked))


def sections(
    results: Sequence[Result], predictions: Sequence[Prediction] = (), asked: Mapping[str, Mapping[str, Instance]] = MappingProxyType({})
) -> str:
    """A section for each protocol and task: plots, tables and, as far as there are predictions, errors; the arguments are as above."""
    return "\n".join(
        _section(
            [r for r in results if (r.protocol, r.task) == part],
            [p for p in predictions if (p.protocol, p.task) == part],
            asked.get(part[0], {}),
        )
        for part in _parts(results)
    )


def _parts(results: Sequence[Result]) -> dict[tuple[str, TaskName], None]:
    return dict.fromkeys((r.protocol, r.task) for r in results)


def _contents(parts: Sequence[tuple[str, TaskName]]) -> str:
    return " · ".join(f'<a href="#{protocol}-{task}">{task.upper()} {protocol}</a>' for protocol, task in parts)


def _section(results: Sequence[Result], predictions: Sequence[Prediction], instances: Mapping[str, Instance]) -> str:
    task, protocol = results[0].task, results[0].protocol
    parts = [
        f'<section id="{protocol}-{task}"><h2>{html.escape(FULL_NAMES[task])}, {protocol} protocol</h2>',
        *(interval_plot(metric, bars) for metric in HEADLINE[task] if (bars := _bars(metric, results))),
        *(_html_table(table) for table in tables(results)),
        *(_engine_part(task, engine, answers, instances) for engine, answers in by_engine(predictions)),
        "</section>",
    ]
    return "\n".join(parts)


def _bars(metric: str, results: Sequence[Result]) -> list[Bar]:
    """The engines' scores and, by the paper's protocol, those of the published models; none where no engine has the score."""
    rows = [r for r in results if r.metric == metric and r.scenario == "all" and r.value is not None]
    bars = [Bar(f"{r.engine} ({r.setting})", float(r.value or 0), r.low, r.high) for r in rows]
    if not bars or results[0].protocol != "paper":
        return bars
    return [*bars, *(Bar(f"{model} (published)", value, published=True) for model, value in published_scores(results[0].task, metric))]


def _html_table(table: Table) -> str:
    head = "".join(f"<th>{html.escape(column)}</th>" for column in table.columns)
    rows = "".join("<tr>" + "".join(f"<td>{html.escape(value)}</td>" for value in row) + "</tr>" for row in table.rows)
    return f'<div class="scroll" tabindex="0"><table><caption>{html.escape(table.title)}</caption><tr>{head}</tr>{rows}</table></div>'


def _engine_part(task: TaskName, engine: str, answers: Sequence[Prediction], instances: Mapping[str, Instance]) -> str:
    wrong, pairs = errors(answers), label_pairs(task, answers)
    plots = [confusion_plot(pairs), label_bars(list(label_scores(pairs)))] if pairs else []
    shown = "".join(error_block(p, instances.get(p.instance_id)) for p in wrong[:SHOWN])
    return (
        f"<details><summary>{html.escape(engine)}: {len(wrong)} of {len(answers)} answers wrong or unread</summary>"
        f"{''.join(plots)}{calibration_plot(list(confidences(task, answers)))}"
        f"<p>{min(SHOWN, len(wrong))} of {len(wrong)}, the worst first:</p>{shown}</details>"
    )
