"""A proportion with its Wilson interval."""

from scipy.stats import binomtest


def wilson(successes: int, n: int) -> tuple[float, float]:
    """The 95 % Wilson interval of `successes` of `n`; (0, 1) for n = 0."""
    if n == 0:
        return 0.0, 1.0
    interval = binomtest(successes, n).proportion_ci(confidence_level=0.95, method="wilson")
    return float(interval.low), float(interval.high)
