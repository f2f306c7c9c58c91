"""Trained heads: small linear models on frozen embeddings, stored as .npz + JSON with a format version. Never a pickle."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue, ValidationError

from rescue_agent.errors import HeadsError
from rescue_agent.files import replacing
from rescue_agent.schema import Record

Array = NDArray[np.float32]
FORMAT: Final = 1


def softmax(scores: Array) -> Array:
    """Probabilities of `scores` along the last axis."""
    shifted = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True), dtype=np.float32)


@dataclass(frozen=True)
class LinearHead:
    """A softmax classifier, or a conditional logit where `labels` is empty.

    Attributes:
        labels: the classes, in the order of the rows of `weights`.
        weights: shape (n_labels, n_features); (1, n_features) for a conditional logit.
        bias: shape (n_labels,).
    """

    labels: tuple[str, ...]
    weights: Array
    bias: Array

    def scores(self, x: Array) -> Array:
        """Raw scores of `x` (n_features,) or (n, n_features)."""
        return np.asarray(x @ self.weights.T + self.bias, dtype=np.float32)

    def probabilities(self, x: Array) -> Array:
        """Class probabilities of `x`, summing to 1 along the last axis."""
        return softmax(self.scores(x))

    def at_temperature(self, temperature: float) -> "LinearHead":
        """The same head with its scores divided by `temperature`: above 1 it is less sure, below 1 surer; the order stays."""
        weights, bias = self.weights / temperature, self.bias / temperature
        return LinearHead(self.labels, weights.astype(np.float32), bias.astype(np.float32))


@dataclass(frozen=True)
class PhraseHead:
    """Finds a phrase for an utterance, by a linear score for each phrase of an inventory.

    Attributes:
        phrases: the inventory; `extras` holds what goes with each (a viewpoint's attitude).
        weights: shape (n_phrases, n_features).
        bias: shape (n_phrases,).
    """

    phrases: tuple[str, ...]
    extras: tuple[str, ...]
    weights: Array
    bias: Array

    def best(self, x: Array) -> int:
        """Position of the phrase with the highest score for `x` (n_features,)."""
        return int(np.argmax(self.weights @ x + self.bias))


@dataclass(frozen=True)
class PatternFilter:
    """Parameters of the forward filter over relation patterns (equations in `rescue_agent.relation`).

    Attributes:
        prior: belief before the first row, shape (k,).
        transition: row-stochastic, one step between two rows, shape (k, k).
        shares: training shares of the patterns, shape (k,); they turn the head's posterior into a scaled likelihood.
        tempering: exponent on the emission of one row, 0..1; windows overlap, so that rows are not independent evidence.
    """

    prior: Array
    transition: Array
    shares: Array
    tempering: float


class Provenance(Record):
    """Where heads come from."""

    format: int = FORMAT
    embedding_model: str
    dimension: int
    data_sha256: str
    groups: tuple[str, ...]
    knobs: dict[str, float]


@dataclass(frozen=True)
class HeadSet:
    """All heads of the embedded engine, by name."""

    provenance: Provenance
    linear: dict[str, LinearHead] = field(default_factory=dict)
    phrases: dict[str, PhraseHead] = field(default_factory=dict)
    filters: dict[str, PatternFilter] = field(default_factory=dict)

    def knob(self, name: str) -> float:
        """A tuned number, such as the weight of recalled moments."""
        return self.provenance.knobs[name]

    def save(self, folder: Path) -> None:
        """Write `heads.npz` and `heads.json` into `folder`, each whole or not at all."""
        folder.mkdir(parents=True, exist_ok=True)
        names: dict[str, JsonValue] = {
            "linear": {name: list(head.labels) for name, head in self.linear.items()},
            "phrases": {name: [list(head.phrases), list(head.extras)] for name, head in self.phrases.items()},
            "filters": {name: head.tempering for name, head in self.filters.items()},
        }
        document = {"provenance": self.provenance.model_dump(mode="json"), "names": names}
        with replacing(folder / "heads.npz") as path, path.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **dict(self._arrays()))
        with replacing(folder / "heads.json") as path:
            path.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

    def _arrays(self) -> Iterable[tuple[str, Any]]:
        for name, head in self.linear.items():
            yield f"linear.{name}.weights", head.weights
            yield f"linear.{name}.bias", head.bias
        for name, phrase_head in self.phrases.items():
            yield f"phrases.{name}.weights", phrase_head.weights.astype(np.float16)
            yield f"phrases.{name}.bias", phrase_head.bias
        for name, pattern_filter in self.filters.items():
            yield f"filters.{name}.prior", pattern_filter.prior
            yield f"filters.{name}.transition", pattern_filter.transition
            yield f"filters.{name}.shares", pattern_filter.shares

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote.

        Raises:
            HeadsError: when a file is missing, cut, or of another format.
        """
        try:
            document = json.loads((folder / "heads.json").read_text(encoding="utf-8"))
            provenance = Provenance.model_validate(document["provenance"])
            if provenance.format != FORMAT:
                raise HeadsError(f"{folder}: heads of format {provenance.format}, this version reads {FORMAT}; run `rescue-agent fit`")
            with np.load(folder / "heads.npz", allow_pickle=False) as arrays:
                return cls(provenance, *_read_heads(document["names"], {key: arrays[key].astype(np.float32) for key in arrays.files}))
        except (OSError, ValueError, KeyError, TypeError, EOFError, ValidationError) as error:
            reason = str(error).splitlines()[0]
            raise HeadsError(f"{folder}: heads cannot be read ({reason}); run `rescue-agent fit`, or unset RESCUE_HEADS") from None


def _read_heads(
    names: dict[str, Any], arrays: dict[str, Array]
) -> tuple[dict[str, LinearHead], dict[str, PhraseHead], dict[str, PatternFilter]]:
    linear = {
        name: LinearHead(tuple(labels), arrays[f"linear.{name}.weights"], arrays[f"linear.{name}.bias"])
        for name, labels in names["linear"].items()
    }
    phrases = {
        name: PhraseHead(tuple(texts), tuple(extras), arrays[f"phrases.{name}.weights"], arrays[f"phrases.{name}.bias"])
        for name, (texts, extras) in names["phrases"].items()
    }
    filters = {
        name: PatternFilter(
            arrays[f"filters.{name}.prior"], arrays[f"filters.{name}.transition"], arrays[f"filters.{name}.shares"], float(tempering)
        )
        for name, tempering in names["filters"].items()
    }
    return linear, phrases, filters
