"""A moment: everything an engine may see at a decision point, and nothing later.

`Moment.at` is the only way from an episode to an engine, so what it leaves out (annotations, ids, later rows) cannot leak.
"""

from enum import StrEnum
from typing import Annotated, Final

from pydantic import Field

from rescue_agent.decisions import RelationState
from rescue_agent.schema import BackgroundUtterance, Episode, InteractionCue, PersonCue, Record, Row
from rescue_agent.taxonomy import GROUP_LABEL, SUPPORTER, Scenario


class Mode(StrEnum):
    """Which cues an engine may see beside the words (RESCUE-BENCH modality settings)."""

    DIALOGUE = "dialogue"
    AUDIO = "audio"
    VISUAL = "visual"
    AUDIOVISUAL = "audiovisual"

    @property
    def hears(self) -> bool:
        """Whether the tone of voice is visible."""
        return self in (Mode.AUDIO, Mode.AUDIOVISUAL)

    @property
    def watches(self) -> bool:
        """Whether posture, face and acts are visible."""
        return self in (Mode.VISUAL, Mode.AUDIOVISUAL)


class Correction(Record):
    """What somebody says they felt in their own words, where it was read otherwise: it outweighs any reading. Intensity 0-10."""

    description: Annotated[str, Field(min_length=1, max_length=200)]
    intensity: Annotated[float, Field(ge=0, le=10)]


class Utterance(Record):
    """A row as an engine may see it: who said what to whom, and the cues of the mode. No annotation, no id, no time.

    `media` names images and sounds that go with the row (its `meta.media`); only a language model may get them, and only from
    the folder that the user set for it. `corrected` comes from the speaker in a live room, never from an annotation.
    """

    speaker: str
    target: tuple[str, ...] = ()
    text: str
    background: tuple[BackgroundUtterance, ...] = ()
    tone: str = ""
    posture: tuple[PersonCue, ...] = ()
    face: tuple[PersonCue, ...] = ()
    self_directed: tuple[PersonCue, ...] = ()
    interaction: tuple[InteractionCue, ...] = ()
    media: tuple[str, ...] = ()
    corrected: Correction | None = None

    @property
    def by_supporter(self) -> bool:
        """Whether the supporter said it."""
        return self.speaker == SUPPORTER

    @classmethod
    def of(cls, row: Row, mode: Mode = Mode.DIALOGUE) -> "Utterance":
        """Show `row` in `mode`."""
        heard = {"tone": row.tone_of_voice} if mode.hears else {}
        seen = (
            {
                "posture": row.body_posture,
                "face": row.facial_expressions,
                "self_directed": row.self_directed_behavior,
                "interaction": row.interaction_behavior,
            }
            if mode.watches
            else {}
        )
        return cls.model_validate(
            {
                "speaker": row.primary_speaker,
                "target": row.target,
                "text": row.dialogue_cleaned,
                "background": row.background_dialogue,
                "media": _media(row, mode),
                **heard,
                **seen,
            }
        )


_SOUNDS: Final = (".wav", ".mp3")


def _media(row: Row, mode: Mode) -> tuple[str, ...]:
    """The files of a row that the mode lets through: sounds are heard, everything else is seen."""
    named = row.meta.get("media")
    files = [name for name in named if isinstance(name, str)] if isinstance(named, list) else []
    return tuple(name for name in files if (mode.hears if name.lower().endswith(_SOUNDS) else mode.watches))


class Moment(Record):
    """What is known at a decision point.

    Attributes:
        context: the utterances before, oldest first.
        current: the row to read (ER, VP) or to decide after (ITP); None where the task shows only what came before.
        prior: the relation state before `context`, where somebody followed the room for longer than the context reaches.
    """

    scenario: Scenario
    participants: tuple[str, ...]
    mode: Mode = Mode.DIALOGUE
    context: tuple[Utterance, ...] = ()
    current: Utterance | None = None
    prior: RelationState | None = None

    @property
    def utterances(self) -> tuple[Utterance, ...]:
        """Context and current row together, oldest first."""
        return self.context if self.current is None else (*self.context, self.current)

    @property
    def group_label(self) -> str:
        """How the whole group is addressed: `Couple` or `Family`."""
        return GROUP_LABEL[self.scenario]

    @property
    def candidates(self) -> tuple[str, ...]:
        """Whom the supporter may address: participants known by now, then the group label; no duplicates."""
        return tuple(dict.fromkeys((*self.participants, self.group_label)))

    @classmethod
    def at(
        cls,
        episode: Episode,
        position: int,
        *,
        with_current: bool,
        window: int = -1,
        mode: Mode = Mode.DIALOGUE,
        prior: RelationState | None = None,
    ) -> "Moment":
        """Cut the moment at `position` (0-based in `episode.rows`) out of an episode.

        Args:
            with_current: whether the row at `position` itself is visible.
            window: how many rows before it are visible; -1 for all.

        Raises:
            IndexError: when `position` is outside the episode (the position after the last row is allowed without current).
        """
        if not 0 <= position < len(episode.rows) + (not with_current):
            raise IndexError(f"position {position} is outside {episode.sample_id!r} with {len(episode.rows)} rows")
        start = 0 if window < 0 else max(0, position - window)
        return cls(
            scenario=episode.scenario,
            participants=_known_by(episode, position + with_current),
            mode=mode,
            context=tuple(Utterance.of(row, mode) for row in episode.rows[start:position]),
            current=Utterance.of(episode.rows[position], mode) if with_current else None,
            prior=prior,
        )


def _known_by(episode: Episode, count: int) -> tuple[str, ...]:
    """The listed participants, then whoever else has spoken in the first `count` rows (real lists miss people)."""
    speakers = (row.primary_speaker for row in episode.rows[:count] if not row.by_supporter)
    return tuple(dict.fromkeys((*episode.participants, *speakers)))
