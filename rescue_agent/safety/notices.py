"""What is always shown: on the first screen, and again every three hours of use."""

import time
from collections.abc import Callable
from typing import Final

FIRST_SCREEN: Final = (
    "**You are talking with an AI, not with a person.** It is a research and practice tool for conversations between people who know each "
    "other. It does not treat anybody, and it is **not for emergencies**: then call your local emergency services. What is said here is "
    "stored on the computer that runs this page, and is sent nowhere with the embedded engine. You can delete the room at any time."
)
REPEAT_AFTER: Final = 3 * 60 * 60
"""Seconds of use after which the notice is shown again."""


class NoticeClock:
    """When the notice is due again, by a clock that no change of the time of day can turn back."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._shown_at = clock, clock()

    def due(self) -> bool:
        """Whether three hours have gone by since it was last shown; asking starts the next three hours when they have."""
        if self._clock() - self._shown_at < REPEAT_AFTER:
            return False
        self._shown_at = self._clock()
        return True
