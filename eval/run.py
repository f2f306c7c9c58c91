"""One scoring run from data to files: predict, score, write."""

import platform
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Final

from pydantic import JsonValue

from eval.engines import Contender
from eval.instances import Instance, Protocol, Source, TaskName
from eval.outside import outside_predictions
from eval.records import Prediction, Result, Results, Setting, by_engine, read_predictions, write_predictions, write_results
from eval.runner import Progress, build_instances, predict
from eval.scoring import results_of, score_one
from eval.tasks import TASKS
from rescue_agent.corpus.groups import group_of
from rescue_agent.errors import InputError
from rescue_agent.moment import Mode
from rescue_agent.schema import Episode

PREDICTIONS: Final = "predictions.jsonl"
RESULTS: Final = "results.json"
_PACKAGES: Final = ("rescue-agent", "sentence-transformers", "torch", "scikit-learn", "chromadb", "langgraph", "numpy")


@dataclass(frozen=True)
class Plan:
    """What is to be scored and how."""

    episodes: Sequence[Episode]
    tasks: Sequence[TaskName]
    protocol: Protocol
    mode: Mode
    seed: int
    limit: int | None = None

    def instances(self) -> list[Instance]:
        """Every instance of the plan; with a limit, the first so many of each task, taken evenly from the samples' order."""
        groups = group_of(self.episodes)
        sources = [Source(e, groups[e.sample_id], self.protocol, self.mode) for e in self.episodes]
        built = build_instances(sources, self.tasks)
        if self.limit is None:
            return built
        return [i for task in self.tasks for i in _spread([x for x in built if x.task == task], self.limit)]


def _spread(instances: Sequence[Instance], limit: int) -> list[Instance]:
    if len(instances) <= limit:
        return list(instances)
    return [instances[k * len(instances) // limit] for k in range(limit)]


def answer(
    plan: Plan,
    contenders: Sequence[Contender],
    out: Path,
    *,
    concurrency: int = 1,
    progress: Progress = lambda answers, _total, _what: answers,
) -> list[str]:
    """The predict phase. Returns what could not be read of earlier predictions in `out`.

    Raises:
        InputError: when the data hold no instance of any task.
    """
    instances = plan.instances()
    if not instances:
        raise InputError(f"the data hold no instance of {', '.join(plan.tasks)}; are they annotated?")
    return predict(contenders, instances, out / PREDICTIONS, protocol=plan.protocol.name, concurrency=concurrency, progress=progress)


def add_outside(plan: Plan, path: Path, out: Path) -> None:
    """Put another system's answers beside the engines' own, under the name of its file.

    Raises:
        InputError: as `outside_predictions`.
    """
    known, _ = read_predictions(out / PREDICTIONS)
    others = [p for p in known if p.engine != path.stem]
    write_predictions(out / PREDICTIONS, [*others, *outside_predictions(path, path.stem, plan.instances(), plan.protocol.name)])


def score(plan: Plan, settings: Mapping[str, Setting], out: Path) -> Results:
    """Score every answer in `out` to an instance of the plan, and write predictions.jsonl (with scores) and results.json.

    Args:
        settings: engine -> setting; an engine that isn't named is another system's, and counts as zero-shot.
    """
    started = time.monotonic()
    by_id = {instance.instance_id: instance for instance in plan.instances()}
    known, _ = read_predictions(out / PREDICTIONS)
    scored = [score_one(p) if p.instance_id in by_id and p.protocol == plan.protocol.name else p for p in known]
    write_predictions(out / PREDICTIONS, scored)
    mine = [p for p in scored if p.instance_id in by_id and p.protocol == plan.protocol.name]
    rows = [row for engine, answers in by_engine(mine) for row in _rows(plan, by_id, answers, settings.get(engine, "zero-shot"))]
    results = Results(run=_about(plan, mine, time.monotonic() - started), results=tuple(rows))
    write_results(out / RESULTS, results)
    return results


def _rows(plan: Plan, by_id: dict[str, Instance], answers: Sequence[Prediction], setting: Setting) -> list[Result]:
    rows: list[Result] = []
    for task in plan.tasks:
        of_task = {key: instance for key, instance in by_id.items() if instance.task == task}
        rows += results_of([p for p in answers if p.task == task], of_task, setting, plan.seed)
    return rows


def _about(plan: Plan, predictions: Sequence[Prediction], seconds: float) -> dict[str, JsonValue]:
    versions: dict[str, JsonValue] = {name: version(name) for name in _PACKAGES}
    data = sha256("\n".join(e.model_dump_json() for e in plan.episodes).encode()).hexdigest()
    return {
        "date": time.strftime("%Y-%m-%d"),
        "versions": {**versions, "python": platform.python_version()},
        "tasks": {task: TASKS[task].version for task in plan.tasks},
        "git": _git_hash(),
        "seed": plan.seed,
        "data_sha256": data,
        "samples": len(plan.episodes),
        "groups": len(set(group_of(plan.episodes).values())),
        "protocol": plan.protocol.name,
        "mode": plan.mode.value,
        "limit": plan.limit,
        "prompts": {},
        "tokens": None,
        "answers": len(predictions),
        "scoring_seconds": round(seconds, 1),
    }


def _git_hash() -> str | None:
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "HEAD"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=5).stdout.strip()  # noqa: S603 (fixed command)
    except (OSError, subprocess.SubprocessError):
        return None
