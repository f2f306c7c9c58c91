"""Calibration of probabilities: Brier score and expected calibration error."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from eval.metrics.additive import Array, Metric, mean_metric

BINS: Final = 10


def brier(probabilities: Mapping[str, float], gold: str) -> float:
    """Squared distance between the probabilities and the one-hot gold, summed over the labels: 0 (certain and right) to 2."""
    labels = {*probabilities, gold}
    return sum((probabilities.get(label, 0.0) - (label == gold)) ** 2 for label in labels)


def calibration_metrics(distributions: Sequence[Mapping[str, float] | None], gold: Sequence[str]) -> list[Metric]:
    """brier and ece, over the instances that have probabilities."""
    pairs = list(zip(distributions, gold, strict=True))
    briers = mean_metric("brier", [None if p is None else brier(p, true) for p, true in pairs])
    counted = np.array([p is not None for p, _ in pairs], dtype=bool)
    statistics = np.stack([_bin_statistics(p, true) for p, true in pairs]) if pairs else np.zeros((0, 3 * BINS))
    return [briers, Metric("ece", statistics, _ece, counted)]


def _bin_statistics(distribution: Mapping[str, float] | None, gold: str) -> Array:
    """Confidence, correctness and count, each in the bin of the confidence."""
    row = np.zeros((BINS, 3))
    if distribution:
        best = max(distribution, key=lambda label: distribution[label])
        confidence = distribution[best]
        row[min(int(confidence * BINS), BINS - 1)] = (confidence, best == gold, 1)
    return np.asarray(row.reshape(-1))


def _ece(sums: Array) -> Array:
    """Mean over instances of |confidence - accuracy| of their bin."""
    bins = sums.reshape(*sums.shape[:-1], BINS, 3)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.abs(bins[..., 0] - bins[..., 1]).sum(axis=-1) / bins[..., 2].sum(axis=-1))
