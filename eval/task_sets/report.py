"""A task set's scores as a Markdown table and as results.json."""

import json
from pathlib import Path

from pydantic import JsonValue

from eval.metrics.additive import Interval
from eval.task_sets.scoring import METRICS, TaskSetRun
from rescue_agent import __version__
from rescue_agent.files import replacing


def table(run: TaskSetRun) -> str:
    """The table, a line a system."""
    lines = [
        f"{run.task_set.name} {run.task_set.task}, supervised ({run.task_set.split}): {run.trained_on} to train, n {run.n}, unread 0",
        "",
        f"| system | {' | '.join(METRICS)} |",
        f"|---|{'---|' * len(METRICS)}",
    ]
    return "\n".join([*lines, *(f"| {one.system} | {' | '.join(_cell(one.metrics[name]) for name in METRICS)} |" for one in run.scored)])


def _cell(found: Interval) -> str:
    if found.value is None:
        return "-"
    return f"{found.value:.3f}" + ("" if found.low is None else f" [{found.low:.3f}, {found.high:.3f}]")


def write(run: TaskSetRun, folder: Path) -> Path:
    """Write `folder`/results.json, in the flat rows of every results.json; the task is `esconv_strategy` and the like."""
    rows: list[JsonValue] = [
        {
            "engine": one.system,
            "task": f"{run.task_set.name}_{run.task_set.task}",
            "protocol": "sound",
            "setting": "supervised",
            "scenario": "all",
            "metric": name,
            "value": found.value,
            "low": found.low,
            "high": found.high,
            "n": run.n,
            "unscored": 0,
            "parse_failed": 0,
        }
        for one in run.scored
        for name, found in one.metrics.items()
    ]
    folder.mkdir(parents=True, exist_ok=True)
    about: JsonValue = {"version": __version__, "task_set": run.task_set.name, "split": run.task_set.split, "trained_on": run.trained_on}
    with replacing(folder / "results.json") as path:
        path.write_text(json.dumps({"schema": 1, "run": about, "results": rows}, indent=1) + "\n", encoding="utf-8")
    return folder / "results.json"
