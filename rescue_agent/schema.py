"""The RESCUE schema (arXiv 2609.09657, public release) as frozen records.

Field names are the file's own. Labels stay plain strings here: real files hold labels outside the taxonomy and empty ones, and a
reader that dropped them would lose rows; `rescue_agent.taxonomy` says which are known.
"""

from collections.abc import Iterator
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, JsonValue, PlainSerializer

from rescue_agent.taxonomy import GROUP_LABEL, SUPPORTER, Scenario


class Record(BaseModel):
    """Base of every record: immutable, and an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


NullableText = Annotated[str, BeforeValidator(lambda v: v or ""), PlainSerializer(lambda v: v or None)]
"""Text that the file writes as null where there is none; here it is the empty string."""


class BackgroundUtterance(Record):
    """Something said under or over the row by somebody else."""

    speaker: str
    target: tuple[str, ...] = ()
    content: str = ""


class PersonCue(Record):
    """A visible cue of one person: posture, face, or what the person does with themself."""

    person: str
    description: str


class InteractionCue(Record):
    """A visible act of one person toward others."""

    initiator: str
    target: tuple[str, ...] = ()
    description: str


class InternalEmotion(Record):
    """What a person feels, as a short phrase. `intensity` is on 0-10; None where the annotator gave no usable number."""

    person: str
    emotion_description: str
    intensity: float | None = None


class ViewpointAttitude(Record):
    """What `source` thinks of `target`, another person present, and with which attitude."""

    source: str
    target: str
    viewpoint: str
    attitude: str = ""


class SupportStrategy(Record):
    """A move of the supporter: its label, whom it is for, and what it does in words."""

    provider: str = SUPPORTER
    target: tuple[str, ...] = ()
    strategy_type: str
    strategy_content: str = ""


class Row(Record):
    """One annotated turn. Times are seconds from the start of the sample; None where a format has none."""

    row_index: int
    start_time: float | None = None
    end_time: float | None = None
    primary_speaker: str
    target: tuple[str, ...] = ()
    dialogue_cleaned: str
    utterance_type: str = ""
    background_dialogue: tuple[BackgroundUtterance, ...] = ()
    tone_of_voice: str = ""
    body_posture: tuple[PersonCue, ...] = ()
    facial_expressions: tuple[PersonCue, ...] = ()
    self_directed_behavior: tuple[PersonCue, ...] = ()
    interaction_behavior: tuple[InteractionCue, ...] = ()
    internal_emotion: tuple[InternalEmotion, ...] = ()
    viewpoints_attitudes: tuple[ViewpointAttitude, ...] = ()
    support_strategy: tuple[SupportStrategy, ...] = ()
    relation_cycle_state: str = ""
    relation_cycle_reason: str = ""
    relation_cycle_evidence_rows: tuple[int, ...] = ()
    relation_pattern: NullableText = ""
    relation_pattern_reason: NullableText = ""
    relation_pattern_evidence_rows: tuple[int, ...] = ()
    meta: dict[str, JsonValue] = {}

    @property
    def by_supporter(self) -> bool:
        """Whether the supporter speaks in this row."""
        return self.primary_speaker == SUPPORTER


class Episode(Record):
    """A RESCUE sample or a finished session. `sample_id` is `group/segment`."""

    sample_id: str
    scenario: Scenario
    participants: tuple[str, ...]
    source_file: str = ""
    rows: tuple[Row, ...] = ()
    meta: dict[str, JsonValue] = {}

    @property
    def group(self) -> str:
        """The couple or family that this episode belongs to: the part of `sample_id` before the first slash."""
        return self.sample_id.split("/", 1)[0]

    @property
    def group_label(self) -> str:
        """How the whole group is addressed: `Couple` or `Family`."""
        return GROUP_LABEL[self.scenario]

    def client_rows(self) -> Iterator[tuple[int, Row]]:
        """Yield (position in `rows`, row) for every row that a participant speaks."""
        return ((i, row) for i, row in enumerate(self.rows) if not row.by_supporter)
