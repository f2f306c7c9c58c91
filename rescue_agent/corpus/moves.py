"""What the supporter did in a row, as the benchmark's tasks STP and SSP read it."""

from rescue_agent.schema import Episode, Row
from rescue_agent.taxonomy import strategy_names


def supporter_move(episode: Episode, row: Row) -> tuple[str, str] | None:
    """The first strategy of a supporter row that counts, with its target: (strategy, participant or group label).

    Several persons collapse to the group label; the row's target stands in where the strategy has none (paper, task STP).
    """
    for move in row.support_strategy if row.by_supporter else ():
        target = move.target or row.target
        if move.strategy_type in strategy_names(episode.scenario) and target:
            return move.strategy_type, target[0] if len(set(target)) == 1 else episode.group_label
    return None
