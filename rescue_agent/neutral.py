"""Neutral text: names and gendered words replaced, so that no decision can depend on who is called what.

Swapping the names or the gender of two participants leaves the neutral text as it is. That is what makes the embedded engine
swap-consistent by construction.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

_WORDS: Final = {
    "they": "he she",
    "their": "his her hers him",
    "themself": "himself herself",
    "spouse": "husband wife",
    "parent": "mother father mum mom dad mama papa mummy mommy daddy",
    "grandparent": "grandmother grandfather grandma grandpa granny grandad",
    "child": "son daughter",
    "kid": "boy girl",
    "sibling": "brother sister",
    "adult": "man woman guy lady gentleman",
    "adults": "men women guys ladies gentlemen",
    "partner": "boyfriend girlfriend",
    "relative": "uncle aunt auntie nephew niece",
}
_NEUTRAL: Final = {word: neutral for neutral, words in _WORDS.items() for word in words.split()}
_NEUTRAL_PLURAL: Final = {
    f"{word}s": f"{neutral}s" for word, neutral in _NEUTRAL.items() if neutral not in ("they", "their", "themself", "adult", "adults")
}
_TABLE: Final = {**_NEUTRAL, **_NEUTRAL_PLURAL, "he's": "they're", "she's": "they're"}
_GENDERED: Final = re.compile(r"\b(" + "|".join(sorted(map(re.escape, _TABLE), key=len, reverse=True)) + r")\b", re.IGNORECASE)
NAME: Final = "Alex"
"""What every participant's name becomes: an ordinary word for the embedding model, the same for all."""


@lru_cache(maxsize=512)
def _names_pattern(names: tuple[str, ...]) -> re.Pattern[str] | None:
    longest_first = sorted(filter(None, names), key=len, reverse=True)
    return re.compile(r"(?<!\w)(" + "|".join(map(re.escape, longest_first)) + r")(?!\w)", re.IGNORECASE) if longest_first else None


def neutral_text(text: str, names: Sequence[str]) -> str:
    """`text` with every name in `names` replaced by `NAME` and every gendered word by a neutral one."""
    pattern = _names_pattern(tuple(sorted(names)))
    without_names = pattern.sub(NAME, text) if pattern else text
    return _GENDERED.sub(lambda match: _TABLE[match[0].lower()], without_names)


def has_gendered_word(text: str) -> bool:
    """Whether a word in `text` tells the gender of a person."""
    return _GENDERED.search(text) is not None
