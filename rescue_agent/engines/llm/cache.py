"""A cache of answers: asked the same thing again, a model says what it said. One SQLite table in the data folder, mode 0600."""

import json
import sqlite3
from collections.abc import Generator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Literal

from rescue_agent.engines.llm.protocol import ChatModel, Completion, Ledger, Request
from rescue_agent.errors import EndpointError

CacheMode = Literal["on", "off", "only"]


class Cache:
    """A model around `inner` that keeps finished answers. In mode `only`, nothing that isn't kept is asked."""

    def __init__(self, inner: ChatModel, path: Path, ledger: Ledger, mode: CacheMode = "on") -> None:
        self._inner, self._path, self._ledger, self._mode = inner, path, ledger, mode
        path.touch(mode=0o600)
        with closing(self._connect()) as db, db:
            db.execute("CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, completion TEXT NOT NULL)")

    @property
    def identity(self) -> str:
        """That of the model inside."""
        return self._inner.identity

    def ask(self, request: Request) -> Generator[str, None, Completion]:
        """The kept answer, in one piece; else the model's, which is kept if it is whole.

        Raises:
            EndpointError: in mode `only`, when nothing is kept.
        """
        key = request.key(self.identity)
        kept = self._kept(key) if self._mode != "off" else None
        if kept is not None:
            self._ledger.of(request.purpose).cached += 1
            yield kept.text
            return kept
        if self._mode == "only":
            raise EndpointError(f"{self.identity}: no kept answer for this {request.purpose!r}, and --cache-only asks for no new one")
        completion = yield from self._inner.ask(request)
        if completion.finish == "stop" and self._mode == "on":
            self._keep(key, completion)
        return completion

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=60)

    def _kept(self, key: str) -> Completion | None:
        with closing(self._connect()) as db:
            row = db.execute("SELECT completion FROM answers WHERE key = ?", (key,)).fetchone()
        return Completion(**json.loads(row[0])) if row else None

    def _keep(self, key: str, completion: Completion) -> None:
        with closing(self._connect()) as db, db:
            db.execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", (key, json.dumps(asdict(completion))))
