"""Metrics as functions of sums over groups, so that one bootstrap serves them all.

A metric turns each scored instance into a row of statistics; a score is a function of their sum. Resampling groups with replacement
then only means weighing the groups' sums: exact for means as well as for macro-F1 or the preference bias.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Metric:
    """A metric over instances.

    Attributes:
        name: as results.json has it.
        statistics: shape (n_instances, width), one row an instance.
        value: sums of shape (..., width) -> scores of shape (...); NaN where nothing could be scored.
        counted: shape (n_instances,), whether an instance stands in the denominator.
    """

    name: str
    statistics: Array
    value: Callable[[Array], Array]
    counted: NDArray[np.bool_]

    @property
    def n(self) -> int:
        """Instances in the denominator."""
        return int(self.counted.sum())


@dataclass(frozen=True)
class Interval:
    """A score with its 95 % interval over resampled groups; None where it cannot be given."""

    value: float | None
    low: float | None = None
    high: float | None = None


def mean_metric(name: str, values: Sequence[float | None]) -> Metric:
    """The mean of those `values` that are not None."""
    counted = np.array([value is not None for value in values], dtype=bool)
    filled = np.array([0.0 if value is None else float(value) for value in values])
    return Metric(name, np.stack([filled, counted], axis=1).astype(float) if len(values) else np.zeros((0, 2)), ratio, counted)


def ratio(sums: Array) -> Array:
    """First sum over second."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(sums[..., 0] / sums[..., 1])


def group_sums(metric: Metric, groups: Sequence[str]) -> Array:
    """Sums of the statistics a group, shape (n_groups, width), groups sorted by name."""
    names = sorted(set(groups))
    index = np.array([names.index(group) for group in groups], dtype=int)
    sums = np.zeros((len(names), metric.statistics.shape[1]))
    np.add.at(sums, index, metric.statistics)
    return sums


def weights(n_groups: int, seed: int, draws: int = 1000) -> NDArray[np.int64]:
    """How often each group is drawn, in each of `draws` resamples with replacement: shape (draws, n_groups)."""
    rng = np.random.default_rng(seed)
    return np.stack([np.bincount(rng.integers(0, n_groups, n_groups), minlength=n_groups) for _ in range(draws)])


def interval(metric: Metric, groups: Sequence[str], seed: int = 0) -> Interval:
    """The score and its percentile interval, resampling groups; no interval with fewer than two groups."""
    if metric.n == 0:
        return Interval(None)
    sums = group_sums(metric, groups)
    value = float(metric.value(sums.sum(axis=0)))
    if np.isnan(value):
        return Interval(None)
    if len(sums) < 2:
        return Interval(value)
    return Interval(value, *_percentiles(metric.value(weights(len(sums), seed) @ sums)))


def paired_difference(one: Metric, other: Metric, groups: Sequence[str], seed: int = 0) -> Interval:
    """`one` minus `other` on the same instances, both under the same resamples."""
    sums, others = group_sums(one, groups), group_sums(other, groups)
    value = float(one.value(sums.sum(axis=0)) - other.value(others.sum(axis=0)))
    if np.isnan(value):
        return Interval(None)
    if len(sums) < 2:
        return Interval(value)
    drawn = weights(len(sums), seed)
    return Interval(value, *_percentiles(one.value(drawn @ sums) - other.value(drawn @ others)))


def _percentiles(values: Array) -> tuple[float, float]:
    low, high = np.nanpercentile(values, [2.5, 97.5])
    return float(low), float(high)
