"""The task sets: which rows are asked, what is seen of the dialogue, which label is true, and which dialogues train and test."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from rescue_agent.corpus.neighbours import esconv, meld, mpdd
from rescue_agent.errors import InputError
from rescue_agent.schema import Episode, Row


@dataclass(frozen=True)
class Case:
    """One question: a row of a dialogue, or a directed pair of people at a row.

    Attributes:
        position: of the row asked about; everything before it is seen, the row itself only where the set `shows_row`.
        toward: the listener whose relation is asked for; empty elsewhere.
    """

    episode: Episode
    position: int
    label: str
    toward: str = ""

    @property
    def before(self) -> tuple[Row, ...]:
        """The rows before."""
        return self.episode.rows[: self.position]

    @property
    def row(self) -> Row:
        """The row itself."""
        return self.episode.rows[self.position]


@dataclass(frozen=True)
class TaskSet:
    """A neighbour's task.

    Attributes:
        task: what is predicted, as the results name it.
        shows_row: whether the row itself is seen; a supporter's next move is predicted before it is made.
        labels_before: whether the gold labels of earlier rows are seen (the supporter's own past moves are known to it).
        balanced: whether the head weighs rare labels up.
        words: weight of the embeddings against TF-IDF and the other features.
        strength: inverse regularisation of the head; both chosen on a fifth of the training dialogues.
        split: which dialogues train and test, in words.
    """

    name: str
    task: str
    read: Callable[[Path], tuple[list[Episode], list[Episode]]]
    cases: Callable[[Sequence[Episode]], Iterator[Case]]
    shows_row: bool
    labels_before: bool
    balanced: bool
    words: float
    strength: float
    split: str


def _esconv(path: Path) -> tuple[list[Episode], list[Episode]]:
    episodes = [e for file in _files(path, "*.jsonl") for e in esconv.read(file)]
    return _by_split(path, episodes, train=("train", "train_extra", "valid"))


def _meld(path: Path) -> tuple[list[Episode], list[Episode]]:
    episodes = [e for file in _files(path, "*_sent_emo.csv") for e in meld.read(file)]
    return _by_split(path, episodes, train=("train",))


def _mpdd(path: Path) -> tuple[list[Episode], list[Episode]]:
    episodes = mpdd.read(path)
    test = [e for e in episodes if sha256(e.sample_id.encode()).digest()[0] < _MPDD_TEST]
    held_out = {e.sample_id for e in test}
    return [e for e in episodes if e.sample_id not in held_out], test


_MPDD_TEST: Final = 51
"""Of 256: a fifth of MPDD's dialogues, by a hash of their id; the release has no split of its own."""


def _files(path: Path, pattern: str) -> list[Path]:
    files = sorted(path.glob(pattern)) if path.is_dir() else [path]
    if not files:
        raise InputError.at(str(path), f"holds no {pattern}", "give the folder of the release")
    return files


def _by_split(path: Path, episodes: Sequence[Episode], train: Sequence[str]) -> tuple[list[Episode], list[Episode]]:
    fit_on, test = [e for e in episodes if e.meta.get("split") in train], [e for e in episodes if e.meta.get("split") == "test"]
    if not fit_on or not test:
        raise InputError.at(str(path), f"has {len(fit_on)} dialogues to train on and {len(test)} to test", "give files with both splits")
    return fit_on, test


def _moves(episodes: Sequence[Episode]) -> Iterator[Case]:
    """Every supporter's row with a strategy."""
    for episode in episodes:
        for i, row in enumerate(episode.rows):
            if row.by_supporter and row.meta.get("strategy"):
                yield Case(episode, i, str(row.meta["strategy"]))


def _emotions(episodes: Sequence[Episode]) -> Iterator[Case]:
    """Every utterance."""
    for episode in episodes:
        yield from (Case(episode, i, str(row.meta["emotion"])) for i, row in enumerate(episode.rows))


def _relations(episodes: Sequence[Episode]) -> Iterator[Case]:
    """Every listener of every utterance: what the speaker is to them."""
    for episode in episodes:
        for i, row in enumerate(episode.rows):
            relations = row.meta["relations"]
            if isinstance(relations, dict):
                yield from (Case(episode, i, str(label), listener) for listener, label in relations.items())


TASK_SETS: Final = {
    one.name: one
    for one in (
        TaskSet("esconv", "strategy", _esconv, _moves, False, True, True, 0.5, 0.3, "train, train_extra and valid -> test, as labelled"),
        TaskSet("meld", "emotion", _meld, _emotions, True, False, False, 3.0, 0.1, "train -> test, as the release says"),
        TaskSet("mpdd", "relation", _mpdd, _relations, True, False, False, 0.5, 1.0, "a fifth of the dialogues (hash of the id) -> test"),
    )
}
