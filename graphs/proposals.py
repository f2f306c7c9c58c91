"""Proposals that wait for a facilitator: the turn graph stopped before `approve`, in LangGraph's checkpointer.

A cache, like the index: a proposal that is lost, or whose file is damaged, is made again from the log. What is settled, taken back or
erased leaves nothing here.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from graphs.state import SupportContext, SupportInput, SupportState, Verdict
from graphs.support import builder
from rescue_agent.rooms.salvage import is_damaged

_FILE = "proposals.sqlite"


class Proposals:
    """One waiting turn a room."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _FILE

    @contextmanager
    def _opened(self) -> Iterator[tuple[Any, Any]]:
        """(checkpointer, the turn graph over it)."""
        from langgraph.checkpoint.sqlite import SqliteSaver

        if self._path.exists() and is_damaged(self._path):
            for part in self._path.parent.glob(f"{_FILE}*"):
                part.unlink()
        with SqliteSaver.from_conn_string(str(self._path)) as saver:
            self._path.chmod(0o600)
            yield saver, builder.compile(checkpointer=saver, name="support")

    def propose(self, room: str, seq: int, given: SupportInput, context: SupportContext) -> tuple[SupportState, bool]:
        """Run the turn up to the facilitator: its state, and whether it waits (scripted crisis words don't)."""
        with self._opened() as (saver, graph):
            saver.delete_thread(room)
            state = graph.invoke(given, _config(room, seq), context=context, durability="exit")
            return cast(SupportState, state), bool(graph.get_state(_config(room)).next)

    def waiting(self, room: str, seq: int) -> SupportState | None:
        """The state of the turn `seq` if it waits here."""
        if not self._path.exists():
            return None
        with self._opened() as (_, graph):
            kept = graph.get_state(_config(room))
            found = bool(kept.next) and (kept.metadata or {}).get("seq") == seq
            return cast(SupportState, kept.values) if found else None

    def settle(self, room: str, verdict: Verdict, context: SupportContext) -> SupportState:
        """Let the waiting turn go on with a verdict, and forget it."""
        from langgraph.types import Command

        with self._opened() as (saver, graph):
            state = graph.invoke(Command(resume=verdict.model_dump()), _config(room), context=context, durability="exit")
            saver.delete_thread(room)
            return cast(SupportState, state)

    def forget(self, room: str) -> None:
        """Leave nothing of a room in the file."""
        if not self._path.exists():
            return
        with self._opened() as (saver, _):
            saver.delete_thread(room)
            saver.conn.commit()
            saver.conn.execute("VACUUM")
            saver.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _config(room: str, seq: int | None = None) -> dict[str, Any]:
    known = {"configurable": {"thread_id": room}}
    return known if seq is None else {**known, "metadata": {"seq": seq}}
