import os
import sqlite3
import threading
from contextlib import closing

import pytest

from rescue_agent.errors import RoomError
from rescue_agent.rooms.log import Kind, RoomLog


@pytest.fixture
def log(tmp_path):
    return RoomLog(tmp_path / "rooms.sqlite")


def test_events_come_back_in_order_without_gaps(log):
    for i in range(5):
        log.append("r", f"m{i}", Kind.SAID, "Orla", {"text": f"turn {i}"})

    assert [event.seq for event in log.events("r")] == [1, 2, 3, 4, 5]
    assert log.events("other") == []


def test_the_same_message_id_is_stored_once(log):
    first = log.append("r", "m", Kind.SAID, "Orla", {"text": "once"})

    assert [log.append("r", "m", Kind.SAID, "Orla", {"text": "again"}) for _ in range(4)] == [first] * 4
    assert len(log.events("r")) == 1


@pytest.mark.faults
def test_fifty_appends_from_many_threads_are_all_stored(log):
    threads = [threading.Thread(target=lambda i=i: [log.append("r", f"{i}-{j}", Kind.SAID, str(i)) for j in range(5)]) for i in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    events = log.events("r")

    assert [event.seq for event in events] == list(range(1, 51))
    for i in range(10):
        assert [e.message_id for e in events if e.person == str(i)] == [f"{i}-{j}" for j in range(5)]


def test_deleted_words_are_gone_from_the_disk(log, tmp_path):
    log.append("r", "m", Kind.SAID, "Orla", {"text": "a very rare canary"})
    log.delete_room("r")

    assert log.events("r") == []
    assert all(b"canary" not in path.read_bytes() for path in tmp_path.iterdir())


def test_the_file_is_private(log):
    assert log.path.stat().st_mode & 0o777 == 0o600


@pytest.mark.faults
def test_a_broken_database_is_one_clear_line(log):
    with sqlite3.connect(log.path) as connection:
        connection.execute("DROP TABLE events")

    with pytest.raises(RoomError, match=r"rooms.sqlite: the room log cannot be used \(no such table: events\)"):
        log.append("r", "m", Kind.SAID)


@pytest.mark.faults
@pytest.mark.parametrize("damage", ["garbled", "cut", "header", "empty"])
def test_f15_a_damaged_log_is_kept_and_what_can_be_read_is_saved(log, damage):
    """F15."""
    for i in range(200):
        log.append("r", f"m{i}", Kind.SAID, "Orla", {"text": f"turn {i} " + "word " * 60})
    with closing(sqlite3.connect(log.path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = log.path.read_bytes()
    spoilt = {
        "garbled": content[: len(content) // 2] + b"\x07" * 8000 + content[len(content) // 2 + 8000 :],
        "cut": content[: len(content) // 2],
        "header": b"no database at all" + content[18:],
        "empty": b"",
    }[damage]
    log.path.write_bytes(spoilt)

    os.utime(log.path, (0, 0))  # a file that is just being made is empty, too
    with pytest.raises(RoomError, match=r"damaged; kept as rooms.sqlite.damaged-"):
        RoomLog(log.path)
    saved = RoomLog(log.path).events("r")
    assert [event.seq for event in saved] == list(range(1, len(saved) + 1))
    (kept,) = (path for path in log.path.parent.glob("*.damaged-*") if not path.name.endswith(("-wal", "-shm")))
    assert kept.read_bytes() == spoilt
