"""How fast somebody may go on: a burst, and then a rate. What one sends too fast is refused at once, so that nobody waits behind it."""

import threading
import time
from collections.abc import Callable
from typing import Final

_KEPT: Final = 4_096


class Pace:
    """A token bucket for each key: `burst` at once, and `per_second` from then on. Safe across threads."""

    def __init__(self, burst: int, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._rate, self._clock = burst, per_second, clock
        self._left: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def take(self, key: str) -> bool:
        """Whether `key` may go on now."""
        with self._lock:
            left = self._now_left(key)
            self._left[key] = (left - 1 if left >= 1 else left, self._clock())
            if len(self._left) > _KEPT:
                self._forget()
            return left >= 1

    def __len__(self) -> int:
        return len(self._left)

    def _now_left(self, key: str) -> float:
        left, at = self._left.get(key, (float(self._burst), self._clock()))
        return min(self._burst, left + (self._clock() - at) * self._rate)

    def _forget(self) -> None:
        """Let go of those who may send a whole burst again: a new key may, too."""
        self._left = {key: entry for key, entry in self._left.items() if self._now_left(key) < self._burst}
