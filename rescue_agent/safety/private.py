# ruff: noqa: E501  (words that are said)
"""The private channel: one participant and scripted words, in memory only, with nothing of the room in reach.

There is a wall between it and the room: this module knows no room, no log and no engine, stores nothing, and takes no lock, so what is said here can be
neither recalled nor counted nor hinted at there, and using it changes nothing that another participant can see.

The words plan for safety with people. They name no exercise to do together, give no advice about the other person, tell nobody to leave
or to confront, put no label on anybody, and ask nothing that leads or makes small.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from rescue_agent.safety.levels import BETWEEN_PARTICIPANTS, Family, Level
from rescue_agent.safety.normalise import plain
from rescue_agent.safety.policy import MEDICAL, SELF_HARM, SELF_HARM_NOW
from rescue_agent.safety.rules import HARM_HELP
from rescue_agent.safety.screen import screen

WELCOME: Final = (
    "This is between you and this page: nothing from here reaches the shared room, and nothing is stored. Somebody may see this device: "
    '"Leave quickly" closes the page at once and empties this talk. What would you like to say here?'
)
_UNSAFE: Final = (
    "Thank you for telling me. Nothing of it goes to the shared room, and what you do with it is yours to decide. Are you safe where you are right now? If anybody may be hurt, call your local emergency services.",
    "Some people find it helps to think ahead, with somebody they trust: who could be called at any hour, where one could go for a night, and where papers, keys and some money are. Who would be that person for you?",
    "The help button has lines whose people know about this and talk in confidence; they can plan with you at your pace. A device that others can look into may keep traces, so a phone of somebody you trust is safer for such a call.",
)
_NO_HELP_WITH: Final = "I can't help with following somebody, reading their messages, or keeping them from going. If worry is behind it, I'm glad to hear about that, and the help button has people to talk to."
_OPEN: Final = (
    "Thank you. Is there more to it that you would like somebody to know?",
    "That is heard, and it stays here. What weighs most in it for you?",
    "Take your time. What would be good to have thought about before you go back?",
)
_FAMILIES: Final = BETWEEN_PARTICIPANTS | {Family.CHILD_AT_RISK, Family.HARM_TO_OTHERS}


@dataclass
class PrivateTalk:
    """What one participant and the page have said to each other; gone when the object is."""

    lines: list[tuple[bool, str]] = field(default_factory=lambda: [(False, WELCOME)])
    _unsafe: int = 0
    _open: int = 0

    def say(self, text: str) -> str:
        """Take in what the participant says, and answer with scripted words."""
        answer = self._answer(text)
        self.lines += [(True, text), (False, answer)]
        return answer

    def _answer(self, text: str) -> str:
        found = screen(text)
        families = set(found.families)
        if Family.MEDICAL_EMERGENCY in families:
            return MEDICAL
        if Family.SELF_HARM in families:
            return SELF_HARM_NOW if found.level is Level.IMMINENT else SELF_HARM
        if re.search(HARM_HELP, plain(text)):
            return _NO_HELP_WITH
        # once danger has been spoken of, the talk stays with safety
        if families & _FAMILIES or self._unsafe:
            self._unsafe += 1
            return _UNSAFE[(self._unsafe - 1) % len(_UNSAFE)]
        self._open += 1
        return _OPEN[(self._open - 1) % len(_OPEN)]
