"""The guard's trained head: a linear model over sentence embedding and character n-grams, beside the rules. The higher of the two wins.

It reads sentence by sentence, so that added sentences can only add findings. Where it cannot be loaded, the rules decide alone.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack

from rescue_agent.embedding import Embedder
from rescue_agent.errors import HeadsError
from rescue_agent.files import replacing
from rescue_agent.safety.levels import Family, Level, Screening
from rescue_agent.safety.normalise import plain

BUNDLED: Final = Path(__file__).parent / "bundled"
NONE: Final = "none"
FORMAT: Final = 1
FALSE_ALARMS: Final = 0.02
"""Share of the hard negatives of the training part that may be taken for risk in cross-validation: sets the threshold."""
_BUCKETS: Final = 2**14
_VECTOR_SCALE: Final = 3.0
_SENTENCE: Final = re.compile(r"(?<=[.?!…])\s+|[\n\r\u2028\u2029]+")
_MIN_WORDS: Final = 2
_LONGEST: Final = 40
Array = NDArray[np.float32]


@dataclass(frozen=True)
class RiskHead:
    """Weights of shape (features, families + none), a bias, and the threshold on the probability of any family."""

    classes: tuple[str, ...]
    weights: Array
    bias: Array
    threshold: float
    embedding_model: str
    data_sha256: str

    def probabilities(self, embedder: Embedder, texts: Sequence[str]) -> Array:
        """Probabilities of shape (texts, classes)."""
        scores = np.asarray(features(embedder, texts) @ self.weights) + self.bias
        shifted = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(shifted / shifted.sum(axis=1, keepdims=True), dtype=np.float32)

    def screen(self, embedder: Embedder, text: str) -> Screening:
        """The families found in any sentence of `text`; what it finds is routed as moderate, since levels are the rules' business."""
        parts = sentences(text)
        if not parts:
            return Screening()
        found = self.probabilities(embedder, parts)
        none = self.classes.index(NONE)
        risky = found[1 - found[:, none] >= self.threshold]
        families = {self.classes[int(np.argmax(np.where(np.arange(len(self.classes)) == none, -1, row)))] for row in risky}
        return Screening(level=Level.MODERATE if families else Level.NONE, families=tuple(sorted(map(Family, families))))

    def save(self, folder: Path) -> None:
        """Write head.npz and head.json into `folder`."""
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(folder / "head.npz") as path, path.open("wb") as file:
            np.savez_compressed(file, weights=self.weights, bias=self.bias)
        facts = {
            "format": FORMAT,
            "classes": self.classes,
            "threshold": self.threshold,
            "embedding_model": self.embedding_model,
            "data_sha256": self.data_sha256,
        }
        with replacing(folder / "head.json") as path:
            path.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> "RiskHead":
        """The head in `folder`.

        Raises:
            HeadsError: when it is missing, broken, or of another format.
        """
        try:
            facts = json.loads((folder / "head.json").read_text(encoding="utf-8"))
            with np.load(folder / "head.npz", allow_pickle=False) as arrays:
                weights, bias = arrays["weights"], arrays["bias"]
            if facts["format"] != FORMAT:
                raise HeadsError(f"{folder}: format {facts['format']}, this version reads {FORMAT}")
            return cls(tuple(facts["classes"]), weights, bias, float(facts["threshold"]), facts["embedding_model"], facts["data_sha256"])
        except (OSError, ValueError, KeyError) as error:
            raise HeadsError(f"{folder}: the guard's head cannot be read ({error}); run `rescue-agent safety fit`") from None


def sentences(text: str) -> list[str]:
    """The sentences of `text` with at least two words, the first 40."""
    return [part.strip() for part in _SENTENCE.split(text) if len(part.split()) >= _MIN_WORDS][:_LONGEST]


def features(embedder: Embedder, texts: Sequence[str]) -> csr_matrix:
    """Embedding (scaled) and hashed character n-grams of the plain form, shape (texts, dimension + 16384)."""
    vectors = csr_matrix(embedder.encode(list(texts)) * _VECTOR_SCALE)
    return csr_matrix(hstack([vectors, _hasher().transform([plain(text) for text in texts])]))


@lru_cache(maxsize=1)
def _hasher() -> Any:  # noqa: ANN401  (scikit-learn has no types)
    from sklearn.feature_extraction.text import HashingVectorizer

    return HashingVectorizer(analyzer="char_wb", ngram_range=(2, 5), n_features=_BUCKETS, alternate_sign=False)


def train(embedder: Embedder, texts: Sequence[str], families: Sequence[str], *, hard: Sequence[bool]) -> RiskHead:
    """Fit the head.

    Args:
        families: a family, or `none`, for each text.
        hard: which of the texts without risk look like it; the threshold is set on them, by 10-fold cross-validation.
    """
    from sklearn.model_selection import StratifiedKFold

    x, y, is_hard = features(embedder, texts), np.array(families), np.array(hard)
    weights = np.where(y != NONE, 3.0, np.where(is_hard, 2.0, 0.5))
    risk = np.zeros(len(y))
    for learn, check in StratifiedKFold(10, shuffle=True, random_state=0).split(np.zeros(len(y)), y):
        model = _fitted(x[learn], y[learn], weights[learn])
        risk[check] = 1 - model.predict_proba(x[check])[:, list(model.classes_).index(NONE)]
    threshold = float(np.quantile(risk[is_hard], 1 - FALSE_ALARMS))
    model = _fitted(x, y, weights)
    digest = sha256("\n".join(f"{f}\t{t}" for f, t in zip(families, texts, strict=True)).encode()).hexdigest()
    return RiskHead(
        tuple(map(str, model.classes_)),
        model.coef_.T.astype(np.float32),
        model.intercept_.astype(np.float32),
        threshold,
        embedder.model_id,
        digest,
    )


def _fitted(x: csr_matrix, y: NDArray[np.str_], weights: NDArray[np.float64]) -> Any:  # noqa: ANN401  (scikit-learn has no types)
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=10, max_iter=3000).fit(x, y, sample_weight=weights)


def train_bundled(embedder: Embedder) -> RiskHead:
    """The head that ships: learned from the phrases that are not held back, and from the rows of the corpus's training split as no risk."""
    from rescue_agent.corpus.splits import bundled_episodes
    from rescue_agent.safety.phrases import phrases

    labelled = [phrase for phrase in phrases() if not phrase.held_back]
    rows = [row.dialogue_cleaned for episode in bundled_episodes("train") for _, row in episode.client_rows()]
    ordinary = [part for text in rows for part in sentences(text)[:1]]
    texts = [*(phrase.text for phrase in labelled), *ordinary]
    families = [*(phrase.family for phrase in labelled), *([NONE] * len(ordinary))]
    return train(embedder, texts, families, hard=[*(p.kind == "negative" for p in labelled), *([False] * len(ordinary))])
