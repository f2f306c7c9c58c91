"""Metrics of one label out of several: accuracy, precision, recall, F1, balanced accuracy, and the preference bias."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from eval.metrics.additive import Array, Metric


def confusion_statistics(gold: Sequence[str], predicted: Sequence[str | None], labels: Sequence[str]) -> Array:
    """One-hot confusion matrices, flattened: shape (n, k * (k + 1)). The last column is for answers that are no label: wrong ones."""
    k = len(labels)
    place = {label: i for i, label in enumerate(labels)}
    statistics = np.zeros((len(gold), k * (k + 1)))
    for i, (true, guess) in enumerate(zip(gold, predicted, strict=True)):
        statistics[i, place[true] * (k + 1) + place.get(guess or "", k)] = 1
    return statistics


def classification_metrics(gold: Sequence[str], predicted: Sequence[str | None], labels: Sequence[str]) -> list[Metric]:
    """accuracy, macro_f1 and weighted_f1 (over the labels that occur in gold or answers), balanced_accuracy."""
    statistics = confusion_statistics(gold, predicted, labels)
    counted = np.ones(len(gold), dtype=bool)
    k = len(labels)
    functions = {"accuracy": accuracy, "macro_f1": macro_f1, "weighted_f1": weighted_f1, "balanced_accuracy": balanced_accuracy}
    return [Metric(name, statistics, lambda sums, f=function: f(matrix(sums, k)), counted) for name, function in functions.items()]  # type: ignore[misc]


def binary_metrics(gold: Sequence[bool], predicted: Sequence[bool | None]) -> list[Metric]:
    """precision, recall and F1 of yes, and balanced accuracy. An answer that could not be read is wrong either way."""
    labels = ("no", "yes")
    words = {True: "yes", False: "no", None: None}
    statistics = confusion_statistics([labels[g] for g in gold], [words[p] for p in predicted], labels)
    counted = np.ones(len(gold), dtype=bool)
    parts = {"precision": 0, "recall": 1, "f1": 2}
    metrics = [Metric(name, statistics, lambda sums, j=j: per_label(matrix(sums, 2))[j][..., 1], counted) for name, j in parts.items()]  # type: ignore[misc]
    return [*metrics, Metric("balanced_accuracy", statistics, lambda sums: balanced_accuracy(matrix(sums, 2)), counted)]


def matrix(sums: Array, k: int) -> Array:
    """Flattened sums -> confusion matrices (..., k, k + 1), rows are gold."""
    return sums.reshape(*sums.shape[:-1], k, k + 1)


def accuracy(confusion: Array) -> Array:
    """Share of right answers."""
    return np.asarray(np.trace(confusion[..., :-1], axis1=-2, axis2=-1) / confusion.sum(axis=(-2, -1)))


def per_label(confusion: Array) -> tuple[Array, Array, Array]:
    """Precision, recall and F1 a label, each (..., k); 0 where a label is never predicted or never true."""
    right = np.diagonal(confusion[..., :-1], axis1=-2, axis2=-1)
    predicted, true = confusion[..., :-1].sum(axis=-2), confusion.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        parts = (right / predicted, right / true, 2 * right / (predicted + true))
    precision, recall, f1 = (np.asarray(np.nan_to_num(part, nan=0.0)) for part in parts)
    return precision, recall, f1


def macro_f1(confusion: Array) -> Array:
    """Mean F1 over the labels that occur in the gold or in the answers (as scikit-learn does)."""
    occurs = (confusion[..., :-1].sum(axis=-2) + confusion.sum(axis=-1)) > 0
    return _mean_over(per_label(confusion)[2], occurs)


def weighted_f1(confusion: Array) -> Array:
    """F1 weighted by the gold counts."""
    true = confusion.sum(axis=-1)
    return np.asarray((per_label(confusion)[2] * true).sum(axis=-1) / true.sum(axis=-1))


def balanced_accuracy(confusion: Array) -> Array:
    """Mean recall over the labels that occur in the gold."""
    return _mean_over(per_label(confusion)[1], confusion.sum(axis=-1) > 0)


def _mean_over(values: Array, where: NDArray[np.bool_]) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((values * where).sum(axis=-1) / where.sum(axis=-1))


def preference_bias(confusion: Array, rounds: int = 20) -> Array:
    r"""How strongly a model prefers some labels whatever is true (Kang et al. 2024, on ESConv strategies).

    With :math:`w_{ij}` the times that `i` was answered where `j` was true, preferences follow the Bradley-Terry iteration
    :math:`p_i' = \sum_j w_{ij} \frac{p_j}{p_i + p_j} / \sum_j \frac{w_{ji}}{p_i + p_j}`, scaled to a mean of 1; the bias is their
    standard deviation. 0 is no preference.
    """
    wins = np.swapaxes(confusion[..., :-1], -2, -1)
    p: Array = np.ones(wins.shape[:-1])
    k = wins.shape[-1]
    for _ in range(rounds):
        together = p[..., :, None] + p[..., None, :]
        with np.errstate(invalid="ignore", divide="ignore"):
            share = np.where(wins > 0, wins / together, 0.0)
            update = (share * p[..., None, :]).sum(axis=-1) / np.swapaxes(share, -2, -1).sum(axis=-1)
        # a label that is neither answered nor true is neither liked nor disliked; one never true but answered is capped
        p = np.nan_to_num(update, nan=1.0, posinf=float(k))
        p = p * k / np.maximum(p.sum(axis=-1, keepdims=True), 1e-12)
    return np.asarray(p.std(axis=-1))


def preference_bias_metric(gold: Sequence[str], predicted: Sequence[str | None], labels: Sequence[str]) -> Metric:
    """The preference bias as a metric; its companion, the proficiency, is macro_f1."""
    statistics, k = confusion_statistics(gold, predicted, labels), len(labels)
    return Metric("preference_bias", statistics, lambda sums: preference_bias(matrix(sums, k)), np.ones(len(gold), dtype=bool))
