"""The append-only log of every room: the truth, from which a room can be rebuilt at any time.

SQLite in WAL mode with synchronous=FULL: an event is on disk when `append` returns. Order is by `seq`, never by the clock.
"""

import sqlite3
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Final

from pydantic import JsonValue, TypeAdapter

from rescue_agent.errors import RoomError
from rescue_agent.rooms.lock import room_lock
from rescue_agent.rooms.salvage import is_damaged, remove_copies, salvage
from rescue_agent.schema import Record

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS events (
    room TEXT NOT NULL, seq INTEGER NOT NULL, message_id TEXT NOT NULL, kind TEXT NOT NULL, person TEXT NOT NULL,
    body TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (room, seq), UNIQUE (room, message_id)
) WITHOUT ROWID
"""
SEATS_SCHEMA: Final = (
    "CREATE TABLE IF NOT EXISTS seats (hash TEXT PRIMARY KEY, room TEXT NOT NULL, role TEXT NOT NULL, person TEXT NOT NULL) WITHOUT ROWID"
)
"""The seats of `rescue_agent.rooms.seats` stand in the same file: they are made, saved and scrubbed with it."""
_INDICES: Final = (
    "CREATE INDEX IF NOT EXISTS pauses ON events (room) WHERE json_extract(body, '$.paused')",
    "CREATE INDEX IF NOT EXISTS said ON events (room, seq) WHERE kind = 'said'",
    "CREATE INDEX IF NOT EXISTS undone ON events (room, json_extract(body, '$.seq')) WHERE kind = 'undone'",
)
"""What a turn looks up, so that it costs the same in a long room."""
_PAGE_BYTES: Final = 16_384
"""An outcome has some 2.5 kB; in SQLite's own pages of 4 kB each would take a page for itself."""
_BODY: Final = TypeAdapter(dict[str, JsonValue])
_BUSY_SECONDS: Final = 10.0
_WRITING: defaultdict[Path, threading.Lock] = defaultdict(threading.Lock)
_LONGEST_ID: Final = 200


class Kind(StrEnum):
    """What an event is."""

    CREATED = "created"
    SAID = "said"
    REPLIED = "replied"
    HELD = "held"
    UNDONE = "undone"
    CORRECTED = "corrected"
    LEFT = "left"


class Event(Record):
    """One thing that happened in a room. `seq` counts from 1 without gaps; `at` is wall-clock seconds, for show only."""

    room: str
    seq: int
    message_id: str
    kind: Kind
    person: str
    body: dict[str, JsonValue]
    at: float


