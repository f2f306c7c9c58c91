"""Train a head on a neighbour's training split, answer its test split, and score it beside the baselines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from eval.metrics.additive import Interval, interval
from eval.metrics.classification import classification_metrics, preference_bias_metric
from eval.task_sets.features import Features
from eval.task_sets.sets import Case, TaskSet
from rescue_agent.embedding import Embedder

METRICS: Final = ("accuracy", "macro_f1", "weighted_f1", "preference_bias")


@dataclass(frozen=True)
class Scored:
    """The metrics of one system on the test split, with 95 % intervals over dialogues."""

    system: str
    metrics: Mapping[str, Interval]


@dataclass(frozen=True)
class TaskSetRun:
    """A task set, how much there was to learn from and to answer, and the scores. Every score is supervised."""

    task_set: TaskSet
    trained_on: int
    n: int
    scored: tuple[Scored, ...]


def run(task_set: TaskSet, path: Path, embedder: Embedder) -> TaskSetRun:
    """Read, train, answer, score.

    Raises:
        InputError: when `path` does not hold the release, or has no training or no test dialogues.
    """
    train, test = (list(task_set.cases(episodes)) for episodes in task_set.read(path))
    systems = {
        "embedding + logistic regression": _embedded(task_set, train, test, embedder),
        "commonest label": [_commonest(train)] * len(test),
    }
    return TaskSetRun(task_set, len(train), len(test), tuple(_scored(name, test, answers) for name, answers in systems.items()))


def _embedded(task_set: TaskSet, train: Sequence[Case], test: Sequence[Case], embedder: Embedder) -> list[str]:
    from sklearn.linear_model import LogisticRegression

    features = Features(task_set, embedder).fit(train)
    head: Any = LogisticRegression(C=task_set.strength, max_iter=500, class_weight="balanced" if task_set.balanced else None)
    head.fit(features.transform(train), [case.label for case in train])
    return [str(label) for label in head.predict(features.transform(test))]


def _commonest(cases: Sequence[Case]) -> str:
    labels = [case.label for case in cases]
    return max(sorted(set(labels)), key=labels.count)


def _scored(system: str, cases: Sequence[Case], answers: Sequence[str]) -> Scored:
    gold, groups = [case.label for case in cases], [case.episode.sample_id for case in cases]
    labels = sorted({*gold, *answers})
    metrics = [*classification_metrics(gold, answers, labels), preference_bias_metric(gold, answers, labels)]
    return Scored(system, {metric.name: interval(metric, groups) for metric in metrics if metric.name in METRICS})
