"""Trying again what may pass: few tries, growing pauses with jitter, and a bound on all of it."""

import random
import time
from collections.abc import Generator
from dataclasses import replace
from typing import Final

from rescue_agent.engines.llm.protocol import ChatModel, Completion, Request
from rescue_agent.errors import EndpointBusy, EndpointError

TRIES: Final = 3
_FIRST_PAUSE: Final = 0.5


class Retry:
    """A model around `inner` that asks at most `TRIES` times, within `limit` seconds in all, and waits as long as the server asks for."""

    def __init__(self, inner: ChatModel, limit: float) -> None:
        self._inner, self._limit = inner, limit

    @property
    def identity(self) -> str:
        """That of the model inside."""
        return self._inner.identity

    def ask(self, request: Request) -> Generator[str, None, Completion]:
        """The first answer that comes. What has begun to be said isn't said again: a stream that breaks off is an error.

        Raises:
            EndpointError: when no try succeeds in time.
        """
        started, begun = time.monotonic(), False
        for tried in range(1, TRIES + 1):
            try:
                left = self._limit - (time.monotonic() - started)
                for piece in (answer := _Answer(self._inner.ask(replace(request, seconds=left)))):
                    begun = True
                    yield piece
                return answer.completion
            except EndpointBusy as busy:
                pause = self._pause(busy, tried)
                spent = time.monotonic() - started
                if begun or tried == TRIES or spent + pause >= self._limit:
                    raise EndpointError(f"{busy} (given up after {tried} of {TRIES} tries and {spent:.0f} s)") from busy
                time.sleep(pause)
        raise AssertionError("unreachable")

    def _pause(self, busy: EndpointBusy, tried: int) -> float:
        if busy.retry_after is not None:
            return busy.retry_after
        return random.uniform(0, _FIRST_PAUSE * 2**tried)  # noqa: S311  (jitter, no secret)


class _Answer:
    """An answer's pieces as an iterator that remembers what the generator returns."""

    completion: Completion

    def __init__(self, pieces: Generator[str, None, Completion]) -> None:
        self._pieces = pieces

    def __iter__(self) -> Generator[str, None, None]:
        self.completion = yield from self._pieces
