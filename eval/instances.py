"""What a task consists of: instances, each with the moment that an engine may see, and the gold that it may not."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Final, Literal

from pydantic import JsonValue

from rescue_agent.engines.protocol import Engine
from rescue_agent.moment import Mode, Moment
from rescue_agent.schema import Episode
from rescue_agent.taxonomy import Scenario

Gold = dict[str, JsonValue]
Answer = dict[str, JsonValue]
ProtocolName = Literal["paper", "sound"]


class TaskName(StrEnum):
    """The six tasks of RESCUE-BENCH."""

    ER = "er"
    VP = "vp"
    RPP = "rpp"
    ITP = "itp"
    STP = "stp"
    SSP = "ssp"


@dataclass(frozen=True)
class Protocol:
    """How instances are built.

    Attributes:
        window: rows of context of every task but RPP, which sees all earlier rows; -1 for all.
        checkpoints: instances a sample of ER and VP, evenly spaced; None for all.
    """

    name: ProtocolName
    window: int
    checkpoints: int | None

    @property
    def is_paper(self) -> bool:
        """Whether the paper's rules hold where they differ."""
        return self.name == "paper"


PAPER: Final = Protocol("paper", window=3, checkpoints=5)
SOUND: Final = Protocol("sound", window=-1, checkpoints=None)
PROTOCOLS: Final[dict[str, Protocol]] = {protocol.name: protocol for protocol in (PAPER, SOUND)}


@dataclass(frozen=True)
class Instance:
    """One question.

    Attributes:
        instance_id: task, sample and row: nothing of the answer is in it, and no engine sees it.
        group: the couple or family, for intervals, folds, and to keep memory from recalling it.
        candidates: whom STP ranks.
        target: whom SSP's strategy is for.
        gold: the answer, for scoring only.
    """

    task: TaskName
    instance_id: str
    group: str
    scenario: Scenario
    moment: Moment
    gold: Gold = field(repr=False)
    candidates: tuple[str, ...] = ()
    target: str = ""

    def input_hash(self, configuration: str) -> str:
        """Hash of everything that the answer may depend on: the engine's configuration and what the engine is shown."""
        shown = "\n".join((configuration, self.task, self.moment.model_dump_json(), *self.candidates, self.target))
        return sha256(shown.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Source:
    """An episode on its way to instances: its group, the protocol, and the mode."""

    episode: Episode
    group: str
    protocol: Protocol
    mode: Mode

    def instance(self, task: TaskName, position: int, gold: Gold, *, with_current: bool, window: int | None = None) -> Instance:
        """The instance at `position` (0-based row)."""
        visible = self.protocol.window if window is None else window
        return Instance(
            task=task,
            instance_id=f"{task}:{self.episode.sample_id}:{self.episode.rows[position].row_index}@{position}",
            group=self.group,
            scenario=self.episode.scenario,
            moment=Moment.at(self.episode, position, with_current=with_current, window=visible, mode=self.mode),
            gold=gold,
        )


@dataclass(frozen=True)
class Task:
    """A task: how its instances are built, what the engine is asked, and how an answer is scored.

    Attributes:
        version: raised whenever an instance, an input or a score changes.
        build: the instances of one episode.
        ask: the engine's answer to an instance, as JSON.
    """

    name: TaskName
    version: int
    build: Callable[[Source], Iterator[Instance]]
    ask: Callable[[Engine, Instance], Answer]


def evenly_spaced(items: Sequence[int], count: int | None) -> list[int]:
    """At most `count` of `items`, at the positions round(k (n-1)/(count-1)): the paper's checkpoints. All for None."""
    n = len(items)
    if count is None or n <= count:
        return list(items)
    if count <= 1:
        return list(items[:count])
    return [items[round(k * (n - 1) / (count - 1))] for k in range(count)]


def sample_of(instance_id: str) -> str:
    """The sample in an instance id (`task:sample_id:row@position`; a sample's id may hold colons)."""
    return instance_id.split(":", 1)[1].rsplit(":", 1)[0]
