"""A live room over its real log, with the real engine."""

import subprocess
import sys
import threading

import pytest

from graphs.room import MAX_TURN, Room
from rescue_agent.corpus.rescue import read_episodes, write_episodes
from rescue_agent.errors import RoomError
from rescue_agent.rooms.lock import room_lock
from rescue_agent.rooms.log import RoomLog
from rescue_agent.safety.policy import PAUSED


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


@pytest.mark.faults
def test_the_same_message_five_times_is_one_turn_and_one_reply(room):
    decisions = [room.say("Orla", "You never told me.", "m1") for _ in range(5)]

    assert decisions == [decisions[0]] * 5
    assert len([t for t in room.transcript() if t.speaker == "Orla"]) == 1
    assert len(room.decisions()) == 1


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


@pytest.mark.faults
def test_two_people_talking_at_once_lose_no_turn(room):
    def talk(speaker):
        for i in range(10):
            room.say(speaker, f"{speaker} says thing number {i}", f"{speaker}-{i}")

    threads = [threading.Thread(target=talk, args=(name,)) for name in ("Orla", "Pavel")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    said = [turn for turn in room.transcript() if turn.speaker != "Therapist"]
    assert len(said) == 20
    for name in ("Orla", "Pavel"):
        assert [t.text for t in said if t.speaker == name] == [f"{name} says thing number {i}" for i in range(10)]
    assert len(room.decisions()) == 20


@pytest.mark.faults
def test_a_turn_that_a_crash_left_unanswered_is_answered_once(room, services):
    from rescue_agent.rooms.log import Kind

    services["log"].append(room.card.room_id, "said-m1", Kind.SAID, "Orla", {"text": "Are you there?", "to": ["Pavel"]})
    for _ in range(2):
        Room.open(room.card.room_id, **services)

    assert len(room.decisions()) == 1


def test_an_export_reads_back_as_the_same_episode(room, tmp_path):
    for i, text in enumerate(["You never told me.", "Leave it.", "I sat in the car and counted the lamps."]):
        room.say(("Orla", "Pavel")[i % 2], text, f"m{i}")
    episode = room.export()
    write_episodes([episode], tmp_path / "room.jsonl")

    assert list(read_episodes(tmp_path / "room.jsonl").episodes) == [episode]
    assert [row.primary_speaker for row in episode.rows] == [turn.speaker for turn in room.transcript()]


@pytest.mark.faults
def test_a_deleted_room_leaves_nothing_on_disk(room, services, tmp_path):
    room.say("Orla", "The canary sings at midnight.", "m1")
    room.delete()

    assert all(b"canary" not in path.read_bytes() for path in tmp_path.iterdir())
    with pytest.raises(RoomError, match="no such room"):
        Room.open(room.card.room_id, **services)


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
    "text", ["a\ud800b", "nul\x00byte", "\u202eright to left", "👩‍👩‍👧 family", "e" + "\u0301" * 3000, "<script>alert(1)</script>"]
)
def test_odd_characters_are_stored_as_they_are_shown(room, services, text):
    room.say("Orla", text, "m1")
    shown = texts(room)[0][1]

    assert shown.encode("utf-8")
    assert texts(Room.open(room.card.room_id, **services))[0][1] == shown


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


@pytest.mark.faults
def test_f25_erased_words_are_gone_from_the_disk_and_the_order_stays(room, tmp_path):
    """F25."""
    room.say("Orla", "The umbrella was under the pelican statue.", "m1")
    room.say("Pavel", "I never saw an umbrella.", "m2")
    room.say("Orla", "Because you never look, pelican or no pelican.", "m3")
    room.erase_words("Orla")

    assert all("pelican" not in turn.text for turn in room.transcript())
    assert [turn.text for turn in room.transcript() if turn.speaker == "Pavel"] == ["I never saw an umbrella."]
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert b"pelican" not in path.read_bytes(), path
    assert room.say("Pavel", "What now?", "m4").speaker == "Pavel"
    with pytest.raises(RoomError, match="erased"):
        room.say("Orla", "The umbrella was under the pelican statue.", "m1")


@pytest.mark.faults
def test_erasing_and_taking_back_do_not_lift_a_pause(room):
    room.say("Orla", "He hit me again last night.", "m1")
    room.undo("Orla", "u1")
    assert room.paused
    room.erase_words("Orla")

    assert room.paused
    assert room.say("Pavel", "Shall we go on?", "m2").reply == PAUSED
    assert room.balance().index is None


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
