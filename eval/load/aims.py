"""A figure with its aim beside it; a missed one says so."""

from statistics import median


def at_most(figure: float, aim: float, unit: str) -> str:
    """The figure of something of which little is wanted."""
    return _beside(figure, unit, f"at most {aim:g}", met=figure <= aim)


def at_least(figure: float, aim: float, unit: str) -> str:
    """The figure of something of which much is wanted."""
    return _beside(figure, unit, f"at least {aim:g}", met=figure >= aim)


def _beside(figure: float, unit: str, aim: str, *, met: bool) -> str:
    return f"{figure:.1f}{unit} (aim {aim}{'' if met else ', MISSED'})"


def p50(seconds: list[float]) -> float:
    """The median, in milliseconds."""
    return median(seconds) * 1000


def p95(seconds: list[float]) -> float:
    """What 95 of 100 stay under, in milliseconds."""
    return sorted(seconds)[int(0.95 * len(seconds))] * 1000
