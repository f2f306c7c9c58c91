"""ITP, intervention time prediction: does the supporter speak after this row?"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from eval.instances import Answer, Instance, Source, Task, TaskName, evenly_spaced
from rescue_agent.engines.protocol import Engine


def build(source: Source) -> Iterator[Instance]:
    """Client rows with a row after them. The paper keeps as many that hold as that speak, evenly spaced; a sample needs both."""
    follows = {i: after.by_supporter for i, (row, after) in enumerate(pairwise(source.episode.rows)) if not row.by_supporter}
    for i in sorted(_balanced(follows) if source.protocol.is_paper else follows):
        yield source.instance(TaskName.ITP, i, {"speak": follows[i]}, with_current=True)


def _balanced(follows: dict[int, bool]) -> list[int]:
    speaks, holds = ([i for i, speak in follows.items() if speak is wanted] for wanted in (True, False))
    kept = min(len(speaks), len(holds))
    return evenly_spaced(speaks, kept) + evenly_spaced(holds, kept)


def ask(engine: Engine, instance: Instance) -> Answer:
    """Yes or no, with the probability of yes."""
    decision = engine.decide_intervention(instance.moment)
    return {"speak": decision.speak, "probability": decision.probability, "reason": decision.reason}


TASK: Final = Task(TaskName.ITP, 1, build, ask)
