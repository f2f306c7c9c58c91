"""What a run is to score: episodes, tasks, protocol, mode."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from eval.instances import PROTOCOLS, Instance, Protocol, Source, TaskName
from eval.runner import build_instances
from rescue_agent.corpus.groups import group_of
from rescue_agent.moment import Mode
from rescue_agent.schema import Episode


@dataclass(frozen=True)
class Plan:
    """What is to be scored and how."""

    episodes: Sequence[Episode]
    tasks: Sequence[TaskName]
    protocol: Protocol
    mode: Mode
    seed: int
    limit: int | None = None

    @cached_property
    def groups(self) -> dict[str, str]:
        """sample_id -> couple or family."""
        return group_of(self.episodes)

    @cached_property
    def instances(self) -> list[Instance]:
        """Every instance of the plan; with a limit, at most so many of each task, evenly from the data's order."""
        sources = [Source(e, self.groups[e.sample_id], self.protocol, self.mode) for e in self.episodes]
        built = build_instances(sources, self.tasks)
        if self.limit is None:
            return built
        return [i for task in self.tasks for i in _spread([x for x in built if x.task == task], self.limit)]

    @cached_property
    def known_ids(self) -> frozenset[str]:
        """The ids of all instances that the episodes hold, of any task, by any protocol, without a limit."""
        plans = [replace(self, tasks=tuple(TaskName), protocol=protocol, limit=None) for protocol in PROTOCOLS.values()]
        return frozenset(instance.instance_id for plan in plans for instance in plan.instances)


def _spread(instances: Sequence[Instance], limit: int) -> list[Instance]:
    if len(instances) <= limit:
        return list(instances)
    return [instances[k * len(instances) // limit] for k in range(limit)]
