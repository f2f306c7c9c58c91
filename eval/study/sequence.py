"""Steps about what follows the heads: the filter over patterns, the memory, calibration, and decoding jointly."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from eval.metrics.additive import interval
from eval.metrics.calibration import calibration_metrics
from eval.study.judging import Verdict, judged, logistic, penalty_of, verdict
from eval.study.material import DECISIONS, Material, Table
from rescue_agent.corpus.moves import supporter_move
from rescue_agent.engines.embedded.examples import ReadEpisode, pattern_examples
from rescue_agent.engines.embedded.features import window_features
from rescue_agent.engines.embedded.filter_fitting import beliefs_before, fit_filter
from rescue_agent.engines.embedded.heads import Array
from rescue_agent.engines.embedded.pooling import Remembered, moment_vector, pool, remembered
from rescue_agent.engines.embedded.training import KNOBS, RECALLED, Trainer
from rescue_agent.taxonomy import SCENARIOS, Scenario, pattern_names

_WEIGHTS: Final = (0.1, 0.2, 0.4)
_TEMPERATURES: Final = (0.7, 1.0, 1.5)


@dataclass(frozen=True)
class _Split:
    """One split of one scenario: its episodes, a posterior after every row, and the labelled rows."""

    read: list[ReadEpisode]
    posteriors: list[Array]
    places: list[tuple[int, int]]
    table: Table

    def at_places(self, episodes: Sequence[Array]) -> Array:
        """What each episode's rows hold just before the labelled ones; even odds where nothing was said yet."""
        k = episodes[0].shape[1]
        return np.stack([episodes[e][i - 1] if i else np.full(k, 1 / k, dtype=np.float32) for e, i in self.places])


def filtering(material: Material) -> Iterator[Verdict]:
    """Does the forward filter help over the head alone, and how much should one row count in it?"""
    for scenario in SCENARIOS:
        train, dev = _splits(material, scenario)
        yield _judged(scenario, "head alone", train, dev, train.at_places(train.posteriors), dev.at_places(dev.posteriors))
        parameters = fit_filter(train.read, scenario)
        for tempering in (0.1, 0.2, 0.5, 1.0):
            tempered = replace(parameters, tempering=tempering)
            beliefs = [beliefs_before(tempered, split.posteriors, split.places) for split in (train, dev)]
            yield _judged(scenario, f"filter, tempering {tempering:g}", train, dev, *beliefs)


def memory(material: Material) -> Iterator[Verdict]:
    """How much should the labels of recalled moments count beside the filter's belief?"""
    for scenario in SCENARIOS:
        train, dev = _splits(material, scenario)
        parameters = replace(fit_filter(train.read, scenario), tempering=0.2)
        beliefs = [beliefs_before(parameters, split.posteriors, split.places) for split in (train, dev)]
        store = remembered(train.read, [[_state(row.relation_cycle_state, scenario) for _, row in item.rows()] for item in train.read])
        votes = [_votes(store, split, scenario) for split in (train, dev)]
        yield _judged(scenario, "without memory", train, dev, *beliefs)
        for weight in _WEIGHTS:
            pooled = [pool(belief, vote, weight) for belief, vote in zip(beliefs, votes, strict=True)]
            yield _judged(scenario, f"memory {weight:g}", train, dev, *pooled)


def calibration(material: Material) -> Iterator[Verdict]:
    """Are the heads as sure as they are right? A temperature divides their scores."""
    for scenario in SCENARIOS:
        train, dev = _splits(material, scenario)
        for temperature in _TEMPERATURES:
            cooled = [_cooled(split.at_places(split.posteriors), temperature) for split in (train, dev)]
            yield _judged(scenario, f"head, temperature {temperature:g}", train, dev, *cooled)


def joint(material: Material) -> Iterator[Verdict]:
    """Does the strategy head gain by seeing the pattern that was read before it (decoding pattern, then strategy)?"""
    for decision in (d for d in DECISIONS if d.name.startswith("strategy")):
        scenario = decision.scenario or "couple"
        (train, dev), (read, read_dev) = material.tables(decision), _splits(material, scenario)
        yield judged(decision.name, "without the pattern", train, dev, logistic(penalty_of(decision)))
        seen, seen_dev = _with_pattern(train, read), _with_pattern(dev, read_dev)
        yield judged(decision.name, "with the head's pattern", seen, seen_dev, logistic(penalty_of(decision)))


def _with_pattern(table: Table, split: _Split) -> Table:
    moves = [(e, i) for e, item in enumerate(split.read) for i, row in item.rows() if supporter_move(item.episode, row)]
    patterns = replace(split, places=moves).at_places(split.posteriors)
    return replace(table, x=np.concatenate([table.x, patterns], axis=1))


def _splits(material: Material, scenario: Scenario) -> tuple[_Split, _Split]:
    train, dev = ([item for item in read if item.episode.scenario == scenario] for read in (material.train, material.dev))
    head = material.heads.linear[f"pattern.{scenario}"]
    width = len(train[0].readings[0].vector)
    read_dev = [head.probabilities(np.stack([window_features(i.readings[: n + 1], width) for n in range(len(i.readings))])) for i in dev]
    out_of_fold = Trainer(dict(KNOBS), material.embedder).row_posteriors(train, scenario)
    return _split(train, out_of_fold, scenario), _split(dev, read_dev, scenario)


def _split(read: list[ReadEpisode], posteriors: list[Array], scenario: Scenario) -> _Split:
    places = [(e, i) for e, item in enumerate(read) for i, row in item.rows() if _state(row.relation_cycle_state, scenario)]
    return _Split(read, posteriors, places, Table.of(read, pattern_examples))


def _state(label: str | None, scenario: Scenario) -> str:
    return label if label in pattern_names(scenario) else ""


def _votes(store: Remembered, split: _Split, scenario: Scenario) -> Array:
    names = pattern_names(scenario)
    return np.stack([store.votes(moment_vector(split.read[e], i), split.read[e].episode.group, names, RECALLED) for e, i in split.places])


def _cooled(probabilities: Array, temperature: float) -> Array:
    return pool(probabilities, np.full_like(probabilities, np.nan), 0.0, temperature)


def _judged(scenario: Scenario, variant: str, train: _Split, dev: _Split, cross: Array, held_out: Array) -> Verdict:
    names = np.array(pattern_names(scenario))
    found = verdict(
        f"pattern, {scenario}", variant, (train.table, names[cross.argmax(axis=1)]), (dev.table, names[held_out.argmax(axis=1)])
    )
    distributions = [dict(zip(pattern_names(scenario), map(float, row), strict=True)) for row in cross]
    _, ece = calibration_metrics(distributions, train.table.y.tolist())
    return replace(found, variant=f"{variant} (ECE {interval(ece, train.table.groups.tolist()).value or 0.0:.3f})")
