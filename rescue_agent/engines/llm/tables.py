"""The taxonomy as text for a prompt: labels with their definitions and tie-breaks."""

from collections.abc import Sequence

from rescue_agent.taxonomy import NO_STRATEGY, PATTERNS, STRATEGIES, Label, Scenario


def pattern_table(scenario: Scenario) -> str:
    """A line for each relation pattern."""
    return _table(PATTERNS[scenario])


def strategy_table(scenario: Scenario) -> str:
    """A line for each strategy, and what carries none."""
    return f"{_table(STRATEGIES[scenario])}\n({NO_STRATEGY})"


def _table(labels: Sequence[Label]) -> str:
    return "\n".join(f"- {label.name}: {label.definition} {label.tie_break}".rstrip() for label in labels)
