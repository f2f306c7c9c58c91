"""How much recalled moments count, and how sure a head may be: learned on out-of-fold predictions, by log loss.

A head's probabilities :math:`p` and the votes :math:`v` of recalled moments are pooled as
:math:`p^{(1-w)/T} v^w`, normalised (a logarithmic pool with temperature `T` on the head and weight `w` on memory).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from rescue_agent.decisions import RecalledMoment
from rescue_agent.engines.embedded.examples import ReadEpisode
from rescue_agent.engines.embedded.features import recall_vector
from rescue_agent.engines.embedded.heads import Array

_SMOOTHING: Final = 0.05
"""Share that recalled moments leave to labels that none of them carries."""
_WEIGHTS: Final = np.arange(0.0, 0.65, 0.05)
_TEMPERATURES: Final = np.array([0.35, 0.5, 0.7, 0.85, 1.0, 1.2, 1.5, 2.0, 3.0, 5.0])
_TINY: Final = 1e-9


def recall_votes(recalled: Sequence[RecalledMoment], field: str, labels: Sequence[str]) -> dict[str, float]:
    """How the labels of recalled moments are spread, nearer ones counting more; empty when none carries a label."""
    near = [(getattr(moment, field), 1 - moment.distance) for moment in recalled]
    votes = spread_votes(near, labels)
    return dict(zip(labels, map(float, votes), strict=True)) if votes is not None else {}


def spread_votes(near: Sequence[tuple[str, float]], labels: Sequence[str]) -> Array | None:
    """Votes of (label, nearness) over `labels`, smoothed and summing to 1, shape (k,); None when no label is among them."""
    votes = np.array([sum(max(0.0, nearness) for label, nearness in near if label == name) for name in labels])
    if not votes.sum():
        return None
    return np.asarray((1 - _SMOOTHING) * votes / votes.sum() + _SMOOTHING / len(votes), dtype=np.float32)


@dataclass(frozen=True)
class Remembered:
    """The training moments as memory will hold them: one row a supporter's turn."""

    vectors: Array
    groups: tuple[str, ...]
    labels: tuple[str, ...]

    def votes(self, vector: Array, group: str, names: Sequence[str], k: int) -> Array:
        """Votes of the `k` nearest moments of other groups; NaN, shape (len(names),), when none carries a label."""
        nearness = np.where(np.array(self.groups) == group, -np.inf, self.vectors @ vector)
        best = [i for i in np.argsort(-nearness, kind="stable")[:k] if np.isfinite(nearness[i])]
        found = spread_votes([(self.labels[i], float(nearness[i])) for i in best], names)
        return np.full(len(names), np.nan, dtype=np.float32) if found is None else found


def remembered(read: Sequence[ReadEpisode], labels: Sequence[Sequence[str]]) -> Remembered:
    """Memory of `read`; `labels` hold a label, or an empty one, for each row of each episode."""
    places = [(e, i) for e, item in enumerate(read) for i, row in item.rows() if row.by_supporter and i > 0]
    return Remembered(
        vectors=np.stack([moment_vector(read[e], i) for e, i in places]),
        groups=tuple(read[e].episode.group for e, _ in places),
        labels=tuple(labels[e][i] for e, i in places),
    )


def moment_vector(item: ReadEpisode, position: int) -> Array:
    """Where the moment before the row at `position` lies in memory."""
    return recall_vector([reading.vector for reading in item.readings[:position]])


def pool(probabilities: Array, votes: Array, weight: float, temperature: float = 1.0) -> Array:
    """The logarithmic pool along the last axis; where votes are NaN, the head alone."""
    logs = np.log(np.maximum(probabilities, _TINY)) / temperature
    mixed = np.where(np.isnan(votes), logs, (1 - weight) * logs + weight * np.log(np.maximum(votes, _TINY)))
    shifted = np.exp(mixed - mixed.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True), dtype=np.float32)


def log_loss(probabilities: Array, gold: Sequence[int]) -> float:
    """Mean negative log probability of the gold."""
    return float(-np.log(np.maximum(probabilities[np.arange(len(gold)), list(gold)], _TINY)).mean())


def best_temperature(probabilities: Array, gold: Sequence[int]) -> float:
    """The temperature of least log loss for a head alone."""
    none = np.full_like(probabilities, np.nan)
    return float(min(_TEMPERATURES, key=lambda t: log_loss(pool(probabilities, none, 0.0, float(t)), gold)))


def best_weight(probabilities: Array, votes: Array, gold: Sequence[int]) -> float:
    """The weight of memory of least log loss."""
    return round(float(min(_WEIGHTS, key=lambda w: log_loss(pool(probabilities, votes, float(w)), gold))), 2)
