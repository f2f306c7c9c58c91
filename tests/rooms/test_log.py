import pytest

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


def test_the_file_is_private(log):
    assert log.path.stat().st_mode & 0o777 == 0o600
