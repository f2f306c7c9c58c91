"""A live room over its real log, with the real engine."""

import subprocess
import sys

import pytest

from graphs.room import MAX_TURN, Room
from rescue_agent.corpus.rescue import read_episodes, write_episodes
from rescue_agent.errors import RoomError
from rescue_agent.rooms.lock import room_lock
from rescue_agent.rooms.log import RoomLog


@pytest.fixture
def services(tmp_path, engine):
    return {"log": RoomLog(tmp_path / "rooms.sqlite"), "engine": engine, "folder": tmp_path}


@pytest.fixture
def room(services):
    return Room.create("couple", ["Orla", "Pavel"], **services)


def texts(room):
    return [(turn.speaker, turn.text) for turn in room.transcript()]


def test_what_is_said_is_shown_with_the_reply_behind_it(room):
    decision = room.say("Orla", "You never told me you'd be late.", "m1")

    expected = [("Orla", "You never told me you'd be late.")] + ([("Therapist", decision.reply)] if decision.reply else [])
    assert texts(room) == expected


def test_taking_back_a_turn_takes_back_its_reply(room):
    room.say("Orla", "Good evening.", "m1")
    before = texts(room)
    room.say("Orla", "You are hopeless.", "m2")
    room.undo("Orla", "u1")

    assert texts(room) == before


def test_nothing_to_take_back_is_said_plainly(room):
    with pytest.raises(RoomError, match="Pavel has nothing to take back"):
        room.undo("Pavel", "u1")


def test_a_room_that_is_opened_again_is_the_same_room(room, services):
    for i, text in enumerate(["You never told me.", "I did tell you.", "When? When did you tell me?"]):
        room.say(("Orla", "Pavel")[i % 2], text, f"m{i}")
    again = Room.open(room.card.room_id, **services)

    assert again.transcript() == room.transcript()
    assert again.decisions() == room.decisions()


def test_an_export_reads_back_as_the_same_episode(room, tmp_path):
    for i, text in enumerate(["You never told me.", "Leave it.", "I sat in the car and counted the lamps."]):
        room.say(("Orla", "Pavel")[i % 2], text, f"m{i}")
    episode = room.export()
    write_episodes([episode], tmp_path / "room.jsonl")

    assert list(read_episodes(tmp_path / "room.jsonl").episodes) == [episode]
    assert [row.primary_speaker for row in episode.rows] == [turn.speaker for turn in room.transcript()]


@pytest.mark.parametrize(
    ("speaker", "text", "problem"),
    [
        ("Zed", "hello", "'Zed' is not in this room"),
        ("Orla", "  ", "empty turn"),
        ("Orla", "x" * (MAX_TURN + 1), "at most 5000 characters"),
    ],
)
def test_a_turn_that_cannot_be_taken_stores_nothing(room, speaker, text, problem):
    with pytest.raises(RoomError, match=problem):
        room.say(speaker, text, "m1")

    assert room.transcript() == ()


@pytest.mark.parametrize(
    ("scenario", "names"), [("couple", ["Orla"]), ("couple", ["A", "B", "C"]), ("family", ["Orla"]), ("couple", ["Bob", "Bоb"])]
)
def test_a_room_needs_the_right_people(services, scenario, names):
    with pytest.raises(RoomError):
        Room.create(scenario, names, **services)


def test_another_process_sees_the_same_room(room, tmp_path):
    room.say("Orla", "From here.", "m1")
    script = (
        "import sys; from pathlib import Path; from rescue_agent.rooms.log import RoomLog\n"
        "print(len(RoomLog(Path(sys.argv[1])).events(sys.argv[2])))"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "rooms.sqlite"), room.card.room_id]

    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "3"


def test_nothing_is_written_into_a_room_that_was_deleted(room, services):
    said = room.hear("Orla", "Are you still there?", "m1")
    Room.open(room.card.room_id, recover=False, **services).delete()

    for late in (lambda: room.answer(said), lambda: room.hear("Pavel", "Hello?", "m2"), lambda: room.leave("Pavel")):
        with pytest.raises(RoomError, match="this room was deleted"):
            late()
    assert services["log"].events(room.card.room_id) == []


def test_turns_that_wait_are_answered_in_their_order(room):
    first, second = room.hear("Orla", "Are you still there?", "m1"), room.hear("Pavel", "Where else?", "m2")
    room.answer(second)

    assert [decision.row_index for decision in room.decisions()] == [first.seq, second.seq]


def test_somebody_is_heard_while_the_supporter_still_writes(room, services):
    """The lock is held by the answer; what is said meanwhile is in the log at once."""
    with room_lock(services["folder"], room.card.room_id):
        room.hear("Pavel", "Wait, one more thing.", "m1")

        assert texts(room) == [("Pavel", "Wait, one more thing.")]
