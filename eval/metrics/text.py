"""Text similarity: cosine of sentence embeddings, and token matching as in BERTScore with the embedding model's own tokens.

The paper's BERTScore uses distilbert-base-uncased. Where that model isn't on the machine, the same greedy matching over the embedding
model's token vectors is reported as `embedding_f1`, never under the paper's name: the two are not comparable.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rescue_agent.embedding import Embedder, default_embedder


def cosine(one: str, other: str, embedder: Embedder | None = None) -> float:
    """Cosine of the two texts' sentence embeddings, -1..1."""
    a, b = (embedder or default_embedder()).encode([one, other])
    return float(a @ b)


def embedding_f1(candidate: str, reference: str) -> float:
    """BERTScore's F1 (Zhang et al. 2020; no idf, no rescaling) over the embedding model's token vectors without the special ones."""
    return token_f1(token_vectors(candidate), token_vectors(reference))


def token_f1(candidate: NDArray[np.float32], reference: NDArray[np.float32]) -> float:
    """Greedy matching of L2-normalised token vectors, shapes (n, d) and (m, d); 0 when either is empty."""
    if not len(candidate) or not len(reference):
        return 0.0
    similarity = candidate @ reference.T
    precision, recall = float(similarity.max(axis=1).mean()), float(similarity.max(axis=0).mean())
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0


@lru_cache(maxsize=20_000)
def token_vectors(text: str) -> NDArray[np.float32]:
    """Token vectors of `text`, shape (n_tokens, dimension), L2-normalised."""
    return default_embedder().encode_tokens(text)


def pair_counts(predicted: Sequence[tuple[str, str]], gold: Sequence[tuple[str, str]]) -> tuple[int, int, int]:
    """Directed (source, target) pairs: right ones, answered ones, true ones."""
    return len(set(predicted) & set(gold)), len(set(predicted)), len(set(gold))
