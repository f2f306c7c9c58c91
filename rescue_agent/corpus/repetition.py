"""Repeated wording: sentences that stand twice, and the share of word 6-grams that more than one episode uses."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rescue_agent.schema import Episode

GRAM: Final = 6
MIN_WORDS: Final = 5
"""Shorter sentences are the small change of talk and may repeat."""
NEAR: Final = 0.8
"""Two sentences are near-duplicates from this Jaccard similarity of their word pairs on."""
_SEED: Final = 3
_COMMON: Final = 60
"""A run of three words in more sentences than this is an idiom: it is not used to look for duplicates."""


@dataclass(frozen=True)
class Sentence:
    """A sentence with where it stands."""

    sample_id: str
    row: int
    text: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class SharedGrams:
    """Distinct word 6-grams of all that is said, and how many of them more than one episode uses."""

    total: int
    shared: int

    @property
    def share(self) -> float:
        """Shared of total, 0-1."""
        return self.shared / self.total if self.total else 0.0


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text in lower case, without punctuation; each Chinese or Japanese character is one."""
    return tuple(re.findall(r"[\u3040-\u30ff\u3400-\u9fff]|[\w']+", text.lower().replace("’", "'")))


def _grams(words: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    return (tuple(words[i : i + size]) for i in range(len(words) - size + 1))


def shared_grams(episodes: Sequence[Episode]) -> SharedGrams:
    """Count the distinct word 6-grams of the rows' text, within rows."""
    users: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for episode in episodes:
        for row in episode.rows:
            for gram in _grams(words_of(row.dialogue_cleaned), GRAM):
                users[gram].add(episode.sample_id)
    return SharedGrams(len(users), sum(len(ids) > 1 for ids in users.values()))


def sentences(episodes: Sequence[Episode]) -> Iterator[Sentence]:
    """Yield every sentence of at least `MIN_WORDS` words that is said."""
    for episode in episodes:
        for row in episode.rows:
            for text in re.split(r"(?<=[.!?…。！？])\s+", row.dialogue_cleaned):
                words = words_of(text)
                if len(words) >= MIN_WORDS:
                    yield Sentence(episode.sample_id, row.row_index, text.strip(), words)


def near_duplicates(episodes: Sequence[Episode]) -> Iterator[tuple[Sentence, Sentence]]:
    """Yield (earlier, later) for each sentence that repeats an earlier one; the most similar earlier one."""
    seen: list[Sentence] = []
    seeds: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for sentence in sentences(episodes):
        own = set(_grams(sentence.words, _SEED))
        candidates = {i for gram in own if len(seeds[gram]) <= _COMMON for i in seeds[gram]}
        scored = [(_similarity(seen[i].words, sentence.words), -i) for i in candidates]
        if scored and max(scored)[0] >= NEAR:
            yield seen[-max(scored)[1]], sentence
        for gram in own:
            seeds[gram].append(len(seen))
        seen.append(sentence)


def _similarity(a: Sequence[str], b: Sequence[str]) -> float:
    pairs_a, pairs_b = set(_grams(a, 2)), set(_grams(b, 2))
    return len(pairs_a & pairs_b) / len(pairs_a | pairs_b)
