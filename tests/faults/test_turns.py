"""F11, F12, F21: turns that come at once, twice, or with a clock that jumps."""

import threading
import time

import pytest

from graphs.room import Room
from rescue_agent.rooms.log import Kind
from tests.faults.processes import OPEN, finish, start

pytestmark = pytest.mark.faults
PEOPLE = ("Orla", "Pavel")
TALK = (
    OPEN
    + """
room, name = Room.open(room_id, **services), sys.argv[3]
for i in range(25):
    room.say(name, f"{name} says {i}", f"{name}-{i}")
"""
)


def assert_nothing_is_lost(room, log):
    events = log.events(room.card.room_id)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    for name in PEOPLE:
        assert [e.body["text"] for e in events if e.kind is Kind.SAID and e.person == name] == [f"{name} says {i}" for i in range(25)]
    said = [event.seq for event in events if event.kind is Kind.SAID]
    answered = [event.body["answers"] for event in events if event.kind in (Kind.REPLIED, Kind.HELD)]
    assert len(said) == 50
    assert sorted(answered) == said


def test_f11_two_people_in_two_threads_lose_no_turn_and_get_one_answer_each(room, services):
    def talk(name):
        for i in range(25):
            room.say(name, f"{name} says {i}", f"{name}-{i}")

    threads = [threading.Thread(target=talk, args=(name,)) for name in PEOPLE]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert_nothing_is_lost(room, services["log"])


@pytest.mark.slow
def test_f11_two_people_in_two_processes_lose_no_turn_and_get_one_answer_each(room, services, tmp_path):
    children = [start(TALK, tmp_path, room.card.room_id, name) for name in PEOPLE]

    assert [finish(child)[0] for child in children] == [0, 0]
    assert_nothing_is_lost(room, services["log"])


def test_f11_appends_of_ten_threads_are_all_stored_in_their_order(services):
    log = services["log"]
    threads = [threading.Thread(target=lambda i=i: [log.append("r", f"{i}-{j}", Kind.SAID, str(i)) for j in range(5)]) for i in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    events = log.events("r")

    assert [event.seq for event in events] == list(range(1, 51))
    for i in range(10):
        assert [e.message_id for e in events if e.person == str(i)] == [f"{i}-{j}" for j in range(5)]


def test_f12_the_same_message_five_times_is_one_turn_and_one_reply(room):
    decisions = [room.say("Orla", "You never told me.", "m1") for _ in range(5)]

    assert decisions == [decisions[0]] * 5
    assert len([turn for turn in room.transcript() if turn.speaker == "Orla"]) == 1
    assert len(room.decisions()) == 1


def test_f12_the_same_message_from_five_threads_is_one_turn_and_one_reply(room):
    threads = [threading.Thread(target=room.say, args=("Orla", "You never told me.", "m1")) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len([turn for turn in room.transcript() if turn.speaker == "Orla"]) == 1
    assert len(room.decisions()) == 1


@pytest.mark.parametrize("jump", [-86_400.0, -3_600.0, 3_600.0], ids=["a day back", "summer time ends", "summer time begins"])
def test_f21_a_clock_that_jumps_changes_no_order(room, services, monkeypatch, jump):
    room.say("Orla", "First.", "m1")
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + jump)
    room.say("Pavel", "Second.", "m2")
    monkeypatch.undo()
    room.say("Orla", "Third.", "m3")

    for opened in (room, Room.open(room.card.room_id, **services)):
        assert [turn.text for turn in opened.transcript() if turn.speaker in PEOPLE] == ["First.", "Second.", "Third."]
    times = [event.at for event in services["log"].events(room.card.room_id)]
    assert times != sorted(times)
