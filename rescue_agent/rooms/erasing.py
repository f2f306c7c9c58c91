"""What is left of each event when somebody's words are erased: its place in the order, and nothing that holds their words."""

import re
from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from rescue_agent.rooms.log import Event

_RUN = 4
"""So many words in a row make a passage that is theirs."""


class Erasing:
    """Erases the turns `seqs` with these `texts`.

    Words of theirs in other events (a reply that took them up, a summary) are found as runs of four words, or all of a shorter turn.
    """

    def __init__(self, seqs: frozenset[int], texts: Sequence[str]) -> None:
        self._seqs = seqs
        self._passages = frozenset(passage for text in texts for passage in _passages(text))

    def body_of(self, event: Event) -> dict[str, JsonValue]:
        """The body that stays."""
        if event.seq in self._seqs:
            return {"text": "", "to": [], "erased": True}
        about = {event.body.get("answers"), event.body.get("corrects")}
        if not self._seqs.isdisjoint(about) or self._holds_their_words(event):
            return {key: event.body[key] for key in ("answers", "corrects", "paused", "seq") if key in event.body} | {"erased": True}
        return event.body

    def _holds_their_words(self, event: Event) -> bool:
        if "answers" not in event.body and "corrects" not in event.body:
            return False
        held = _words(" ".join(_strings(event.body)))
        runs = {" ".join(held[i : i + n]) for n in range(2, _RUN + 1) for i in range(len(held) - n + 1)}
        return not self._passages.isdisjoint(runs)


def _strings(value: JsonValue) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)


def _passages(text: str) -> list[str]:
    words = _words(text)
    if len(words) < 2:
        return []
    return [" ".join(words[i : i + _RUN]) for i in range(max(1, len(words) - _RUN + 1))]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
