"""Scores of each label: precision, recall, F1 and how often it is true (tasks with closed labels)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from eval.instances import TaskName
from eval.records import Prediction

UNREAD: Final = "unread"
CLOSED: Final = (TaskName.RPP, TaskName.ITP, TaskName.SSP)


@dataclass(frozen=True)
class LabelScore:
    """A label's scores, 0..1; `n` is how often it is the gold."""

    label: str
    precision: float
    recall: float
    f1: float
    n: int


def label_pairs(task: TaskName, answers: Sequence[Prediction]) -> list[tuple[str, str]]:
    """(gold, answer) of the answers to a task with closed labels; none for others."""
    return [(_gold(p), _first(p)) for p in answers if p.status != "unscored"] if task in CLOSED else []


def _gold(p: Prediction) -> str:
    return _word(p.gold["speak"]) if p.task is TaskName.ITP else str(p.gold["label"])


def _first(p: Prediction) -> str:
    if p.prediction is None:
        return UNREAD
    if p.task is TaskName.ITP:
        return _word(p.prediction["speak"])
    ranking = cast(list[list[Any]], p.prediction["ranking"])
    return str(ranking[0][0]) if ranking else UNREAD


def _word(speak: object) -> str:
    return "speak" if speak else "hold"


def label_scores(pairs: Sequence[tuple[str, str]]) -> Iterator[LabelScore]:
    """A score for each label that is true or answered, commonest first."""
    true, said = Counter(gold for gold, _ in pairs), Counter(answer for _, answer in pairs)
    right = Counter(gold for gold, answer in pairs if gold == answer)
    for label in sorted({*true, *said} - {UNREAD}, key=lambda name: (-true[name], name)):
        precision, recall = (right[label] / total[label] if total[label] else 0.0 for total in (said, true))
        yield LabelScore(label, precision, recall, 2 * right[label] / (true[label] + said[label]), true[label])


def confidences(task: TaskName, answers: Sequence[Prediction]) -> Iterator[tuple[float, bool]]:
    """(confidence of the first answer, whether it is right) of answers with probabilities."""
    for p in answers:
        if p.prediction is None:
            continue
        if task is TaskName.ITP and isinstance(chance := p.prediction.get("probability"), float):
            yield max(chance, 1 - chance), (chance >= 0.5) == bool(p.gold["speak"])
        elif task in (TaskName.RPP, TaskName.STP, TaskName.SSP):
            ranking = cast(list[list[Any]], p.prediction["ranking"])
            if ranking and isinstance(ranking[0][1], float):
                yield ranking[0][1], ranking[0][0] == p.gold["label"]
