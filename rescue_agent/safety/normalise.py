"""One plain form for what people type: case, look-alike letters, digits for letters, spaced-out words, invisible characters."""

import re
import unicodedata
from typing import Final

_LEET: Final = str.maketrans("013457@$", "oieastas")
_SPACED: Final = re.compile(r"\b(?:\w[ .\-_*]){2,}\w\b")
_LONG: Final = re.compile(r"(\w)\1{2,}")
_BLANKS: Final = re.compile(r"[^\S\n]+")
_QUOTES: Final = str.maketrans({"’": "'", "‘": "'", "´": "'", "`": "'", "“": '"', "”": '"'})
# Cyrillic and Greek letters that look like Latin ones
_LOOKALIKES: Final = str.maketrans("аеорсухіѕјԁκιουν", "aeopcyxisjdkiouv")


def plain(text: str) -> str:
    """`text` as the rules read it: NFKC, lower case, without marks and invisible characters, letters for digits inside words."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text)).translate(_QUOTES)
    visible = "".join(c for c in folded if unicodedata.category(c) not in ("Mn", "Cf"))
    lowered = visible.lower().translate(_LOOKALIKES)
    joined = _SPACED.sub(lambda match: re.sub(r"[ .\-_*]", "", match[0]), lowered)
    words = (_unleet(word) for word in re.split(r"(\s+)", joined))
    # lines stay apart: what stands on another line belongs to another sentence
    return _BLANKS.sub(" ", _LONG.sub(r"\1\1", "".join(words)))


def _unleet(word: str) -> str:
    """Letters for digits where a word mixes both; numbers stay numbers."""
    has_letter = any(c.isalpha() for c in word)
    return word.translate(_LEET) if has_letter and any(c in "013457@$" for c in word) else word
