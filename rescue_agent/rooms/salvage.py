"""A damaged log: a copy is kept, and what can still be read of it goes into a new file. A history never silently becomes empty.

The copy holds what people said, also what they erase later; so it goes when anybody erases words or deletes a room (`remove_copies`).
"""

import json
import logging
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

logger = logging.getLogger(__name__)
_BEING_MADE: Final = 5.0
_Row = tuple[str | int | float, ...]
# more than one way through the file: where one meets a damaged page, another may not
_ROOMS: Final = [f"SELECT room FROM {table} ORDER BY room {way}" for table in ("events", "seats") for way in ("ASC", "DESC")]  # noqa: S608
_ORDERS: Final = ("seq", "seq DESC", "message_id", "message_id DESC")


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
    whole = sum(not str(row[2]).startswith("lost-") for row in events)
    read = f"{whole} events of {len({row[0] for row in events})} rooms and {len(seats)} seats could be read and are in a new file"
    more = f"start again (`sqlite3 {copy.name} .recover` may find more)"
    return f"{path}: damaged; kept as {copy.name}, until somebody erases their words or deletes a room; {read}; {more}"


def remove_copies(path: Path) -> None:
    """Remove the copies of damaged files of the log at `path`: nobody can tell whose words still stand in them."""
    for copy in path.parent.glob(f"{path.name}.damaged-*"):
        copy.unlink(missing_ok=True)
        logger.warning("%s: removed, as it may hold words that were just erased", copy)


def _events(copy: Path) -> Iterator[_Row]:
    """The events of every room that can be read, each in its place; a lost one leaves its place empty, as an erased one does."""
    for room in dict.fromkeys(str(room) for query in _ROOMS for (room,) in _rows(copy, query)):
        seqs = {int(seq) for order in _ORDERS for (seq,) in _rows(copy, f"SELECT seq FROM events WHERE room = ? ORDER BY {order}", room)}  # noqa: S608
        found = [row for seq in seqs for row in _rows(copy, "SELECT * FROM events WHERE room = ? AND seq = ?", room, seq) if _readable(row)]
        known = {int(row[1]): row for row in found}
        if 1 in known:  # else nobody knows whose room it was
            yield from (known.get(seq, _lost(room, seq)) for seq in range(1, max(known) + 1))


def _lost(room: str, seq: int) -> _Row:
    return (room, seq, f"lost-{seq}", "said", "", '{"text": "", "to": [], "erased": true}', 0.0)


def _readable(row: _Row) -> bool:
    """Whether the body is JSON: garbled bytes can stand in the middle of a row that SQLite reads without complaint."""
    with suppress(ValueError, UnicodeError):
        return isinstance(json.loads(str(row[5])), dict)
    return False


def _rows(copy: Path, query: str, *values: str | int) -> Iterator[_Row]:
    """The rows of a query as far as they can be read."""
    with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(copy)) as connection:
        connection.execute("PRAGMA writable_schema=ON")  # else SQLite reads nothing at all of a file that was cut short
        yield from connection.execute(query, values)
