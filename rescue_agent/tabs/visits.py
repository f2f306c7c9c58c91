"""What the server keeps of a visit to a tab. The browser holds a token and nothing else; the oldest visits are forgotten."""

import secrets
import threading
from collections import OrderedDict
from typing import Final, Generic, TypeVar

T = TypeVar("T")
KEPT: Final = 64
"""Visits that are kept of a tab; an episode or a few results each."""


class Visits(Generic[T]):
    """Token -> what is kept, the most recently used last."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept, self._lock = kept, threading.Lock()
        self._visits: OrderedDict[str, T] = OrderedDict()

    def begin(self, what: T) -> str:
        """Keep `what`, and return the token that finds it."""
        token = secrets.token_urlsafe(24)
        with self._lock:
            self._visits[token] = what
            while len(self._visits) > self._kept:
                self._visits.popitem(last=False)
        return token

    def find(self, token: str) -> T | None:
        """What is kept for `token`; None for one that was never given out, or is forgotten."""
        with self._lock:
            if token in self._visits:
                self._visits.move_to_end(token)
            return self._visits.get(token)
