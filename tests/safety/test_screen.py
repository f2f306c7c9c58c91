"""The guard on the examples of the policy: what counts, what doesn't, and what is said then."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.replay import run_turn
from rescue_agent.moment import Moment, Utterance
from rescue_agent.safety.levels import Family, Level, Screening
from rescue_agent.safety.policy import PAUSED, respond, route
from rescue_agent.safety.screen import screen

SELF_HARM = [
    "I want to kill myself.",
    "I'm not suicidal, I just don't want to wake up",
    "You'd all be better off without me.",
    "I gave away my dog last week. It's fine.",
    "k i l l   m y s e l f",
    "i want to k1ll mys3lf",
    "She asked if I'd ever said 'I want to die'. I said yes, I want to die.",
    "Ich will nicht mehr leben.",
    "Ohne mich wäre es für alle besser.",
]
BETWEEN = [
    ("He hit me last night.", Family.PARTNER_VIOLENCE),
    ("I'm scared of what he'll do when he comes home drunk.", Family.PARTNER_VIOLENCE),
    ("She won't let me see my sister.", Family.COERCIVE_CONTROL),
    ("He locks me in when he goes out.", Family.COERCIVE_CONTROL),
    ("He reads all my messages.", Family.STALKING),
    ("Er hat mich geschlagen.", Family.PARTNER_VIOLENCE),
]
IDIOMS = [
    "This traffic is killing me.",
    "I was dying of embarrassment.",
    "Kill the lights, would you?",
    "That cake is to die for.",
    "I'm dead tired.",
    "Dad hit the roof.",
    "She beat me at chess again.",
    "My phone died.",
    "We fought all night about the money.",
    "He never lets me finish a sentence.",
    "He pushed me to apply for the job.",
    "Ich lach mich tot.",
]


@pytest.mark.parametrize("text", SELF_HARM)
def test_self_harm_is_found_however_it_is_said(text):
    found = screen(text)

    assert Family.SELF_HARM in found.families
    assert found.level >= Level.MODERATE
    assert route(found) == "crisis"


@pytest.mark.parametrize(("text", "family"), BETWEEN)
def test_violence_and_control_pause_joint_work(text, family):
    found = screen(text)

    assert family in found.families
    assert route(found) == "pause"


@pytest.mark.parametrize("text", IDIOMS)
def test_an_idiom_is_no_alarm(text):
    assert screen(text) == Screening()


@pytest.mark.parametrize(
    ("text", "family", "level"),
    [
        ("I have taken all the pills.", Family.SELF_HARM, Level.IMMINENT),
        ("He says he'll kill himself if she moves out.", Family.SELF_HARM_OF_OTHER, Level.HIGH),
        ("I'll strangle him, I swear.", Family.HARM_TO_OTHERS, Level.HIGH),
        ("My stepdad hits me.", Family.CHILD_AT_RISK, Level.HIGH),
        ("I can't breathe.", Family.MEDICAL_EMERGENCY, Level.IMMINENT),
    ],
)
def test_other_families(text, family, level):
    found = screen(text)

    assert family in found.families
    assert found.level >= level


@given(st.sampled_from([*SELF_HARM, *(text for text, _ in BETWEEN)]), st.text(max_size=200), st.text(max_size=200))
def test_added_text_on_lines_of_its_own_never_lowers_the_route(text, before, after):
    alone, together = screen(text), screen(f"{before}\n{text}\n{after}")

    assert together.level >= alone.level
    assert set(together.families) >= set(alone.families) - {Family.SELF_HARM_OF_OTHER}


@given(st.text(max_size=2000))
def test_any_text_is_screened(text):
    assert screen(text).level >= Level.NONE


RISKY = {
    Family.SELF_HARM: Level.HIGH,
    Family.SELF_HARM_OF_OTHER: Level.HIGH,
    Family.HARM_TO_OTHERS: Level.HIGH,
    Family.CHILD_AT_RISK: Level.HIGH,
    Family.MEDICAL_EMERGENCY: Level.IMMINENT,
}
NEVER = re.compile(
    r"\b(promise not to|no-suicide|contract|our secret|won't tell|only i|selfish|your fault|you are (depressed|abused|ill))\b"
    r"|\b(goodbye|pills?|rope|gun|knife|\d{3,})\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize(("family", "level"), RISKY.items())
def test_scripted_words_never_say_what_the_policy_forbids(family, level):
    for at in (level, Level.IMMINENT):
        response = respond(Screening(level=at, families=(family,)), paused=False)
        assert response is not None
        assert not NEVER.search(response.text)


def test_a_self_harm_reply_does_what_the_policy_asks():
    text = respond(Screening(level=Level.HIGH, families=(Family.SELF_HARM,)), paused=False).text.lower()
    now = respond(Screening(level=Level.IMMINENT, families=(Family.SELF_HARM,)), paused=False).text.lower()

    assert "thank you for saying" in text
    assert "are you thinking about ending your life?" in text
    assert "trained" in text
    assert "somebody you trust" in text
    assert "stay with it" in text
    for words in ("emergency services", "don't stay alone", "distance", "staying here with you"):
        assert words in now


def turn(text, speaker, engine, paused=False):
    current = Utterance(speaker=speaker, target=("Pavel" if speaker == "Orla" else "Orla",), text=text)
    return run_turn(Moment(scenario="couple", participants=("Orla", "Pavel"), current=current), engine, paused=paused)


@pytest.mark.parametrize("text", [text for text, _ in BETWEEN])
def test_a_cue_in_the_shared_room_is_answered_with_the_same_neutral_words(engine, text):
    state = turn(text, "Orla", engine)

    assert state["reply"] == PAUSED
    assert state["pauses"] is True
    for word in re.findall(r"\w{4,}", text.lower()):
        assert word not in PAUSED.lower()


class DeadEngine:
    """An engine whose every method fails, as with an endpoint that is down."""

    name, deterministic = "dead", True

    def __getattr__(self, name):
        raise ConnectionError("the endpoint is down")


def test_the_crisis_route_needs_no_engine():
    from graphs.state import SupportContext
    from graphs.support import graph

    current = Utterance(speaker="Orla", target=("Pavel",), text="I want to die.")
    moment = {"scenario": "couple", "participants": ["Orla", "Pavel"], "mode": "dialogue", "window": [], "turn": current}
    state = graph.invoke({**moment, "prior": None, "recent_replies": [], "paused": False}, context=SupportContext(engine=DeadEngine()))

    assert "Are you thinking about ending your life?" in state["reply"]
