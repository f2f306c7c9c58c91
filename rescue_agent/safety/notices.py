"""What is always shown: on the first screen, and again every three hours of use."""

import time
from collections.abc import Callable, Mapping
from typing import Final

# ruff: noqa: E501  (words that are shown)
FIRST_SCREEN: Final[Mapping[str, str]] = {
    "en": "**You are talking with an AI, not with a person.** It is a research and practice tool for conversations between people who know each other. It does not treat anybody, and it is **not for emergencies**: then call your local emergency services. What is said here is stored on the computer that runs this page, and {sent}. You can delete the room at any time.",
    "de": "**Sie sprechen mit einer KI, nicht mit einem Menschen.** Sie ist ein Werkzeug zum Forschen und Üben für Gespräche zwischen Menschen, die sich kennen. Sie heilt niemanden und ist **nicht für Notfälle**: Rufen Sie dann den örtlichen Notruf an. Was hier gesagt wird, wird auf dem Rechner gespeichert, auf dem diese Seite läuft, und {sent}. Sie können den Raum jederzeit löschen.",
}
_SENT: Final[Mapping[str, tuple[str, str]]] = {
    "en": ("is sent nowhere", "is sent to the language model at {host}"),
    "de": ("nirgendwohin gesendet", "an das Sprachmodell bei {host} gesendet"),
}
REPEAT_AFTER: Final = 3 * 60 * 60
"""Seconds of use after which the notice is shown again."""


def first_screen(language: str = "en", host: str = "") -> str:
    """The notice in `language` ("en" or "de"), as Markdown; `host` is where what is said is sent, empty for nowhere."""
    nowhere, somewhere = _SENT[language]
    return FIRST_SCREEN[language].format(sent=somewhere.format(host=host) if host else nowhere)


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
