"""The labelled phrases (phrases.tsv): what the guard is trained on and measured with.

`source` is the writer: `a` also wrote the rules; `b` wrote without having seen any. 30 % are held back from tuning and training, by a
hash of the text, so that nobody chooses which.
"""

import csv
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import Final, Literal

Kind = Literal["explicit", "indirect", "negative"]
KINDS: Final[tuple[Kind, ...]] = ("explicit", "indirect", "negative")
_HELD_BACK: Final = 0.3


@dataclass(frozen=True)
class Phrase:
    """A labelled phrase; `family` and `level` are `none` for a hard negative."""

    source: str
    kind: Kind
    language: str
    family: str
    level: str
    text: str

    @property
    def held_back(self) -> bool:
        """Whether it is kept out of tuning and training."""
        return int(sha256(self.text.encode()).hexdigest()[:8], 16) / 2**32 < _HELD_BACK


@lru_cache(maxsize=1)
def phrases() -> tuple[Phrase, ...]:
    """All labelled phrases."""
    text = files(__package__).joinpath("phrases.tsv").read_text(encoding="utf-8")
    return tuple(Phrase(**row) for row in csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))  # type: ignore[arg-type]
