"""Inventories of phrases that the engine can say of somebody: emotions and viewpoints that fit more than the one they were written for."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Final, Protocol

from rescue_agent.neutral import NAME, has_gendered_word, neutral_text
from rescue_agent.schema import Episode, ViewpointAttitude

MAX_WORDS: Final = 8
MIN_SHARED: Final = 2
"""A phrase is general when each of its content words occurs in at least so many phrases."""
_SUBJECT: Final = re.compile(r"^(he|she)('s)?\b", re.IGNORECASE)
_WORD: Final = re.compile(r"[a-z']+")


@dataclass(frozen=True)
class Phrase:
    """A phrase and what goes with it. In a viewpoint, `NAME` stands for the one who is seen."""

    text: str
    extra: str = ""


class Annotated(Protocol):
    """An episode with the names that must not occur in a phrase."""

    @property
    def episode(self) -> Episode:
        """The annotated episode."""
        ...

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody in it."""
        ...


def emotion_inventory(read: Sequence[Annotated]) -> list[Phrase]:
    """Written wordings, and those of the episodes without names or gender that are general enough to be said of somebody else."""
    phrases = [
        Phrase(e.emotion_description)
        for item in read
        for row in item.episode.rows
        for e in row.internal_emotion
        if neutral_text(e.emotion_description, item.names) == e.emotion_description
    ]
    return list({phrase.text: phrase for phrase in (*written_emotions(), *_general(phrases))}.values())


def written_emotions() -> list[Phrase]:
    """The general wordings of emotions.txt."""
    lines = files(__package__).joinpath("emotions.txt").read_text(encoding="utf-8").splitlines()
    return [Phrase(line) for line in lines if line and not line.startswith("#")]


def viewpoint_inventory(read: Sequence[Annotated]) -> list[Phrase]:
    """Viewpoints whose subject is the one who is seen, with `NAME` in the subject's place, and their attitudes."""
    views = ((view, item.names) for item in read for row in item.episode.rows for view in row.viewpoints_attitudes)
    return _general(phrase for view, names in views if (phrase := about_name(view, names)))


def about_name(view: ViewpointAttitude, names: Sequence[str]) -> Phrase | None:
    """A viewpoint that begins with "he" or "she", said of `NAME`; None when more than the subject tells who it is about."""
    text = _SUBJECT.sub(lambda match: NAME + (match[2] or ""), view.viewpoint)
    if text == view.viewpoint or has_gendered_word(text) or neutral_text(text, names) != text:
        return None
    return Phrase(text, view.attitude)


def _general(phrases: Iterable[Phrase]) -> list[Phrase]:
    unique = list({phrase.text.casefold(): phrase for phrase in phrases if 0 < len(phrase.text.split()) <= MAX_WORDS}.values())
    shared = Counter(word for phrase in unique for word in set(_words(phrase.text)))
    general = [phrase for phrase in unique if all(shared[word] >= MIN_SHARED for word in _words(phrase.text))]
    # a small data set has few shared words: an inventory that says too much is better than none
    return sorted(general or unique, key=lambda phrase: phrase.text)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
