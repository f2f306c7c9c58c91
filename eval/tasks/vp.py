"""VP, viewpoint prediction: what the speaker of a row thinks of others present."""

from collections.abc import Iterator
from typing import Final

from pydantic import JsonValue

from eval.instances import Answer, Instance, Source, Task, TaskName, evenly_spaced
from rescue_agent.engines.protocol import Engine


def build(source: Source) -> Iterator[Instance]:
    """Client rows with a viewpoint of their speaker; five a sample in the paper."""
    rows = source.episode.rows
    usable = [
        i for i, row in enumerate(rows) if not row.by_supporter and any(v.source == row.primary_speaker for v in row.viewpoints_attitudes)
    ]
    for i in evenly_spaced(usable, source.protocol.checkpoints):
        own = [v for v in rows[i].viewpoints_attitudes if v.source == rows[i].primary_speaker]
        views: list[JsonValue] = [{"source": v.source, "target": v.target, "viewpoint": v.viewpoint} for v in own]
        yield source.instance(TaskName.VP, i, {"viewpoints": views}, with_current=True)


def ask(engine: Engine, instance: Instance) -> Answer:
    """Directed viewpoints with their probabilities."""
    views = engine.predict_viewpoints(instance.moment)
    return {"viewpoints": [v.model_dump(mode="json") for v in views]}


TASK: Final = Task(TaskName.VP, 1, build, ask)
