"""RPP, relation pattern prediction: what is going on between them, from everything before the labelled row."""

from collections.abc import Iterator
from typing import Final

from eval.instances import Answer, Instance, Source, Task, TaskName
from rescue_agent.engines.protocol import Engine
from rescue_agent.taxonomy import pattern_names


def build(source: Source) -> Iterator[Instance]:
    """Rows with a relation_cycle_state of the taxonomy; all earlier rows are visible in both protocols, the row itself is not."""
    for i, row in enumerate(source.episode.rows):
        if row.relation_cycle_state in pattern_names(source.episode.scenario):
            yield source.instance(TaskName.RPP, i, {"label": row.relation_cycle_state}, with_current=False, window=-1)


def ask(engine: Engine, instance: Instance) -> Answer:
    """All patterns, best first."""
    ranking = engine.predict_pattern(instance.moment)
    return {"ranking": [[label, p] for label, p in ranking.ranking], "reason": ranking.reason}


TASK: Final = Task(TaskName.RPP, 1, build, ask)
