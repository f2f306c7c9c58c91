"""A replay row by row: decisions are worked out as far as somebody has looked, once."""

import threading
from collections.abc import Iterator
from typing import Final, Literal

from graphs.record import DecisionRecord
from graphs.replay import replay
from rescue_agent.engines.protocol import Engine
from rescue_agent.schema import Episode

Difference = Literal["when", "whom", "how"]
DIFFERENCES: Final[tuple[Difference, ...]] = ("when", "whom", "how")
"""One speaks and the other holds; both speak, to different targets; both speak, with different strategies."""


def differences(record: DecisionRecord) -> tuple[Difference, ...]:
    """In what agent and human supporter differ after a row; what the human's annotation doesn't tell makes no difference."""
    human = record.human
    if record.intervene.speak != human.spoke:
        return ("when",)
    if not human.spoke:
        return ()
    whom: tuple[Difference, ...] = ("whom",) if human.target not in (None, record.target.best) else ()
    how: tuple[Difference, ...] = ("how",) if human.strategy not in (None, record.strategy.best) else ()
    return whom + how


class Stepping:
    """An episode and the decisions about it so far. Positions are those of `episode.rows`, from 0."""

    def __init__(self, episode: Episode, engine: Engine) -> None:
        self.episode = episode
        self._coming: Iterator[DecisionRecord] = replay(episode, engine)
        self._positions = [position for position, _ in episode.client_rows()]
        self._known: dict[int, DecisionRecord] = {}
        self._lock = threading.Lock()

    @property
    def known(self) -> dict[int, DecisionRecord]:
        """Position -> decision, as far as they are worked out."""
        return dict(self._known)

    def at(self, position: int) -> DecisionRecord | None:
        """The decision after the row at `position`; None where the human supporter speaks in it."""
        with self._lock:
            while self._waiting(position):
                self._known[self._positions[len(self._known)]] = next(self._coming)
        return self._known.get(position)

    def _waiting(self, position: int) -> bool:
        return len(self._known) < len(self._positions) and self._positions[len(self._known)] <= position

    def next_difference(self, after: int, kinds: tuple[Difference, ...] = DIFFERENCES) -> int | None:
        """The next position behind `after` where agent and human differ in one of `kinds`; None when there is no more."""
        for position in self._positions:
            if position > after and (record := self.at(position)) and set(differences(record)) & set(kinds):
                return position
        return None
