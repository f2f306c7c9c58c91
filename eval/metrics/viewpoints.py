"""VP's pair F1: whether the right directed pairs (who thinks of whom) are named."""

from collections.abc import Sequence

import numpy as np

from eval.metrics.additive import Array, Metric
from eval.records import Prediction


def pair_f1_metric(scored: Sequence[Prediction]) -> Metric:
    """Micro F1 over all directed pairs: 2 right / (answered + true)."""
    keys = ("right_pairs", "answered_pairs", "true_pairs")
    statistics = np.array([[float(p.scores.get(key) or 0) for key in keys] for p in scored]).reshape(len(scored), 3)
    return Metric("pair_f1", statistics, _f1, np.ones(len(scored), dtype=bool))


def _f1(sums: Array) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(2 * sums[..., 0] / (sums[..., 1] + sums[..., 2]))
