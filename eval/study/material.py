"""What a study step learns from and is judged on: examples of the training split, and of the dev split as the engine would read it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from rescue_agent.corpus.splits import bundled_episodes
from rescue_agent.embedding import Embedder
from rescue_agent.engines.embedded.examples import (
    ReadEpisode,
    intervention_examples,
    pattern_examples,
    strategy_examples,
    type_examples,
)
from rescue_agent.engines.embedded.heads import Array, HeadSet
from rescue_agent.engines.embedded.training import fit, read_as_engine, read_out_of_fold
from rescue_agent.moment import Mode
from rescue_agent.taxonomy import Scenario

Examples = Callable[[Sequence[ReadEpisode]], Iterator[tuple[Array, str]]]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Table:
    """Examples of one decision.

    Attributes:
        x: features, shape (n, n_features).
        y: labels, shape (n,).
        groups: the couple or family of each example, shape (n,).
    """

    x: Array
    y: NDArray[np.str_]
    groups: NDArray[np.str_]

    @classmethod
    def of(cls, read: Sequence[ReadEpisode], examples: Examples) -> Self:
        """The examples of `read`."""
        found = [(x, y, item.episode.group) for item in read for x, y in examples([item])]
        return cls(np.stack([x for x, _, _ in found]), np.array([y for _, y, _ in found]), np.array([g for *_, g in found]))

    def with_columns(self, mask: Mask, factor: float) -> "Table":
        """The same examples with the columns of `mask` multiplied by `factor`; 0 takes them out."""
        return replace(self, x=np.where(mask, self.x * np.float32(factor), self.x))


@dataclass(frozen=True)
class Decision:
    """A decision as the study sees it: its examples, and the scenario where each has heads of its own."""

    name: str
    examples: Examples
    scenario: Scenario | None = None

    def of(self, read: Sequence[ReadEpisode]) -> Table:
        """Its examples in `read`."""
        return Table.of([item for item in read if self.scenario in (None, item.episode.scenario)], self.examples)


DECISIONS: Final = (
    Decision("type", type_examples),
    Decision("pattern, couple", pattern_examples, "couple"),
    Decision("pattern, family", pattern_examples, "family"),
    Decision("intervene", intervention_examples),
    Decision("strategy, couple", strategy_examples, "couple"),
    Decision("strategy, family", strategy_examples, "family"),
)


class Material:
    """Read episodes of both splits. The training split is read out of fold, the dev split by heads of the training split."""

    def __init__(self, embedder: Embedder, mode: Mode = Mode.DIALOGUE) -> None:
        self.embedder, self._mode = embedder, mode

    @cached_property
    def train(self) -> list[ReadEpisode]:
        """The training split."""
        return read_out_of_fold(bundled_episodes("train"), self.embedder, mode=self._mode)

    @cached_property
    def heads(self) -> HeadSet:
        """Heads of the training split, in dialogue mode, as the engine ships them."""
        return fit(bundled_episodes("train"), self.embedder)

    @cached_property
    def dev(self) -> list[ReadEpisode]:
        """The dev split."""
        return read_as_engine(bundled_episodes("dev"), self.heads, self.embedder, mode=self._mode)

    def in_mode(self, mode: Mode) -> "Material":
        """The same episodes, as seen in another mode."""
        return Material(self.embedder, mode)

    def tables(self, decision: Decision) -> tuple[Table, Table]:
        """The examples of both splits."""
        return decision.of(self.train), decision.of(self.dev)

    def columns(self, decision: Decision, field: str) -> Mask:
        """The feature columns that hold `field` of a reading (`vector`, `types`, `lexical`): those that turn NaN when it is NaN."""
        item = next(item for item in self.train if decision.scenario in (None, item.episode.scenario))
        blank = tuple(replace(r, **{field: np.full_like(getattr(r, field), np.nan)}) for r in item.readings)
        probed = [x for x, _ in decision.examples([replace(item, readings=blank)])]
        return np.asarray(np.isnan(probed).any(axis=0))
