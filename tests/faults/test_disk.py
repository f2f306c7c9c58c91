"""F20: a full disk, a folder that cannot be written, a database that is locked: real limits of the operating system."""

import sqlite3
from contextlib import closing

import pytest

from graphs.room import Room
from rescue_agent.errors import RoomError
from rescue_agent.rooms import log as log_module
from tests.faults.processes import OPEN, finish, start

pytestmark = pytest.mark.faults
REFUSED = (
    OPEN
    + """
import resource
room = Room.open(room_id, **services)
room.say("Orla", "Before.", "m1")

def attempt(n):
    try:
        room.say("Orla", "Meanwhile. " * 300, f"n{n}")
    except Exception as error:
        print(type(error).__name__, error)

"""
)
FULL = """
def limited(to):
    resource.setrlimit(resource.RLIMIT_FSIZE, (to, resource.RLIM_INFINITY))

limited(log.path.with_name("rooms.sqlite-wal").stat().st_size if log.path.with_name("rooms.sqlite-wal").exists() else 4096)
attempt(1)
limited(resource.RLIM_INFINITY)
room.say("Pavel", "After.", "m2")
"""
READ_ONLY = """
os.chmod(folder, 0o555)
for file in folder.iterdir():
    file.chmod(0o444)
if os.getuid() == 0:
    os.seteuid(65534)
attempt(1)
if os.getuid() == 0:
    os.seteuid(0)
for file in folder.iterdir():
    file.chmod(0o644)
os.chmod(folder, 0o755)
room.say("Pavel", "After.", "m2")
"""


@pytest.mark.slow
@pytest.mark.parametrize("what", [FULL, READ_ONLY], ids=["full", "read-only"])
def test_f20_a_turn_that_cannot_be_stored_is_refused_in_words_and_the_room_recovers(room, services, tmp_path, what):
    tmp_path.parent.chmod(0o755)
    code, out, err = finish(start(REFUSED + what, tmp_path, room.card.room_id))

    assert code == 0, err
    assert out.startswith("RoomError"), out
    assert "nothing was changed, try again" in out
    again = Room.open(room.card.room_id, **services)
    assert [turn.text for turn in again.transcript() if turn.speaker != "Therapist"] == ["Before.", "After."]
    assert len(again.decisions()) == 2
    events = services["log"].events(room.card.room_id)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))


def test_f20_a_locked_database_refuses_the_turn_and_takes_it_once_it_is_free(room, services, monkeypatch):
    monkeypatch.setattr(log_module, "_BUSY_SECONDS", 0.1)
    with closing(sqlite3.connect(services["log"].path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(RoomError, match=r"cannot be used \(database is locked\); nothing was changed, try again"):
            room.say("Orla", "Are you there?", "m1")
        assert room.transcript() == ()
    room.say("Orla", "Are you there?", "m1")

    assert [turn.text for turn in room.transcript() if turn.speaker == "Orla"] == ["Are you there?"]


def test_f20_an_answer_that_could_not_be_stored_is_given_when_the_room_is_opened_again(room, services, monkeypatch):
    said = room.hear("Orla", "Are you there?", "m1")
    monkeypatch.setattr(log_module, "_BUSY_SECONDS", 0.1)
    with closing(sqlite3.connect(services["log"].path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(RoomError, match="database is locked"):
            room.answer(said)
    assert room.decisions() == ()

    assert len(Room.open(room.card.room_id, **services).decisions()) == 1


def test_f20_a_lock_file_that_cannot_be_made_is_one_clear_line(room, tmp_path):
    (tmp_path / f"{room.card.room_id}.lock").unlink(missing_ok=True)
    (tmp_path / f"{room.card.room_id}.lock").mkdir()

    with pytest.raises(RoomError, match="the room cannot be locked"):
        room.say("Orla", "Are you there?", "m1")
