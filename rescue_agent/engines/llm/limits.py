"""How many requests are under way at once, and how many start in a minute."""

import threading
import time
from collections.abc import Generator

from rescue_agent.engines.llm.protocol import ChatModel, Completion, Request


class Limits:
    """A model around `inner` that lets at most `concurrency` requests run and `per_minute` start (0 for no limit)."""

    def __init__(self, inner: ChatModel, concurrency: int, per_minute: int = 0) -> None:
        self._inner = inner
        self._running = threading.Semaphore(concurrency)
        self._gap = 60 / per_minute if per_minute else 0.0
        self._lock, self._next = threading.Lock(), 0.0

    @property
    def identity(self) -> str:
        """That of the model inside."""
        return self._inner.identity

    def ask(self, request: Request) -> Generator[str, None, Completion]:
        """The model's answer, when it is this request's turn."""
        with self._running:
            time.sleep(self._wait())
            return (yield from self._inner.ask(request))

    def _wait(self) -> float:
        with self._lock:
            now = time.monotonic()
            start = max(now, self._next)
            self._next = start + self._gap
        return start - now
