"""What is said and done when the guard finds something: scripted words, no model.

Self-harm: acknowledge, ask directly and without leading, name a professional line and a trusted person, stay in the conversation.
Violence or control between the people in the room: joint work is paused, everybody gets the same neutral words, and the cue is never
named. The replies hold no number: the page shows the resources of the country that its reader picks.
"""

from dataclasses import dataclass
from typing import Final, Literal

from rescue_agent.safety.levels import BETWEEN_PARTICIPANTS, Family, Level, Screening


@dataclass(frozen=True)
class Response:
    """Scripted words, whom they are to (the group, always), and whether joint work is paused from now on."""

    text: str
    pauses: bool = False


PAUSED: Final = (
    "I'm not the right tool for working on this together. Here are people each of you can talk to on your own. "
    "The help button shows how to reach them, and it stays there."
)
"""The same neutral words to all, whatever was said and whoever said it; said again whenever somebody goes on."""
# ruff: noqa: E501  (words that are said)
SELF_HARM: Final = (
    "Thank you for saying that here; it matters, and I'd rather stay with it than go on. Are you thinking about ending your life? "
    "Please don't stay alone with it: the help button shows a line with people who are trained for this, and is there somebody you trust who could be with you?"
)
SELF_HARM_NOW: Final = (
    "I'm taking this very seriously, and I'm staying here with you. Please call the local emergency services now, or have somebody here call them; "
    "don't stay alone, and put some distance between you and anything you could hurt yourself with. The help button shows a line with people to talk to at any hour."
)
_OTHER_PERSON: Final = (
    "That sounds frightening, and it's good that it is said. If somebody may be in danger right now, call the local emergency services and stay with them. "
    "The help button shows a line where they, and you, can talk to people who are trained for this. Is there somebody you both trust who can be told?"
)
_HARM_TO_OTHERS: Final = (
    "I want everyone to be safe, so I'm stopping here. If somebody may get hurt, put distance between you and call the local emergency services. "
    "The help button shows people to talk to before anything happens."
)
_CHILD: Final = (
    "What matters most now is that every child is safe. If a child is in danger, call the local emergency services. "
    "The help button shows lines for children and for parents. Is there a grown-up outside this room who can be told today?"
)
MEDICAL: Final = "That may be a medical emergency. Please call the local emergency services now, and stay together until they come. Everything else can wait."


def respond(screening: Screening, *, paused: bool) -> Response | None:
    """What the supporter says instead of its own reply; None when joint work goes on.

    Args:
        paused: whether joint work was paused before. It stays so: every later response of this room pauses, too.
    """
    families = set(screening.families)
    if Family.MEDICAL_EMERGENCY in families:
        return Response(MEDICAL, paused)
    if Family.SELF_HARM in families:
        return Response(SELF_HARM_NOW if screening.level is Level.IMMINENT else SELF_HARM, paused)
    if families & BETWEEN_PARTICIPANTS or paused:
        return Response(PAUSED, pauses=True)
    scripted = {Family.SELF_HARM_OF_OTHER: _OTHER_PERSON, Family.HARM_TO_OTHERS: _HARM_TO_OTHERS, Family.CHILD_AT_RISK: _CHILD}
    return next((Response(text, paused) for family, text in scripted.items() if family in families), None)


Route = Literal["none", "crisis", "pause", "medical"]


def route(screening: Screening) -> Route:
    """Where a turn goes: on with joint work, to scripted crisis words, to the pause of joint work, or to emergency words."""
    families = set(screening.families)
    if Family.MEDICAL_EMERGENCY in families:
        return "medical"
    if Family.SELF_HARM in families:
        return "crisis"
    return "pause" if families & BETWEEN_PARTICIPANTS else "crisis" if families else "none"
