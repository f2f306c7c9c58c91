"""Metrics of a ranking: recall@1/2/3 and MRR@3 (paper, tasks STP and SSP)."""

from collections.abc import Sequence
from typing import Final

from eval.metrics.additive import Metric, mean_metric

DEPTHS: Final = (1, 2, 3)


def recall_at(ranking: Sequence[str], gold: str, k: int) -> float:
    """1 if the gold is within the first `k`, else 0."""
    return float(gold in ranking[:k])


def reciprocal_rank(ranking: Sequence[str], gold: str, depth: int = 3) -> float:
    """1 / rank if the gold is within the first `depth`, else 0."""
    return 1 / (ranking.index(gold) + 1) if gold in ranking[:depth] else 0.0


def ranking_metrics(rankings: Sequence[Sequence[str]], gold: Sequence[str]) -> list[Metric]:
    """Means over all instances; an answer that could not be read is an empty ranking, and wrong."""
    pairs = list(zip(rankings, gold, strict=True))
    recalls = [mean_metric(f"recall_at_{k}", [recall_at(ranking, true, k) for ranking, true in pairs]) for k in DEPTHS]
    return [*recalls, mean_metric("mrr_at_3", [reciprocal_rank(ranking, true) for ranking, true in pairs])]
