"""Seats: who may sit where. An unguessable link is a seat in one room; only its hash is stored."""

import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Literal

from rescue_agent.errors import RoomError
from rescue_agent.rooms.log import SEATS_SCHEMA
from rescue_agent.schema import Record

Role = Literal["participant", "shared", "facilitator"]
"""One person's own browser, one device on which all of a room speak in turn, or a human supporter's browser, from which nobody speaks as
a participant."""


class Seat(Record):
    """A seat: `person` is empty for a shared one."""

    room: str
    role: Role
    person: str = ""

    def speaks_as(self, chosen: str) -> str:
        """Who speaks from this seat: its person; on a shared device, who is `chosen` there. A name from another browser counts for nothing.

        Raises:
            RoomError: when a shared device names nobody, or for a facilitator.
        """
        if self.role == "facilitator":
            raise RoomError("a facilitator speaks by answering proposals")
        if not (self.person or chosen):
            raise RoomError("choose who is speaking")
        return self.person or chosen


class Seats:
    """All seats, in the SQLite file of the room log."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._connection() as connection:
            connection.execute(SEATS_SCHEMA)

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self._path, timeout=10.0)) as connection, connection:
                yield connection
        except sqlite3.Error as error:
            raise RoomError(f"{self._path}: seats cannot be read ({error}); try again") from error

    def issue(self, room: str, role: Role, person: str = "") -> str:
        """Make a seat; its token is returned and stored nowhere."""
        token = secrets.token_urlsafe(24)
        with self._connection() as connection:
            connection.execute("INSERT INTO seats VALUES (?, ?, ?, ?)", (_hash(token), room, role, person))
        return token

    def find(self, token: str) -> Seat:
        """The seat of a token.

        Raises:
            RoomError: when there is none.
        """
        with self._connection() as connection:
            row = connection.execute("SELECT room, role, person FROM seats WHERE hash = ?", (_hash(token),)).fetchone()
        if row is None:
            raise RoomError("this link opens no room; ask for a new one")
        return Seat(room=row[0], role=row[1], person=row[2])

    def delete_room(self, room: str) -> None:
        """Take all seats of a room away, from the disk too."""
        with self._connection() as connection:
            connection.execute("PRAGMA secure_delete=ON")
            connection.execute("DELETE FROM seats WHERE room = ?", (room,))


def _hash(token: str) -> str:
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
