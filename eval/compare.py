"""Compare runs: the same metric of two engines on the same instances, as a difference with a paired bootstrap interval."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from eval.instances import TaskName, sample_of
from eval.metrics.additive import Interval, paired_difference
from eval.records import Prediction, by_engine, read_predictions, read_results
from eval.scoring import task_metrics
from rescue_agent.errors import InputError
from rescue_agent.taxonomy import SCENARIOS


@dataclass(frozen=True)
class Difference:
    """`one` minus `other` on their `n` common instances. A side is `folder/engine (setting)`."""

    task: TaskName
    protocol: str
    metric: str
    one: str
    other: str
    difference: Interval
    n: int


@dataclass(frozen=True)
class _Side:
    name: str
    answers: Sequence[Prediction]
    groups: Mapping[str, str]

    def of(self, task: TaskName, protocol: str) -> dict[str, Prediction]:
        return {p.instance_id: p for p in self.answers if (p.task, p.protocol) == (task, protocol)}


def differences(folders: Sequence[Path], seed: int = 0) -> Iterator[Difference]:
    """Every engine of every run against the first engine of the first run, on the instances that both have scores for.

    Raises:
        InputError: when a folder holds no results or no scored answers, or two runs have no instance in common.
    """
    baseline, *rest = [side for folder in folders for side in _sides(folder)]
    for one in rest:
        if not {p.instance_id for p in one.answers} & {p.instance_id for p in baseline.answers}:
            raise InputError(f"{one.name} and {baseline.name} have no instance in common; compare runs on the same data")
        for task, protocol in dict.fromkeys((p.task, p.protocol) for p in baseline.answers):
            yield from _of_task(task, protocol, one, baseline, seed)


def _sides(folder: Path) -> Iterator[_Side]:
    """The engines of a run's results with their scored answers."""
    results = read_results(folder)
    groups = cast(dict[str, str], results.run["group_of"])
    settings = {r.engine: r.setting for r in results.results}
    known, _ = read_predictions(folder / "predictions.jsonl")
    scored = [p for p in known if p.scores and p.engine in settings]
    if not scored:
        raise InputError(f"{folder}: holds no scored answers; run `rescue-agent score` first")
    for engine, answers in by_engine(scored):
        yield _Side(f"{folder.name}/{engine} ({settings[engine]})", answers, groups)


def _of_task(task: TaskName, protocol: str, one: _Side, other: _Side, seed: int) -> Iterator[Difference]:
    mine, theirs = one.of(task, protocol), other.of(task, protocol)
    common = sorted(key for key in mine.keys() & theirs.keys() if sample_of(key) in other.groups)
    if not common:
        return
    groups = [other.groups[sample_of(key)] for key in common]
    pairs = zip(*(task_metrics(task, [side[key] for key in common], SCENARIOS) for side in (mine, theirs)), strict=True)
    for ours, base in pairs:
        if ours.n and base.n:
            difference = paired_difference(ours, base, groups, seed)
            yield Difference(task, protocol, ours.name, one.name, other.name, difference, min(ours.n, base.n))
