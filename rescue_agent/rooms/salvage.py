"""A damaged log: a copy is kept, and what can still be read of it goes into a new file. A history never silently becomes empty."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

_BEING_MADE: Final = 5.0
_Row = tuple[str, int, str, str, str, str, float]


def is_damaged(path: Path) -> bool:
    """Whether SQLite finds fault with the file, or it is empty. One that is only locked, or just being made, is not damaged."""
    facts = path.stat()
    if facts.st_size == 0:
        return time.time() - facts.st_mtime > _BEING_MADE
    try:
        with closing(sqlite3.connect(path, timeout=10.0)) as connection:
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            return bool(verdict != "ok")
    except sqlite3.OperationalError:
        return False
    except sqlite3.DatabaseError:
        return True


def salvage(path: Path, schema: str) -> str:
    """Put the damaged file aside and a new one, with all events that can be read, in its place; the message for the user is returned."""
    copy = path.with_name(f"{path.name}.damaged-{time.strftime('%Y%m%dT%H%M%S')}")
    for suffix in ("", "-wal", "-shm"):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.replace(copy.with_name(copy.name + suffix))
    rows = list(_readable(copy))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(schema)
        connection.executemany("INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    path.chmod(0o600)
    rooms = len({row[0] for row in rows})
    return f"{path}: damaged; kept as {copy.name}; {len(rows)} events of {rooms} rooms could be read and are in a new file; start again"


def _readable(copy: Path) -> Iterator[_Row]:
    """The events of whole turns that can be read, room by room, each as far as its order has no gap."""
    try:
        with closing(sqlite3.connect(copy)) as connection:
            rooms = [room for (room,) in connection.execute("SELECT DISTINCT room FROM events")]
            for room in rooms:
                yield from _room(connection, room)
    except sqlite3.DatabaseError:
        return


def _room(connection: sqlite3.Connection, room: str) -> Iterator[_Row]:
    expected = 1
    try:
        for row in connection.execute("SELECT * FROM events WHERE room = ? ORDER BY seq", (room,)):
            if row[1] != expected:
                return
            expected += 1
            yield row
    except sqlite3.DatabaseError:
        return
