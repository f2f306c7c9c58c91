"""Compare runs: the same metric of two engines on the same instances, as a difference with a paired bootstrap interval."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.instances import TaskName
from eval.metrics.additive import Interval, paired_difference
from eval.records import Prediction, by_engine, read_predictions
from eval.scoring import task_metrics
from rescue_agent.errors import InputError
from rescue_agent.taxonomy import SCENARIOS


@dataclass(frozen=True)
class Difference:
    """`one` minus `other` on their `n` common instances."""

    task: TaskName
    metric: str
    one: str
    other: str
    difference: Interval
    n: int


def differences(folders: Sequence[Path], seed: int = 0) -> Iterator[Difference]:
    """Every engine of every run against the first engine of the first run, on the instances that both have scores for.

    Raises:
        InputError: when a folder holds no scored answers, or two runs were asked by different protocols.
    """
    named = [(f"{folder.name}/{engine}", answers) for folder in folders for engine, answers in by_engine(_scored(folder))]
    if len({p.protocol for _, answers in named for p in answers}) > 1:
        raise InputError("the runs were scored by different protocols; compare runs of one")
    (other, baseline), *rest = named
    for one, answers in rest:
        for task in dict.fromkeys(p.task for p in baseline):
            yield from _of_task(task, (one, answers), (other, baseline), seed)


def _scored(folder: Path) -> list[Prediction]:
    known, _ = read_predictions(folder / "predictions.jsonl")
    scored = [p for p in known if p.scores]
    if not scored:
        raise InputError(f"{folder}: holds no scored answers; run `rescue-agent score` first")
    return scored


def _of_task(
    task: TaskName, one: tuple[str, Sequence[Prediction]], other: tuple[str, Sequence[Prediction]], seed: int
) -> Iterator[Difference]:
    mine, theirs = ({p.instance_id: p for p in answers if p.task == task} for _, answers in (one, other))
    common = sorted(mine.keys() & theirs.keys())
    if not common:
        return
    groups = [_group(key) for key in common]
    pairs = zip(*(task_metrics(task, [side[key] for key in common], SCENARIOS) for side in (mine, theirs)), strict=True)
    for ours, base in pairs:
        if ours.n and base.n:
            yield Difference(task, ours.name, one[0], other[0], paired_difference(ours, base, groups, seed), min(ours.n, base.n))


def _group(instance_id: str) -> str:
    """The couple or family in an instance id: the part of the sample's id before the slash."""
    return instance_id.split(":", 1)[1].split("/", 1)[0]
