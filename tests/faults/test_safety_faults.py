"""F23, F24: crisis phrases however they are hidden, what only sounds like one, and a pause that nothing lifts or explains."""

import re

import pytest

from graphs.room import Room
from rescue_agent.errors import RoomError
from rescue_agent.rooms.log import RoomLog
from rescue_agent.safety.levels import Family, Level
from rescue_agent.safety.policy import PAUSED
from rescue_agent.safety.screen import screen
from tests.faults.test_damaged_files import spoil
from tests.safety.test_screen import IDIOMS

pytestmark = pytest.mark.faults
SPAM = "Buy the soup now! " * 100
SAID = "I want to kill myself"
HIDDEN = {
    "mid-spam": f"{SPAM}{SAID}. {SPAM}",
    "at the end of the longest turn": f"{'la ' * 1600}{SAID}",
    "quoted": f'She asked what I meant by "{SAID}".',
    "misspelt": "i wnat to kil myself",
    "leetspeak": "i w4nt to k1ll mys3lf",
    "spaced": "k i l l  m y s e l f",
    "denied": "I'm not suicidal, I just don't want to wake up.",
    "with marks": "I want to k\u0336i\u0336l\u0336l\u0336 myself",
    "full width": "Ｉ ｗａｎｔ ｔｏ ｋｉｌｌ ｍｙｓｅｌｆ",
    "zero width": "I want to ki\u200bll my\u200bself",
    "lines": "I want to\nkill\nmyself",
    "capitals": "I WANT TO KILL MYSELF",
}
ASKED = [
    ("Pavel", "Why did you stop?"),
    ("Orla", "Why did you stop?"),
    ("Pavel", "What did she say? Was it me?"),
    ("Orla", "Go on, please."),
]
CUES = ["He hit me again last night.", "She won't let me see my sister.", "He locks me in when he goes out."]


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN.keys())
def test_f23_a_crisis_phrase_is_found_however_it_is_hidden(text):
    found = screen(text)

    assert Family.SELF_HARM in found.families
    assert found.level >= Level.MODERATE


@pytest.mark.parametrize("text", IDIOMS)
def test_f23_an_idiom_is_none_even_among_spam(text):
    assert screen(text).level <= Level.DISTRESS
    assert screen(f"{SPAM}{text} {SPAM}").level <= Level.DISTRESS


@pytest.mark.parametrize("cue", CUES)
def test_f24_a_pause_outlives_a_restart_and_is_never_explained(cue, room, services):
    room.say("Orla", cue, "m1")
    again = Room.open(room.card.room_id, **services)
    answers = [again.say(who, asked, f"q{i}").reply for i, (who, asked) in enumerate(ASKED)]

    assert again.paused
    assert answers == [PAUSED] * len(ASKED)
    said = [turn for turn in again.transcript() if turn.speaker == "Therapist"]
    assert {turn.target for turn in said} == {("Couple",)}
    assert not set(re.findall(r"\w{4,}", cue.lower())) & set(re.findall(r"\w{4,}", PAUSED.lower()))


def test_f24_erasing_and_taking_back_do_not_lift_a_pause(room):
    room.say("Orla", CUES[0], "m1")
    room.undo("Orla", "u1")
    assert room.paused
    room.erase_words("Orla")

    assert room.paused
    assert room.say("Pavel", "Shall we go on?", "m2").reply == PAUSED
    assert room.balance().index is None


def test_f24_a_pause_outlives_the_damage_of_its_file(room, services):
    room.say("Orla", CUES[0], "m1")
    for i in range(40):
        room.hear("Pavel", f"thing {i} " + "word " * 300, f"m-{i}")
    spoil(services["log"].path, "tail cut")
    with pytest.raises(RoomError, match="damaged"):
        RoomLog(services["log"].path)

    assert Room.open(room.card.room_id, **services, recover=False).paused
