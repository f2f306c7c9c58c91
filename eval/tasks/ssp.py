"""SSP, support strategy prediction: with which move, given whom it is for."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from eval.instances import Answer, Instance, Source, Task, TaskName
from rescue_agent.corpus.moves import supporter_move
from rescue_agent.engines.protocol import Engine


def build(source: Source) -> Iterator[Instance]:
    """The rows of STP, with the true target given."""
    for i, row in enumerate(source.episode.rows):
        move = supporter_move(source.episode, row)
        if move:
            yield replace(source.instance(TaskName.SSP, i, {"label": move[0]}, with_current=False), target=move[1])


def ask(engine: Engine, instance: Instance) -> Answer:
    """All strategies of the scenario, best first."""
    ranking = engine.rank_strategies(instance.moment, instance.target)
    return {"ranking": [[label, p] for label, p in ranking.ranking], "reason": ranking.reason}


TASK: Final = Task(TaskName.SSP, 1, build, ask)
