"""The private channel: what it says, what it never says, and the wall to the room."""

import ast
import re
from pathlib import Path

import pytest

import rescue_agent.safety.private as private
from rescue_agent.safety.policy import SELF_HARM
from rescue_agent.safety.private import WELCOME, PrivateTalk

UNSAFE = ["He hit me last night.", "She won't let me see my sister.", "He reads all my messages.", "Er hat mich geschlagen."]
FORBIDDEN = re.compile(
    r"\b(leave (him|her|them)|confront|abus\w+|narciss\w+|toxic|calm down|are you sure|didn't you|both of you)\b", re.IGNORECASE
)


@pytest.mark.parametrize("text", UNSAFE)
def test_danger_is_met_with_people_and_planning(text):
    talk = PrivateTalk()
    answers = [talk.say(text), talk.say("yes"), talk.say("I don't know")]

    assert "local emergency services" in answers[0]
    assert "Nothing of it goes to the shared room" in answers[0]
    assert "who could be called at any hour" in answers[1]
    assert "help button" in answers[2]
    assert not any(FORBIDDEN.search(answer) for answer in answers)


def test_self_harm_gets_the_crisis_words_and_spying_gets_no_help():
    assert PrivateTalk().say("I want to kill myself.") == SELF_HARM
    assert "can't help with following" in PrivateTalk().say("How can I read her messages without her noticing?")


def test_it_begins_with_what_a_device_may_give_away():
    assert PrivateTalk().lines == [(False, WELCOME)]
    assert "may see this device" in WELCOME


def test_it_has_nothing_of_the_room_in_reach():
    """The wall is in the imports: no room, no log, no engine, no file."""
    tree = ast.parse(Path(private.__file__).read_text())
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}

    assert not {
        name for name in imported if name.startswith(("graphs", "rescue_agent.rooms", "rescue_agent.engines", "rescue_agent.memory"))
    }
