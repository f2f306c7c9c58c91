"""The report as one HTML page: tables, scores with intervals beside the published models, confusions, calibration, errors to browse."""

import html
from collections.abc import Iterator, Sequence
from importlib.resources import files
from string import Template
from typing import Any, Final, cast

from eval.instances import TaskName
from eval.records import Prediction, Results, by_engine
from eval.report.plots import calibration_plot, confusion_plot, interval_plot, label_bars
from eval.report.table import FULL_NAMES, PUBLISHED, Table, about, published_mean, tables

HEADLINE: Final = {
    TaskName.ER: "intensity_match",
    TaskName.VP: "pair_f1",
    TaskName.RPP: "accuracy",
    TaskName.ITP: "f1",
    TaskName.STP: "recall_at_1",
    TaskName.SSP: "recall_at_1",
}
_ERRORS_SHOWN: Final = 50


def to_html(results: Results, predictions: Sequence[Prediction]) -> str:
    """The whole page; nothing in it comes from elsewhere, every text is escaped."""
    body = "\n".join(_section(task, results, predictions) for task in dict.fromkeys(r.task for r in results.results))
    template = Template(files(__package__).joinpath("page.html").read_text(encoding="utf-8"))
    return template.substitute(about=html.escape(about(results)), body=body)


def _section(task: TaskName, results: Results, predictions: Sequence[Prediction]) -> str:
    of_task = [p for p in predictions if p.task == task and p.protocol == results.run["protocol"]]
    parts = [
        f'<section id="{task}"><h2>{html.escape(FULL_NAMES[task])}</h2>',
        interval_plot(*_headline(task, results)),
        *(_html_table(table) for table in tables([r for r in results.results if r.task == task])),
        *(_engine_part(task, engine, answers) for engine, answers in by_engine(of_task)),
        "</section>",
    ]
    return "\n".join(parts)


def _headline(task: TaskName, results: Results) -> tuple[str, list[tuple[str, float, float | None, float | None]]]:
    metric = HEADLINE[task]
    rows = [r for r in results.results if r.task == task and r.metric == metric and r.scenario == "all" and r.value is not None]
    bars = [(f"{r.engine} ({r.setting})", float(r.value or 0), r.low, r.high) for r in rows]
    mean = published_mean(task, metric)
    if mean is not None and results.run["protocol"] == "paper":
        bars.append((PUBLISHED, mean, None, None))
    return metric, bars


def _html_table(table: Table) -> str:
    head = "".join(f"<th>{html.escape(column)}</th>" for column in table.columns)
    rows = "".join("<tr>" + "".join(f"<td>{html.escape(value)}</td>" for value in row) + "</tr>" for row in table.rows)
    return f'<div class="scroll"><table><caption>{html.escape(table.title)}</caption><tr>{head}</tr>{rows}</table></div>'


def _engine_part(task: TaskName, engine: str, answers: Sequence[Prediction]) -> str:
    pairs = list(_label_pairs(task, answers))
    plots = [confusion_plot(pairs), label_bars(pairs), calibration_plot(list(_confidences(task, answers)))] if pairs else []
    wrong = [p for p in answers if _is_wrong(p)]
    shown = "".join(_error(p) for p in wrong[:_ERRORS_SHOWN])
    return (
        f"<details><summary>{html.escape(engine)}: {len(wrong)} of {len(answers)} answers wrong or unread</summary>"
        f"{''.join(plots)}<div>{shown}</div></details>"
    )


def _label_pairs(task: TaskName, answers: Sequence[Prediction]) -> Iterator[tuple[str, str]]:
    """(gold, answer) of tasks with closed labels."""
    for p in answers:
        if task is TaskName.ITP:
            yield _yes(p.gold["speak"]), _yes(p.prediction["speak"]) if p.prediction else "unread"
        elif task in (TaskName.RPP, TaskName.SSP):
            ranking = cast(list[list[Any]], p.prediction["ranking"]) if p.prediction else []
            yield str(p.gold["label"]), str(ranking[0][0]) if ranking else "unread"


def _yes(value: object) -> str:
    return "speak" if value else "hold"


def _confidences(task: TaskName, answers: Sequence[Prediction]) -> Iterator[tuple[float, bool]]:
    """(confidence, right) of answers with probabilities."""
    for p in answers:
        if p.prediction is None:
            continue
        if task is TaskName.ITP and isinstance(chance := p.prediction.get("probability"), float):
            yield max(chance, 1 - chance), (chance >= 0.5) == bool(p.gold["speak"])
        elif task in (TaskName.RPP, TaskName.SSP):
            ranking = cast(list[list[Any]], p.prediction["ranking"])
            if ranking and isinstance(ranking[0][1], float):
                yield ranking[0][1], ranking[0][0] == p.gold["label"]


def _is_wrong(p: Prediction) -> bool:
    if p.status != "ok":
        return True
    marks = {"right": 1.0, "recall_at_1": 1.0}
    return any(p.scores.get(name, best) != best for name, best in marks.items())


def _error(p: Prediction) -> str:
    gold = html.escape(str(p.gold))
    answer = html.escape(str({k: v for k, v in (p.prediction or {}).items() if k != "reason"})[:400]) if p.prediction else p.status
    reason = html.escape(str((p.prediction or {}).get("reason", "")))
    return f"<p><code>{html.escape(p.instance_id)}</code><br>gold {gold}<br>answer {answer}<br><em>{reason}</em></p>"
