"""What a head of a task set sees of a dialogue: the words as embeddings and as TF-IDF, who spoke, how far it is, and earlier moves."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from eval.task_sets.sets import Case, TaskSet
from rescue_agent.embedding import Embedder
from rescue_agent.engines.embedded.heads import Array
from rescue_agent.engines.embedded.lexicon import LEXICAL, lexical_features
from rescue_agent.schema import Row

BACK: Final = 3
"""Rows before that are seen one by one; all earlier ones as a decayed mean."""
_DECAY: Final = 0.8
_LONG: Final = 40


class Features:
    """Turns cases into one sparse matrix. `fit` learns the vocabulary and must see training cases only."""

    def __init__(self, task_set: TaskSet, embedder: Embedder) -> None:
        self._set, self._embedder = task_set, embedder
        self._labels: list[str] = []
        self._vectors: dict[str, Array] = {}
        self._words: list[Any] = []

    def fit(self, cases: Sequence[Case]) -> "Features":
        """Learn labels and vocabulary."""
        from sklearn.feature_extraction.text import TfidfVectorizer

        self._labels = sorted({case.label for case in cases})
        chars = {"analyzer": "char", "ngram_range": (1, 3)} if _is_unspaced(cases) else {"ngram_range": (1, 2)}
        self._words = [
            TfidfVectorizer(sublinear_tf=True, min_df=3, **chars).fit(texts) for texts in zip(*map(self._texts, cases), strict=True)
        ]
        return self

    def transform(self, cases: Sequence[Case]) -> Any:  # noqa: ANN401  (a scipy matrix, which has no types)
        """Features of `cases`, a sparse matrix (n, n_features)."""
        from scipy.sparse import csr_matrix, hstack

        self._embed({row.dialogue_cleaned for case in cases for row in self._seen(case)})
        sparse = [words.transform(texts) for words, texts in zip(self._words, zip(*map(self._texts, cases), strict=True), strict=True)]
        return hstack([csr_matrix(np.stack([self._dense(case) for case in cases])), *sparse]).tocsr()

    def _seen(self, case: Case) -> tuple[Row, ...]:
        return (*case.before, case.row) if self._set.shows_row else case.before

    def _texts(self, case: Case) -> tuple[str, str]:
        """The last row seen, and those before it."""
        texts = [row.dialogue_cleaned for row in self._seen(case)[-BACK:]]
        return (texts[-1] if texts else "", " ".join(texts[:-1]))

    def _embed(self, texts: set[str]) -> None:
        new = sorted(texts - self._vectors.keys())
        self._vectors |= dict(zip(new, self._embedder.encode(new), strict=True)) if new else {}

    def _dense(self, case: Case) -> Array:
        seen = self._seen(case)
        vectors = [self._vectors[row.dialogue_cleaned] for row in seen]
        width = self._embedder.dimension if not self._vectors else len(next(iter(self._vectors.values())))
        none = np.zeros(width, dtype=np.float32)
        near = [vectors[-i] if len(vectors) >= i else none for i in range(1, BACK + 1)]
        asker = case.row.primary_speaker
        own = [v for v, row in zip(vectors[:-1], seen[:-1], strict=True) if row.primary_speaker == asker]
        others = [v for v, row in zip(vectors, seen, strict=True) if row.primary_speaker != asker]
        lexical = lexical_features(seen[-1].dialogue_cleaned) if seen else np.zeros(len(LEXICAL), dtype=np.float32)
        words = [vector * self._set.words for vector in (*near, _mean(own, none), _mean(others, none))]
        parts = [*words, lexical, self._situation(case), self._history(case)]
        return np.concatenate(parts).astype(np.float32)

    def _situation(self, case: Case) -> Array:
        speakers = [row.primary_speaker for row in case.before]
        again = bool(speakers) and speakers[-1] == case.row.primary_speaker
        flags = [min(len(speakers), _LONG) / _LONG, again, case.row.primary_speaker in speakers, len(set(speakers)) / 5]
        toward = [case.toward in speakers[-1:], case.toward in speakers]
        return np.array([*flags, *toward], dtype=np.float32)

    def _history(self, case: Case) -> Array:
        """Earlier moves of the supporter, where the set shows them: the last, the one before, and how often each."""
        made = (
            [str(r.meta["strategy"]) for r in case.before if r.by_supporter and r.meta.get("strategy")] if self._set.labels_before else []
        )
        last = [[float(made[-i:][:1] == [label]) for label in self._labels] for i in (1, 2)]
        often = [min(made.count(label), 4) / 4 for label in self._labels]
        return np.array([*last[0], *last[1], *often], dtype=np.float32)


def _mean(vectors: Sequence[Array], none: Array) -> Array:
    if not vectors:
        return none
    weights = _DECAY ** np.arange(len(vectors) - 1, -1, -1)
    return np.asarray(np.average(np.stack(vectors), axis=0, weights=weights), dtype=np.float32)


def _is_unspaced(cases: Sequence[Case]) -> bool:
    """Whether the texts are of a script without blanks between words."""
    sample = "".join(case.row.dialogue_cleaned for case in cases[:200])
    return sum("\u3040" <= letter <= "\u9fff" for letter in sample) > len(sample) / 4
