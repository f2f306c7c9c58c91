"""The paper's BERTScore (Zhang et al. 2020; distilbert-base-uncased, no rescaling), where package and model are on the machine.

Nothing is downloaded for it: without `pip install bert-score` and the model in the local Hugging Face cache it is unscored.
"""

from functools import lru_cache
from importlib.util import find_spec
from typing import Any, Final

MODEL: Final = "distilbert-base-uncased"


@lru_cache(maxsize=1)
def bertscore_present() -> bool:
    """Whether the paper's BERTScore can be computed here."""
    from transformers.utils.hub import cached_file

    if find_spec("bert_score") is None:
        return False
    try:
        return all(cached_file(MODEL, name, local_files_only=True) for name in ("config.json", "vocab.txt"))
    except OSError:
        return False


def bertscore_f1(candidate: str, reference: str) -> float | None:
    """F1 of `candidate` against `reference`; None where it cannot be computed."""
    if not bertscore_present():
        return None
    _, _, f1 = _scorer().score([candidate], [reference])
    return float(f1[0])


@lru_cache(maxsize=1)
def _scorer() -> Any:  # noqa: ANN401 (bert_score has no types)
    from bert_score import BERTScorer

    return BERTScorer(model_type=MODEL, rescale_with_baseline=False, device="cpu")
