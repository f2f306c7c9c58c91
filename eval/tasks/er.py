"""ER, emotion recognition: what the speaker of a row feels, in words and with an intensity."""

from collections.abc import Iterator
from math import ceil
from typing import Final

from eval.instances import Answer, Instance, Source, Task, TaskName, evenly_spaced
from rescue_agent.engines.protocol import Engine
from rescue_agent.schema import InternalEmotion, Row

MIN_WORDS: Final = 3
"""The release asks for "enough words" without a number that we know; three keeps out fillers."""
_EARLY: Final = 0.3


def build(source: Source) -> Iterator[Instance]:
    """Client rows whose own emotion has words and an intensity of 0-10. The paper leaves out the first 30 % and takes five a sample."""
    rows = source.episode.rows
    usable = [i for i, row in enumerate(rows) if gold_emotion(row) and len(row.dialogue_cleaned.split()) >= MIN_WORDS]
    if source.protocol.is_paper:
        first = min(ceil(_EARLY * len(rows)) + 1, len(rows))
        usable = [i for i in usable if rows[i].row_index >= first]
    for i in evenly_spaced(usable, source.protocol.checkpoints):
        emotion = gold_emotion(rows[i])
        if emotion:
            gold: Answer = {"description": emotion.emotion_description, "intensity": emotion.intensity}
            yield source.instance(TaskName.ER, i, gold, with_current=True)


def gold_emotion(row: Row) -> InternalEmotion | None:
    """The speaker's first emotion, if it has words and an intensity that rounds to 0..10."""
    own = next((e for e in row.internal_emotion if e.person == row.primary_speaker), None)
    if row.by_supporter or own is None or not own.emotion_description.strip() or own.intensity is None:
        return None
    return own if 0 <= round(own.intensity) <= 10 else None


def ask(engine: Engine, instance: Instance) -> Answer:
    """Description and intensity."""
    emotion = engine.recognise_emotion(instance.moment)
    return {"description": emotion.description, "intensity": emotion.intensity, "reason": emotion.reason}


TASK: Final = Task(TaskName.ER, 1, build, ask)
