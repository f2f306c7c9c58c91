"""Names of participants: one form for what looks the same, and none that could pass for somebody or something else."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from rescue_agent.errors import RoomError
from rescue_agent.taxonomy import GROUP_LABEL, SUPPORTER

MAX_LENGTH: Final = 40
_LONGEST_GIVEN: Final = 400
_MOST: Final = 20
_RESERVED: Final = {
    name.casefold() for name in (SUPPORTER, *GROUP_LABEL.values(), "system", "assistant", "user", "supporter", "tool", "everyone", "all")
}
# letters of Cyrillic and Greek that look like Latin ones (Unicode TR39 has the whole table; these cover names)
_LOOKALIKES: Final = str.maketrans(
    "аеорсухіјѕԁһ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο" + "АВЕКМНОРСТХІЈЅ", "aeopcyxijsdh" + "ABEZHIKMNOPTYXo" + "ABEKMHOPCTXIJS"
)

_ALPHABETS: Final = ("LATIN", "CYRILLIC", "GREEK")
"""Alphabets whose letters pass for one another. A word is written in one of them."""


def clean_name(name: str) -> str:
    """The one form in which a name is kept: NFKC, no invisible characters, single blanks.

    Raises:
        RoomError: for an empty, over-long or reserved name, or one with control characters, directional marks, or a word in two alphabets.
    """
    if len(name) > _LONGEST_GIVEN:  # before anything is done with it
        raise RoomError(f"a name has at most {MAX_LENGTH} characters, not {len(name)}")
    normal = unicodedata.normalize("NFKC", name)
    if any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for c in normal):
        raise RoomError(f"name {name[:60]!r} holds invisible or control characters; write it with letters only")
    normal = " ".join(normal.split())
    if not any(c.isalpha() for c in normal) or len(normal) > MAX_LENGTH:
        raise RoomError(f"a name needs a letter and at most {MAX_LENGTH} characters, not {normal[:60]!r}")
    if mixed := [word for word in re.findall(r"\w+", normal) if len(_alphabets(word)) > 1]:
        raise RoomError(f"name {mixed[0]!r} mixes {' and '.join(_alphabets(mixed[0]))} letters in one word; write it in one alphabet")
    if skeleton(normal) in _RESERVED:
        raise RoomError(f"name {normal!r} is reserved; choose another")
    return normal


def _alphabets(word: str) -> list[str]:
    found = {unicodedata.name(c, "").split(" ")[0] for c in word}
    return [alphabet.title() for alphabet in _ALPHABETS if alphabet in found]


def skeleton(name: str) -> str:
    """What a name looks like: two names with one skeleton cannot be told apart by eye."""
    return name.translate(_LOOKALIKES).casefold()


def clean_names(names: Sequence[str]) -> tuple[str, ...]:
    """All names cleaned.

    Raises:
        RoomError: as `clean_name`, or when two of them look the same.
    """
    if len(names) > _MOST:
        raise RoomError(f"{len(names)} names are too many for a room")
    cleaned = tuple(map(clean_name, names))
    if len({skeleton(name) for name in cleaned}) < len(cleaned):
        raise RoomError(f"two of the names look the same: {', '.join(map(repr, cleaned))}; make them differ")
    return cleaned
