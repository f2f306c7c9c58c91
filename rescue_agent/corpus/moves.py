"""What the supporter did in a row, as the benchmark's tasks STP and SSP read it."""

from rescue_agent.schema import Episode, Row
from rescue_agent.taxonomy import strategy_names


def supporter_move(episode: Episode, row: Row) -> tuple[str, str] | None:
    """The first strategy of a supporter row that counts, with its target: (strategy, participant or group label).

    Several persons collapse to the group label; the row's target stands in where the strategy has none. A target resolves when it is
    the group label, a listed participant, or somebody who speaks in the episode (paper, tasks STP and SSP).
    """
    for move in row.support_strategy if row.by_supporter else ():
        target = _resolved(episode, move.target or row.target)
        if move.strategy_type in strategy_names(episode.scenario) and target:
            return move.strategy_type, target
    return None


def _resolved(episode: Episode, target: tuple[str, ...]) -> str | None:
    people = {*episode.participants, *(row.primary_speaker for row in episode.rows if not row.by_supporter)}
    named = {name for name in target if name in people}
    if episode.group_label in target or len(named) > 1:
        return episode.group_label
    return next(iter(named), None)
