"""Routing levels and families of risk. A level is a route, never a score, and is never shown to anybody."""

from enum import IntEnum, StrEnum

from rescue_agent.schema import Record


class Level(IntEnum):
    """How urgently human help is called for."""

    NONE = 0
    DISTRESS = 1
    LOW = 2
    MODERATE = 3
    HIGH = 4
    IMMINENT = 5


class Family(StrEnum):
    """What the risk is about."""

    SELF_HARM = "self_harm"
    SELF_HARM_OF_OTHER = "self_harm_of_other"
    HARM_TO_OTHERS = "harm_to_others"
    PARTNER_VIOLENCE = "partner_violence"
    COERCIVE_CONTROL = "coercive_control"
    CHILD_AT_RISK = "child_at_risk"
    STALKING = "stalking"
    MEDICAL_EMERGENCY = "medical_emergency"


BETWEEN_PARTICIPANTS = frozenset({Family.PARTNER_VIOLENCE, Family.COERCIVE_CONTROL, Family.STALKING})
"""Families that may be between the people in the room: joint work is paused for them, and the cue is never named."""


class Screening(Record):
    """What the guard found in one text."""

    level: Level = Level.NONE
    families: tuple[Family, ...] = ()

    @property
    def clear(self) -> bool:
        """Whether there is nothing to route."""
        return self.level <= Level.DISTRESS