class RoomLog:
    """The log in one SQLite file. Safe across threads and processes: each call has its own connection."""

    def __init__(self, path: Path) -> None:
        """Open the log, or make it.

        Raises:
            RoomError: when the file is damaged: a copy of it is kept, what can be read of it stands in a new file, and the message says so.
        """
        self.path = path
        with room_lock(path.parent, path.name):  # SQLite waits for nobody while a file turns to WAL
            if path.exists() and is_damaged(path):
                raise RoomError(salvage(path, (_SCHEMA, SEATS_SCHEMA)))
            self._make()
        path.chmod(0o600)

    def _make(self) -> None:
        with self._connection() as connection:
            connection.execute(f"PRAGMA page_size={_PAGE_BYTES}")
            connection.execute("PRAGMA journal_mode=WAL")
            for statement in (_SCHEMA, SEATS_SCHEMA, *_INDICES):
                connection.execute(statement)

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None)) as connection:
                connection.execute("PRAGMA synchronous=FULL")
                yield connection
        except sqlite3.Error as error:
            raise RoomError(f"{self.path}: the room log cannot be used ({error}); nothing was changed, try again") from error

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """A connection that alone may write, until the end: threads queue for it, as SQLite's own waiting is by chance."""
        writing = _WRITING[self.path]
        if not writing.acquire(timeout=_BUSY_SECONDS):
            raise RoomError(f"{self.path}: the room log is locked; nothing was changed, try again")
        try:
            with self._connection() as connection:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
        finally:
            writing.release()

    def append(self, room: str, message_id: str, kind: Kind, person: str = "", body: dict[str, JsonValue] | None = None) -> Event:
        """Append an event; the same `message_id` again gives the event that is there already.

        Raises:
            RoomError: when the disk is full, read-only, or locked for too long (nothing is half written), or for an id that is too long.
        """
        if len(message_id) > _LONGEST_ID or not message_id.isprintable():
            raise RoomError(f"a message id has at most {_LONGEST_ID} printable characters; load the page again")
        with self._transaction() as connection:
            known = self._find(connection, room, message_id)
            if known:
                return known
            (last,) = connection.execute("SELECT COALESCE(MAX(seq), 0) FROM events WHERE room = ?", (room,)).fetchone()
            event = Event(room=room, seq=last + 1, message_id=message_id, kind=kind, person=person, body=body or {}, at=time.time())
            values = (event.room, event.seq, event.message_id, event.kind, event.person, _BODY.dump_json(event.body).decode(), event.at)
            connection.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", values)
        return event

    def _find(self, connection: sqlite3.Connection, room: str, message_id: str) -> Event | None:
        query = "SELECT * FROM events WHERE room = ? AND message_id = ?"
        row = connection.execute(query, (room, message_id)).fetchone()
        return _event(row) if row else None

    def events(self, room: str) -> list[Event]:
        """All events of a room, in order; none for an unknown room."""
        with self._connection() as connection:
            return [_event(row) for row in connection.execute("SELECT * FROM events WHERE room = ? ORDER BY seq", (room,))]

    def find(self, room: str, message_id: str) -> Event | None:
        """The event of this message id, if there is one."""
        with self._connection() as connection:
            return self._find(connection, room, message_id)

    def recent(self, room: str, before: int, count: int) -> list[Event]:
        """The last `count` events of a room before the event `before`, and all that took something back, in order."""
        query = (
            "SELECT * FROM events WHERE room = ? AND (seq IN (SELECT seq FROM events WHERE room = ? AND seq < ? ORDER BY seq DESC LIMIT ?) "
            "OR (kind = 'undone' AND seq > 1)) ORDER BY seq"
        )
        with self._connection() as connection:
            return [_event(row) for row in connection.execute(query, (room, room, before, count))]

    def unanswered(self, room: str) -> list[Event]:
        """What was said, still counts, and has no outcome yet."""
        query = (
            "SELECT * FROM events AS said WHERE room = ? AND kind = 'said' "
            "AND NOT EXISTS (SELECT 1 FROM events WHERE room = said.room AND message_id = 'answer-' || said.seq) "
            "AND NOT EXISTS (SELECT 1 FROM events WHERE room = said.room AND kind = 'undone' AND json_extract(body, '$.seq') = said.seq) "
            "ORDER BY seq"
        )
        with self._connection() as connection:
            return [_event(row) for row in connection.execute(query, (room,))]

    def is_paused(self, room: str) -> bool:
        """Whether any event of a room paused joint work."""
        query = "SELECT EXISTS (SELECT 1 FROM events WHERE room = ? AND json_extract(body, '$.paused'))"
        with self._connection() as connection:
            (found,) = connection.execute(query, (room,)).fetchone()
            return bool(found)

    def last_seq(self, room: str) -> int:
        """The number of the last event of a room; 0 for an unknown one."""
        with self._connection() as connection:
            (last,) = connection.execute("SELECT COALESCE(MAX(seq), 0) FROM events WHERE room = ?", (room,)).fetchone()
            return int(last)

    def rewrite(self, room: str, change: Callable[[Event], dict[str, JsonValue]]) -> None:
        """Replace the body of every event of a room by what `change` makes of it, and leave nothing of the old one on disk.

        Raises:
            RoomError: when the old bodies could not be taken off the disk; doing it again tries again.
        """
        with self._transaction() as connection:
            rows = connection.execute("SELECT * FROM events WHERE room = ? ORDER BY seq", (room,)).fetchall()
            changed = [(_BODY.dump_json(change(event)).decode(), room, event.seq) for event in map(_event, rows)]
            connection.executemany("UPDATE events SET body = ? WHERE room = ? AND seq = ?", changed)
        self._scrub()

    def delete_room(self, room: str) -> None:
        """Delete a room for good: its events, its seats, and what SQLite still held of them on disk. Raises RoomError as `rewrite`."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM events WHERE room = ?", (room,))
            connection.execute("DELETE FROM seats WHERE room = ?", (room,))
        self._scrub()

    def _scrub(self) -> None:
        """Write the file anew without what was deleted, empty the write-ahead log, and remove damaged copies."""
        remove_copies(self.path)
        with self._connection() as connection:
            connection.execute("VACUUM")
            (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:  # a reader from outside still holds the old pages
            raise RoomError(f"{self.path}: erased, but another program keeps the old file open; close it, and erase again")


def _event(row: tuple[str, int, str, str, str, str, float]) -> Event:
    room, seq, message_id, kind, person, body, at = row
    # not validated again: SQLite has the types of all but the body
    return Event.model_construct(
        room=room, seq=seq, message_id=message_id, kind=Kind(kind), person=person, body=_BODY.validate_json(body), at=at
    )
