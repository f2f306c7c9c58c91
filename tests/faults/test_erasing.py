"""F25: what is erased is in no byte of the data folder once erasing returns."""

import sqlite3
import threading
from contextlib import closing

import pytest

from graphs.room import Room
from rescue_agent.errors import RoomError
from rescue_agent.rooms import log as log_module
from rescue_agent.rooms.log import RoomLog
from tests.faults.test_damaged_files import spoil

pytestmark = pytest.mark.faults
WORD = b"pelican"
SAID = "The umbrella was under the pelican statue."


def hits(folder, word=WORD):
    return [path.name for path in folder.rglob("*") if path.is_file() and word in path.read_bytes()]


def test_f25_erased_words_are_gone_from_the_disk_and_the_order_stays(room, tmp_path):
    room.say("Orla", SAID, "m1")
    room.say("Pavel", "I never saw an umbrella.", "m2")
    room.say("Orla", "Because you never look, pelican or no pelican.", "m3")
    assert hits(tmp_path)
    room.erase_words("Orla")

    assert hits(tmp_path) == []
    assert [turn.text for turn in room.transcript() if turn.speaker == "Pavel"] == ["I never saw an umbrella."]
    assert room.say("Pavel", "What now?", "m4").speaker == "Pavel"
    with pytest.raises(RoomError, match="erased"):
        room.say("Orla", SAID, "m1")


def test_f25_words_that_were_taken_back_are_erased_too(room, tmp_path):
    room.say("Orla", SAID, "m1")
    room.undo("Orla", "u1")
    room.erase_words("Orla")

    assert hits(tmp_path) == []


def test_f25_a_correction_is_erased_with_its_speakers_words(room, tmp_path):
    room.say("Orla", "You never told me.", "m1")
    room.correct("Orla", "lonely as a pelican", 3, "c1")
    room.erase_words("Orla")

    assert hits(tmp_path) == []


def test_f25_nothing_of_a_waiting_proposal_is_left_once_its_turn_is_erased(services, tmp_path):
    room = Room.create("couple", ["Orla", "Pavel"], facilitator="Mirja", **services)
    room.say("Orla", SAID, "m1")
    assert "proposals.sqlite" in {name.removesuffix("-wal") for name in hits(tmp_path)}
    room.erase_words("Orla")

    assert hits(tmp_path) == []
    assert room.proposal() is None


def test_f25_a_deleted_room_leaves_nothing_on_disk_neither_words_nor_names(rooms):
    room = rooms.create("couple", "Pelicanessa, Pavel")
    token = rooms.seats.issue(room.card.room_id, "participant", "Pelicanessa")
    room.say("Pelicanessa", SAID, "m1")
    rooms.delete(token)

    assert hits(rooms.folder) == hits(rooms.folder, b"Pelicanessa") == []
    with pytest.raises(RoomError, match="no such room"):
        rooms.open(room.card.room_id)


def test_f25_the_seats_of_a_room_leave_nothing_on_disk_when_they_alone_are_taken_away(rooms):
    kept = rooms.seats.issue("other", "shared")
    rooms.seats.issue("r", "participant", "Pelicanessa")
    rooms.seats.delete_room("r")
    with closing(sqlite3.connect(rooms.log.path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    assert hits(rooms.folder, b"Pelicanessa") == []
    assert rooms.seats.find(kept).room == "other"


@pytest.mark.parametrize("doing", ["erase", "delete"])
def test_f25_damaged_copies_go_when_words_are_erased_or_a_room_is_deleted(doing, room, services, tmp_path, caplog):
    room.say("Orla", SAID, "m1")
    for i in range(40):
        room.hear("Pavel", f"thing {i} " + "word " * 300, f"m-{i}")
    spoil(services["log"].path, "tail cut")
    with pytest.raises(RoomError, match="until somebody erases their words or deletes a room"):
        RoomLog(services["log"].path)
    assert any(".damaged-" in name for name in hits(tmp_path))
    again = Room.open(room.card.room_id, **services, recover=False)
    again.erase_words("Orla") if doing == "erase" else again.delete()

    assert hits(tmp_path) == []
    assert "removed, as it may hold words that were just erased" in caplog.text


def test_f25_erasing_is_not_reported_done_while_another_program_holds_the_old_pages(room, services, tmp_path, monkeypatch):
    monkeypatch.setattr(log_module, "_BUSY_SECONDS", 0.1)
    room.say("Orla", SAID, "m1")
    with closing(sqlite3.connect(services["log"].path)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT COUNT(*) FROM events").fetchone()
        with pytest.raises(RoomError, match="another program keeps the old file open; close it, and erase again"):
            room.erase_words("Orla")
    room.erase_words("Orla")

    assert hits(tmp_path) == []


def test_f25_words_erased_while_others_talk_are_gone_and_no_turn_is_lost(room, tmp_path):
    for i in range(10):
        room.say("Orla", f"{SAID} {i}", f"o{i}")
    talking = threading.Thread(target=lambda: [room.say("Pavel", f"thing {i}", f"p{i}") for i in range(20)])
    talking.start()
    room.erase_words("Orla")
    talking.join()

    assert hits(tmp_path) == []
    assert [turn.text for turn in room.transcript() if turn.speaker == "Pavel"] == [f"thing {i}" for i in range(20)]
