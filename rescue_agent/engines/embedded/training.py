"""Fit the heads of the embedded engine on annotated episodes.

Heads build on one another: utterance types and intensity are read first, and every later head sees those readings. In training it sees
out-of-fold readings (folds grouped by couple or family), so that it learns to live with the errors it will meet.
"""

import hashlib
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rescue_agent.corpus.moves import supporter_move
from rescue_agent.embedding import Embedder
from rescue_agent.engines.embedded.estimators import fit_choice, fit_classifier, fit_ridge, out_of_fold
from rescue_agent.engines.embedded.examples import (
    ReadEpisode,
    emotion_pairs,
    intervention_examples,
    own_intensity,
    pattern_examples,
    strategy_examples,
    target_examples,
    viewpoint_examples,
    viewpoint_pairs,
)
from rescue_agent.engines.embedded.features import window_features
from rescue_agent.engines.embedded.filter_fitting import beliefs_before, fit_filter
from rescue_agent.engines.embedded.heads import Array, HeadSet, LinearHead, PatternFilter, PhraseHead, Provenance
from rescue_agent.engines.embedded.lexicon import lexical_features
from rescue_agent.engines.embedded.phrases import Phrase, emotion_inventory, viewpoint_inventory
from rescue_agent.engines.embedded.pooling import best_temperature, best_weight, log_loss, moment_vector, pool, remembered
from rescue_agent.engines.embedded.reading import VECTOR_SCALE, Reader, Reading, base_features, embed_utterances
from rescue_agent.errors import InputError
from rescue_agent.moment import Mode, Moment, Utterance
from rescue_agent.neutral import neutral_text
from rescue_agent.schema import Episode
from rescue_agent.taxonomy import SCENARIOS, UTTERANCE_TYPE_NAMES, Scenario, pattern_names, strategy_names

logger = logging.getLogger(__name__)

_ITP: Final = ("hold", "speak")

KNOBS: Final[Mapping[str, float]] = {
    "penalty.type": 1.0,
    "penalty.intensity": 10.0,
    "penalty.pattern": 3.0,
    "penalty.intervene": 0.3,
    "penalty.target": 1.0,
    "penalty.strategy": 1.0,
    "penalty.viewpoint": 1.0,
    "penalty.phrase": 100.0,
    "direct.phrase": 0.3,
    "threshold.viewpoint": 0.4,
}
"""What `fit` is given: regularisation (C of the classifiers, ridge penalties), the direct part of the wording, the viewpoint threshold.

What it learns beside the weights, on out-of-fold predictions, is added to these in the heads' provenance: the temperature of each head,
the weight of recalled moments, the tempering of the filter, and the threshold of speaking.
"""
RECALLED: Final = 8
"""Moments that vote while the weight of memory is learned (the setting's default)."""
_TEMPERINGS: Final = (0.05, 0.1, 0.2, 0.3, 0.5, 0.8)


def data_hash(episodes: Sequence[Episode]) -> str:
    """SHA-256 of the episodes' content, whatever their order."""
    documents = sorted(episode.model_dump_json() for episode in episodes)
    return hashlib.sha256("\n".join(documents).encode()).hexdigest()


def fit(episodes: Sequence[Episode], embedder: Embedder, knobs: Mapping[str, float] = KNOBS) -> HeadSet:
    """Fit every head.

    Args:
        episodes: annotated episodes of both scenarios.
        embedder: the sentence-embedding model that the engine will use, too.
        knobs: overrides of `KNOBS`.

    Raises:
        InputError: when a label set that the engine needs has fewer than two labels in `episodes`.
    """
    trainer = Trainer({**KNOBS, **knobs}, embedder)
    read = trainer.read(episodes)
    logger.info("read %d episodes with %d rows", len(read), sum(len(r.readings) for r in read))
    linear = trainer.linear_heads(read)
    filters: dict[str, PatternFilter] = {scenario: trainer.pattern_filter(read, scenario) for scenario in SCENARIOS}
    return HeadSet(
        provenance=Provenance(
            embedding_model=embedder.model_id,
            dimension=embedder.dimension,
            data_sha256=data_hash(episodes),
            groups=tuple(sorted({episode.group for episode in episodes})),
            knobs=trainer.knobs,
        ),
        linear=linear,
        phrases=trainer.phrase_heads(read),
        filters=filters,
    )


