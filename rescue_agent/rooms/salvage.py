"""A damaged log: a copy is kept, and what can still be read of it goes into a new file. A history never silently becomes empty.

The copy holds what people said, also what they erase later; so it goes when anybody erases words or deletes a room (`remove_copies`).
"""

import json
import logging
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from itertools import islice, takewhile
from pathlib import Path
from typing import Final

logger = logging.getLogger(__name__)
_BEING_MADE: Final = 5.0
_Row = tuple[str | int | float, ...]


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


def salvage(path: Path, schemas: Sequence[str]) -> str:
    """Put the damaged file aside and a new one, with all events and seats that can be read, in its place.

    Args:
        schemas: what makes the tables `events` and `seats`.

    Returns:
        The message for the user.
    """
    copy = path.with_name(f"{path.name}.damaged-{time.strftime('%Y%m%dT%H%M%S')}")
    for suffix in ("", "-wal", "-shm"):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.replace(copy.with_name(copy.name + suffix))
    events, seats = list(_events(copy)), list(_rows(copy, "SELECT hash, room, role, person FROM seats"))
    with closing(sqlite3.connect(path)) as connection, connection:
        for schema in schemas:
            connection.execute(schema)
        connection.executemany("INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", events)
        connection.executemany("INSERT OR IGNORE INTO seats VALUES (?, ?, ?, ?)", seats)
    path.chmod(0o600)
    read = f"{len(events)} events of {len({row[0] for row in events})} rooms and {len(seats)} seats could be read and are in a new file"
    return f"{path}: damaged; kept as {copy.name}, until somebody erases their words or deletes a room; {read}; start again"


def remove_copies(path: Path) -> None:
    """Remove the copies of damaged files of the log at `path`: nobody can tell whose words still stand in them."""
    for copy in path.parent.glob(f"{path.name}.damaged-*"):
        copy.unlink(missing_ok=True)
        logger.warning("%s: removed, as it may hold words that were just erased", copy)


def _events(copy: Path) -> Iterator[_Row]:
    """The events that can be read, room by room, each as far as its order has no gap; and a pause that stood behind the gap."""
    found = [_rows(copy, f"SELECT room FROM {table} ORDER BY room {way}") for table in ("events", "seats") for way in ("ASC", "DESC")]  # noqa: S608
    for room in dict.fromkeys(str(room) for rows in found for (room,) in rows):
        kept = list(_gapless(_rows(copy, "SELECT * FROM events WHERE room = ? ORDER BY seq", room)))
        yield from kept
        if kept and not any(_paused(row) for row in kept):
            yield from islice(_pauses(copy, room, len(kept) + 1), 1)


def _gapless(rows: Iterable[_Row]) -> Iterator[_Row]:
    return takewhile(_readable, (row for _, row in takewhile(lambda pair: pair[0] == pair[1][1], enumerate(rows, 1))))


def _pauses(copy: Path, room: str, seq: int) -> Iterator[_Row]:
    """What stays of an event that paused joint work when what was said before it is lost: nobody may go on as if nothing had been."""
    for row in _rows(copy, "SELECT * FROM events WHERE room = ? ORDER BY seq DESC", room):
        if _readable(row) and _paused(row):
            yield (room, seq, *row[2:5], json.dumps({"paused": True, "erased": True}), row[6])


def _readable(row: _Row) -> bool:
    """Whether the body is JSON: garbled bytes can stand in the middle of a row that SQLite reads without complaint."""
    with suppress(ValueError, UnicodeError):
        return isinstance(json.loads(str(row[5])), dict)
    return False


def _paused(row: _Row) -> bool:
    return bool(json.loads(str(row[5])).get("paused"))


def _rows(copy: Path, query: str, *values: str) -> Iterator[_Row]:
    """The rows of a query as far as they can be read."""
    with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(copy)) as connection:
        connection.execute("PRAGMA writable_schema=ON")  # else SQLite reads nothing at all of a file that was cut short
        yield from connection.execute(query, values)
