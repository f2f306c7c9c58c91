"""How a variant is judged: grouped cross-validation on the training split, then once more on dev."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from eval.metrics.additive import Interval, interval, mean_metric
from eval.study.material import Decision, Table
from rescue_agent.engines.embedded.heads import Array
from rescue_agent.engines.embedded.training import KNOBS

FOLDS: Final = 5


class Classifier(Protocol):
    """What scikit-learn's classifiers have in common."""

    def fit(self, x: Array, y: NDArray[np.str_], /) -> "Classifier":
        """Learn from features (n, d) and labels (n,)."""
        ...

    def predict(self, x: Array, /) -> NDArray[np.str_]:
        """Labels of features (n, d)."""
        ...


Maker = Callable[[], Classifier]
"""Makes an unfitted classifier."""


@dataclass(frozen=True)
class Verdict:
    """One variant of one decision. Intervals are 95 %, over couples and families.

    Attributes:
        accuracy, macro_f1: on the training split, out of fold.
        dev_accuracy, dev_macro_f1: on the dev split.
    """

    decision: str
    variant: str
    n: int
    accuracy: Interval
    macro_f1: float
    dev_n: int
    dev_accuracy: float
    dev_macro_f1: float


def judged(decision: str, variant: str, train: Table, dev: Table, make: Maker) -> Verdict:
    """Fit and judge one variant."""
    return verdict(decision, variant, (train, out_of_fold(train, make)), (dev, make().fit(train.x, train.y).predict(dev.x)))


def verdict(decision: str, variant: str, cross: tuple[Table, NDArray[np.str_]], dev: tuple[Table, NDArray[np.str_]]) -> Verdict:
    """The verdict on predictions for both splits."""
    (train, predicted), (held_out, dev_predicted) = cross, dev
    right = interval(mean_metric("accuracy", [float(hit) for hit in predicted == train.y]), train.groups.tolist())
    return Verdict(
        decision,
        variant,
        len(train.y),
        right,
        _macro_f1(train.y, predicted),
        len(held_out.y),
        float(np.mean(dev_predicted == held_out.y)),
        _macro_f1(held_out.y, dev_predicted),
    )


def out_of_fold(table: Table, make: Maker) -> NDArray[np.str_]:
    """Predictions for every example by a model that never saw its group."""
    from sklearn.model_selection import GroupKFold

    predicted = np.empty_like(table.y)
    for fit_on, test in GroupKFold(FOLDS).split(table.x, groups=table.groups):
        predicted[test] = make().fit(table.x[fit_on], table.y[fit_on]).predict(table.x[test])
    return predicted


def _macro_f1(gold: NDArray[np.str_], predicted: NDArray[np.str_]) -> float:
    from sklearn.metrics import f1_score

    return float(f1_score(gold, predicted, average="macro", zero_division=0))


def penalty_of(decision: Decision) -> float:
    """The inverse regularisation that ships for a decision."""
    return KNOBS[f"penalty.{decision.name.split(',')[0]}"]


def logistic(strength: float, balanced: bool = False) -> Maker:
    """A logistic regression, as the shipped heads are."""

    def make() -> Classifier:
        from sklearn.linear_model import LogisticRegression

        model: Classifier = LogisticRegression(C=strength, max_iter=2000, class_weight="balanced" if balanced else None)
        return model

    return make
