"""Seats: unguessable links, of which only a hash is kept."""

import pytest

from rescue_agent.errors import RoomError
from rescue_agent.rooms.log import RoomLog
from rescue_agent.rooms.seats import Seat, Seats


@pytest.fixture
def seats(tmp_path):
    return Seats(RoomLog(tmp_path / "rooms.sqlite").path)


def test_a_token_leads_to_its_seat_and_is_stored_nowhere(seats, tmp_path):
    token = seats.issue("r1", "participant", "Orla")

    assert seats.find(token) == Seat(room="r1", role="participant", person="Orla")
    for path in tmp_path.iterdir():
        assert token.encode() not in path.read_bytes()


@pytest.mark.parametrize("token", ["", "x" * 32, "' OR 1=1 --", "\ud800", "\x00"])
def test_a_made_up_token_opens_nothing(seats, token):
    seats.issue("r1", "participant", "Orla")
    with pytest.raises(RoomError, match="opens no room"):
        seats.find(token)


def test_seats_go_with_their_room(seats):
    gone, kept = seats.issue("r1", "shared"), seats.issue("r2", "shared")
    seats.delete_room("r1")

    assert seats.find(kept).room == "r2"
    with pytest.raises(RoomError):
        seats.find(gone)