def read_out_of_fold(episodes: Sequence[Episode], embedder: Embedder, mode: Mode = Mode.DIALOGUE) -> list[ReadEpisode]:
    """`episodes` as the later heads see them in training: types and intensities by heads that never saw the group."""
    return Trainer(dict(KNOBS), embedder, mode).read(episodes)


def read_as_engine(episodes: Sequence[Episode], heads: HeadSet, embedder: Embedder, mode: Mode = Mode.DIALOGUE) -> list[ReadEpisode]:
    """`episodes` as the engine with these heads reads them."""
    reader, read = Reader(embedder, heads), []
    for episode in episodes:
        names = Moment.at(episode, len(episode.rows), with_current=False).participants
        read.append(ReadEpisode(episode, names, tuple(reader.read([Utterance.of(row, mode) for row in episode.rows], names))))
    return read


class Trainer:
    """Fits the heads one after the other; each later one sees the readings of the earlier ones."""

    def __init__(self, knobs: dict[str, float], embedder: Embedder, mode: Mode = Mode.DIALOGUE) -> None:
        self.knobs, self.embedder, self._mode = knobs, embedder, mode
        self._early: dict[str, LinearHead] = {}

    def read(self, episodes: Sequence[Episode]) -> list[ReadEpisode]:
        """Embed every row, fit the heads for type and intensity, and read every row out of fold."""
        bare = [self._bare(episode) for episode in episodes]
        types = self._types(bare)
        intensities = self._intensities(bare, types)
        read, at = [], 0
        for item in bare:
            readings = [
                Reading(r.utterance, r.vector, r.lexical, types[at + i], float(intensities[at + i])) for i, r in enumerate(item.readings)
            ]
            read.append(ReadEpisode(item.episode, item.names, tuple(readings)))
            at += len(readings)
        return read

    def _bare(self, episode: Episode) -> ReadEpisode:
        utterances = [Utterance.of(row, self._mode) for row in episode.rows]
        names = Moment.at(episode, len(episode.rows), with_current=False).participants
        vectors = embed_utterances(self.embedder, utterances, names)
        none = np.zeros(len(UTTERANCE_TYPE_NAMES), dtype=np.float32)
        readings = (
            Reading(u, vector, lexical_features(neutral_text(u.text, names)), none, 0.0)
            for u, vector in zip(utterances, vectors, strict=True)
        )
        return ReadEpisode(episode, names, tuple(readings))

    def _types(self, bare: Sequence[ReadEpisode]) -> Array:
        """Fit the type head; out-of-fold type probabilities for all rows (zeros for the supporter's), shape (n_rows, 10)."""
        rows = [(item.episode, row, reading) for item in bare for row, reading in zip(item.episode.rows, item.readings, strict=True)]
        x = np.stack([base_features(r.utterance, r.vector, r.lexical) for _, _, r in rows])
        groups = [episode.group for episode, _, _ in rows]
        labels = np.array([row.utterance_type if not row.by_supporter else "" for _, row, _ in rows])
        usable = np.isin(labels, UTTERANCE_TYPE_NAMES)

        def train(positions: NDArray[np.intp]) -> LinearHead:
            kept = positions[usable[positions]]
            return fit_classifier(x[kept], labels[kept].tolist(), UTTERANCE_TYPE_NAMES, self.knobs["penalty.type"], "utterance types")

        self._early["type"] = train(np.arange(len(rows)))
        result = out_of_fold(groups, lambda fit_on, test: train(fit_on).probabilities(x[test]), len(rows), len(UTTERANCE_TYPE_NAMES))
        result[[row.by_supporter for _, row, _ in rows]] = 0
        return result

    def _intensities(self, bare: Sequence[ReadEpisode], types: Array) -> Array:
        """Fit the intensity head; out-of-fold intensities for all rows (0 for the supporter's), shape (n_rows,)."""
        rows = [(item.episode, row, reading) for item in bare for row, reading in zip(item.episode.rows, item.readings, strict=True)]
        x = np.stack(
            [np.concatenate([base_features(r.utterance, r.vector, r.lexical), t]) for (_, _, r), t in zip(rows, types, strict=True)]
        )
        gold = np.array([own_intensity(row) for _, row, _ in rows], dtype=np.float32)
        usable = ~np.isnan(gold)
        if not usable.any():
            raise InputError("cannot fit the intensity head: no row has an emotion of its speaker with an intensity; give annotated data")

        def train(positions: NDArray[np.intp]) -> LinearHead:
            kept = positions[usable[positions]]
            weights, bias = fit_ridge(x[kept], gold[kept, None], self.knobs["penalty.intensity"])
            return LinearHead(("intensity",), weights, bias)

        self._early["intensity"] = train(np.arange(len(rows)))
        groups = [episode.group for episode, _, _ in rows]
        result = out_of_fold(groups, lambda fit_on, test: train(fit_on).scores(x[test]), len(rows), 1)[:, 0]
        result[[row.by_supporter for _, row, _ in rows]] = 0
        return np.asarray(np.clip(result, 0, 10), dtype=np.float32)

    def linear_heads(self, read: Sequence[ReadEpisode]) -> dict[str, LinearHead]:
        """All linear heads, by name."""
        heads = dict(self._early)
        for scenario in SCENARIOS:
            of_scenario = [item for item in read if item.episode.scenario == scenario]
            heads[f"pattern.{scenario}"] = self._classifier("pattern", pattern_examples(of_scenario), pattern_names(scenario))
            heads[f"strategy.{scenario}"] = self._strategy_head(of_scenario, scenario)
        heads["intervene"] = self._intervention_head(read)
        heads["viewpoint"] = self._classifier("viewpoint", viewpoint_examples(read), ("none", "held"))
        choices = list(target_examples(read))
        heads["target"] = fit_choice([x for x, _ in choices], [chosen for _, chosen in choices], self.knobs["penalty.target"])
        return heads

    def _intervention_head(self, read: Sequence[ReadEpisode]) -> LinearHead:
        """The calibrated head, and the threshold above which it speaks as often as the supporters of the episodes do."""
        examples = [(x, y, item.episode.group) for item in read for x, y in intervention_examples([item])]
        probabilities = self._out_of_fold("intervene", examples, _ITP)
        gold = [_ITP.index(y) for _, y, _ in examples]
        temperature = self.knobs["temperature.intervene"] = best_temperature(probabilities, gold)
        calibrated = pool(probabilities, np.full_like(probabilities, np.nan), 0.0, temperature)[:, 1]
        self.knobs["threshold.speak"] = round(float(np.quantile(calibrated, gold.count(0) / len(gold))), 4)
        return self._classifier("intervene", ((x, y) for x, y, _ in examples), _ITP).at_temperature(temperature)

    def _strategy_head(self, read: Sequence[ReadEpisode], scenario: Scenario) -> LinearHead:
        """The calibrated head, and the weight of what supporters did in recalled moments."""
        labels = strategy_names(scenario)
        moves = [[(supporter_move(item.episode, row) or ("", ""))[0] for row in item.episode.rows] for item in read]
        memory = remembered(read, moves)
        places = [(e, i) for e, item in enumerate(read) for i in range(len(item.readings)) if moves[e][i]]
        votes = [memory.votes(moment_vector(read[e], i), read[e].episode.group, labels, RECALLED) for e, i in places]
        examples = [(x, y, item.episode.group) for item in read for x, y in strategy_examples([item])]
        probabilities, gold = self._out_of_fold("strategy", examples, labels), [labels.index(y) for _, y, _ in examples]
        temperature = self.knobs[f"temperature.strategy.{scenario}"] = best_temperature(probabilities, gold)
        calibrated = pool(probabilities, np.full_like(probabilities, np.nan), 0.0, temperature)
        self.knobs[f"recall.strategy.{scenario}"] = best_weight(calibrated, np.stack(votes), gold)
        return self._classifier("strategy", ((x, y) for x, y, _ in examples), labels).at_temperature(temperature)

    def _out_of_fold(self, name: str, examples: Sequence[tuple[Array, str, str]], labels: Sequence[str]) -> Array:
        """Out-of-fold probabilities for (features, label, group) examples, shape (n, k)."""
        x, y = np.stack([x for x, _, _ in examples]), [y for _, y, _ in examples]

        def predict(fit_on: NDArray[np.intp], test: NDArray[np.intp]) -> Array:
            head = fit_classifier(x[fit_on], [y[i] for i in fit_on], labels, self.knobs[f"penalty.{name}"], f"{name} head")
            return head.probabilities(x[test])

        return out_of_fold([group for _, _, group in examples], predict, len(y), len(labels))

    def pattern_filter(self, read: Sequence[ReadEpisode], scenario: Scenario) -> PatternFilter:
        """The filter of a scenario, its tempering and the weight of recalled moments: those of least out-of-fold log loss."""
        of_scenario = [item for item in read if item.episode.scenario == scenario]
        labels = pattern_names(scenario)
        known = [[r.relation_cycle_state if r.relation_cycle_state in labels else "" for r in item.episode.rows] for item in of_scenario]
        places = [(e, i) for e, states in enumerate(known) for i, state in enumerate(states) if state]
        memory = remembered(of_scenario, known)
        groups = [of_scenario[e].episode.group for e, _ in places]
        votes = [
            memory.votes(moment_vector(of_scenario[e], i), group, labels, RECALLED) for (e, i), group in zip(places, groups, strict=True)
        ]
        gold = [labels.index(known[e][i]) for e, i in places]
        posteriors = self.row_posteriors(of_scenario, scenario)
        base = fit_filter(of_scenario, scenario)
        beliefs = {t: beliefs_before(replace(base, tempering=t), posteriors, places) for t in _TEMPERINGS}
        tempering = min(beliefs, key=lambda t: log_loss(beliefs[t], gold))
        self.knobs[f"tempering.{scenario}"] = tempering
        self.knobs[f"recall.pattern.{scenario}"] = best_weight(beliefs[tempering], np.stack(votes), gold)
        return replace(base, tempering=tempering)

    def row_posteriors(self, read: Sequence[ReadEpisode], scenario: Scenario) -> list[Array]:
        """Out-of-fold pattern posteriors after every row of every episode, shapes (n_rows, k)."""
        dimension, labels = len(read[0].readings[0].vector), pattern_names(scenario)
        rows = [(e, window_features(item.readings[: i + 1], dimension)) for e, item in enumerate(read) for i in range(len(item.readings))]
        x, owner = np.stack([features for _, features in rows]), np.array([e for e, _ in rows])

        def predict(fit_on: NDArray[np.intp], test: NDArray[np.intp]) -> Array:
            head = self._classifier("pattern", pattern_examples([read[e] for e in sorted(set(owner[fit_on]))]), labels)
            return head.probabilities(x[test])

        everything = out_of_fold([read[e].episode.group for e in owner], predict, len(rows), len(labels))
        return [everything[owner == e] for e in range(len(read))]

    def _classifier(self, name: str, examples: Iterable[tuple[Array, str]], labels: Sequence[str]) -> LinearHead:
        pairs = list(examples)
        x = np.stack([x for x, _ in pairs]) if pairs else np.zeros((0, 1), dtype=np.float32)
        return fit_classifier(x, [y for _, y in pairs], labels, self.knobs[f"penalty.{name}"], f"{name} head")

    def phrase_heads(self, read: Sequence[ReadEpisode]) -> dict[str, PhraseHead]:
        """The two phrase heads: wording of emotions and of viewpoints."""
        return {
            "emotion": self._phrase_head(emotion_inventory(read), list(emotion_pairs(read)), lead="I feel "),
            "viewpoint": self._phrase_head(viewpoint_inventory(read), list(viewpoint_pairs(read)), lead=""),
        }

    def _phrase_head(self, inventory: Sequence[Phrase], pairs: Sequence[tuple[Reading, str]], lead: str) -> PhraseHead:
        """Score of a phrase: how near it is to where a ridge map sends the utterance, and how near it is to the utterance itself.

        The map learns what annotators write of such an utterance; the direct part keeps it from saying the same of everything.
        """
        x = np.stack([reading.full for reading, _ in pairs])
        weights, bias = fit_ridge(x, self.embedder.encode([phrase for _, phrase in pairs]), self.knobs["penalty.phrase"])
        vectors = self.embedder.encode([phrase.text for phrase in inventory])
        said = self.embedder.encode([lead + phrase.text for phrase in inventory])
        directions = (said - said.mean(axis=0)) / np.linalg.norm(said - said.mean(axis=0), axis=1, keepdims=True)
        direct = self.knobs["direct.phrase"] * directions
        mean = np.mean([reading.vector for reading, _ in pairs], axis=0)
        scores = vectors @ weights
        scores[:, : direct.shape[1]] += direct / VECTOR_SCALE
        return PhraseHead(
            tuple(phrase.text for phrase in inventory),
            tuple(phrase.extra for phrase in inventory),
            scores.astype(np.float32),
            (vectors @ bias - direct @ mean).astype(np.float32),
        )
