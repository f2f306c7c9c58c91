"""F22: limits answer a crowd, and a room that is spammed takes nothing from the others."""

import threading

import pytest

from rescue_agent.errors import RoomError
from rescue_agent.rooms.pace import Pace
from rescue_agent.tabs.rooms import ROOMS_AT_ONCE, TURNS_AT_ONCE

pytestmark = pytest.mark.faults


def test_f22_a_pace_lets_a_burst_through_and_then_its_rate():
    now = [0.0]
    pace = Pace(burst=3, per_second=2.0, clock=lambda: now[0])
    taken = [pace.take("a") for _ in range(5)]
    now[0] = 1.0

    assert taken == [True, True, True, False, False]
    assert [pace.take("a") for _ in range(3)] == [True, True, False]
    assert pace.take("b")


def test_f22_a_pace_keeps_nothing_of_those_who_are_calm_again():
    now = [0.0]
    pace = Pace(burst=3, per_second=2.0, clock=lambda: now[0])
    for i in range(20_000):
        pace.take(str(i))
        now[0] += 0.01

    assert len(pace) <= 5_000


def test_f22_five_hundred_joins_at_once_are_answered_with_rooms_or_with_the_limit(rooms):
    made, refused = [], []
    for i in range(500):
        try:
            made.append(rooms.create("couple", f"Orla, Pavel the {i}th"))
        except RoomError as error:
            refused.append(str(error))

    assert len(made) + len(refused) == 500
    assert ROOMS_AT_ONCE <= len(made) < 500
    assert all("too many rooms are being opened" in line for line in refused)
    assert made[-1].say("Orla", "Are you there?", "m1").speaker == "Orla"


def test_f22_a_seat_that_spams_is_refused_and_the_others_are_heard(rooms):
    spammed, calm = rooms.create("couple", "Orla, Pavel"), rooms.create("couple", "Ines, Mirek")
    tokens = {room.card.room_id: rooms.seats.issue(room.card.room_id, "participant", room.card.participants[0]) for room in (spammed, calm)}
    refused = []

    def spam(n):
        seat, room = rooms.enter(tokens[spammed.card.room_id])
        try:
            rooms.let_speak(tokens[spammed.card.room_id])
            room.say(seat.person, f"spam {n}", f"s{n}")
        except RoomError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=spam, args=(n,)) for n in range(100)]
    for thread in threads:
        thread.start()
    rooms.let_speak(tokens[calm.card.room_id])
    calm.say("Ines", "Are you there?", "m1")
    for thread in threads:
        thread.join()

    stored = [turn for turn in spammed.transcript() if turn.speaker == "Orla"]
    assert len(stored) + len(refused) == 100
    assert TURNS_AT_ONCE <= len(stored) < 50
    assert all("slow down a little" in line for line in refused)
    assert calm.transcript()[0].text == "Are you there?"


@pytest.mark.slow
def test_f22_two_hundred_rooms_at_once_lose_nothing(services, quick):
    from graphs.room import Room

    found = [Room.create("couple", ["Orla", "Pavel"], **services) for _ in range(200)]
    threads = [threading.Thread(target=lambda room=room: [room.say("Orla", f"thing {i}", f"m{i}") for i in range(3)]) for room in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [[turn.text for turn in room.transcript() if turn.speaker == "Orla"] for room in found] == [
        ["thing 0", "thing 1", "thing 2"]
    ] * 200
