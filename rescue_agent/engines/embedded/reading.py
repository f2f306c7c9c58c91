"""What the engine reads in one utterance: its embedding, its lexical cues, its utterance type and the intensity of the emotion in it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from rescue_agent.embedding import Embedder
from rescue_agent.engines.embedded.heads import Array, HeadSet
from rescue_agent.engines.embedded.lexicon import lexical_features
from rescue_agent.moment import Utterance
from rescue_agent.neutral import neutral_text
from rescue_agent.taxonomy import GROUP_LABEL, SUPPORTER, UTTERANCE_TYPE_NAMES

VECTOR_SCALE: Final = 0.8
"""Weight of the words against the other features: their 384 coordinates would else outvote the few that say what is going on."""
CUE_WEIGHT: Final = 0.5
"""Weight of the embedded cues of tone and face beside the words, where the mode shows them."""
CORRECTION_WEIGHT: Final = 1.5
"""Weight of what the speaker says they felt beside the words: it outweighs them."""


@dataclass(frozen=True)
class Reading:
    """One utterance as numbers.

    Attributes:
        vector: embedding of the neutral text (with cues mixed in), shape (dimension,).
        lexical: `lexical_features` of the neutral text.
        types: utterance-type probabilities, shape (10,); zeros for the supporter.
        intensity: of the speaker's emotion, 0-10; zero for the supporter.
    """

    utterance: Utterance
    vector: Array
    lexical: Array
    types: Array
    intensity: float

    @property
    def speaker(self) -> str:
        """Who spoke."""
        return self.utterance.speaker

    @cached_property
    def base(self) -> Array:
        """Features of the words alone: scaled embedding, lexical cues, and whom they are addressed to."""
        return base_features(self.utterance, self.vector, self.lexical)

    @cached_property
    def full(self) -> Array:
        """`base` and the readings of type and intensity."""
        return np.concatenate([self.base, self.types, np.array([self.intensity / 10], dtype=np.float32)])

    def type_probabilities(self) -> dict[str, float]:
        """Utterance type -> probability."""
        return dict(zip(UTTERANCE_TYPE_NAMES, map(float, self.types), strict=True))


def base_features(utterance: Utterance, vector: Array, lexical: Array) -> Array:
    """Features of one utterance before any head has read it, shape (dimension + lexical + 3,)."""
    return np.concatenate([vector * VECTOR_SCALE, lexical, address_features(utterance)])


def address_features(utterance: Utterance) -> Array:
    """To the supporter, to the group, to one person: three flags."""
    target = set(utterance.target)
    to_group = bool(target & set(GROUP_LABEL.values())) or len(target) > 1
    to_supporter = SUPPORTER in target
    return np.array([to_supporter, to_group, not to_group and not to_supporter and bool(target)], dtype=np.float32)


def cue_text(utterance: Utterance) -> str:
    """The visible and audible cues of an utterance as one text; empty when the mode shows none."""
    people = (*utterance.face, *utterance.posture, *utterance.self_directed)
    return "; ".join(
        filter(None, (utterance.tone, *(cue.description for cue in people), *(cue.description for cue in utterance.interaction)))
    )


def embed_utterances(embedder: Embedder, utterances: Sequence[Utterance], names: Sequence[str]) -> Array:
    """Embed utterances, names and gender made neutral, shape (n, dimension)."""
    parts = [(i, weight, text) for i, utterance in enumerate(utterances) for weight, text in _weighed_texts(utterance)]
    vectors = embedder.encode([neutral_text(text, names) for _, _, text in parts])
    mixed = np.zeros((len(utterances), *vectors.shape[1:]), dtype=np.float32)
    for (i, weight, _), vector in zip(parts, vectors, strict=True):
        mixed[i] += weight * vector
    return np.stack([vector / np.linalg.norm(vector) for vector in mixed]) if len(mixed) else vectors


def _weighed_texts(utterance: Utterance) -> Iterator[tuple[float, str]]:
    """The words, and with less weight what was heard and seen with them, with more what the speaker says they felt."""
    yield 1.0, utterance.text
    if cues := cue_text(utterance):
        yield CUE_WEIGHT, cues
    if utterance.corrected:
        yield CORRECTION_WEIGHT, f"I feel {utterance.corrected.description}"


class Reader:
    """Reads utterances with the trained heads for type and intensity."""

    def __init__(self, embedder: Embedder, heads: HeadSet) -> None:
        self._embedder, self._heads = embedder, heads
        self._known: dict[tuple[Utterance, tuple[str, ...]], Reading] = {}

    def read(self, utterances: Sequence[Utterance], names: Sequence[str]) -> list[Reading]:
        """Read `utterances`, oldest first. `names` are the participants, made neutral in the text."""
        key_names = tuple(sorted(names))
        new = [u for u in dict.fromkeys(utterances) if (u, key_names) not in self._known]
        if len(self._known) > _REMEMBERED:
            self._known.clear()
            new = list(dict.fromkeys(utterances))
        for utterance, vector in zip(new, embed_utterances(self._embedder, new, key_names), strict=True):
            self._known[utterance, key_names] = self._read_one(utterance, vector, key_names)
        return [self._known[utterance, key_names] for utterance in utterances]

    def _read_one(self, utterance: Utterance, vector: Array, names: Sequence[str]) -> Reading:
        lexical = lexical_features(neutral_text(utterance.text, names))
        types, intensity = np.zeros(len(UTTERANCE_TYPE_NAMES), dtype=np.float32), 0.0
        if not utterance.by_supporter:
            base = base_features(utterance, vector, lexical)
            types = self._heads.linear["type"].probabilities(base)
            intensity = float(np.clip(self._heads.linear["intensity"].scores(np.concatenate([base, types]))[0], 0, 10))
        if utterance.corrected:
            intensity = utterance.corrected.intensity
        return Reading(utterance, vector, lexical, types, intensity)


_REMEMBERED: Final = 50_000
