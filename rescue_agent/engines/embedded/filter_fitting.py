"""The forward filter over patterns, fitted: prior, transitions and shares by counting, and beliefs along an episode."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from rescue_agent.engines.embedded.examples import ReadEpisode
from rescue_agent.engines.embedded.heads import Array, PatternFilter
from rescue_agent.relation import filter_step
from rescue_agent.taxonomy import Scenario, pattern_names


def beliefs_before(parameters: PatternFilter, posteriors: Sequence[Array], places: Sequence[tuple[int, int]]) -> Array:
    """The filter's belief before each (episode, row) of `places`, shape (n, k)."""
    before: list[list[Array]] = []
    for rows in posteriors:
        beliefs = [parameters.prior]
        for posterior in rows:
            beliefs.append(filter_step(beliefs[-1], parameters.transition, posterior, parameters.shares, parameters.tempering))
        before.append(beliefs)
    return np.stack([before[e][i] for e, i in places])


def fit_filter(read: Sequence[ReadEpisode], scenario: Scenario) -> PatternFilter:
    """Prior and transitions between labelled rows, spread over the rows between them (add-one smoothing); no tempering yet."""
    labels = pattern_names(scenario)
    counts, starts, shares, gaps = np.ones((len(labels), len(labels))), np.ones(len(labels)), np.ones(len(labels)), []
    for item in read:
        known = [(i, row.relation_cycle_state) for i, row in item.rows() if row.relation_cycle_state in labels]
        if not known:
            continue
        starts[labels.index(known[0][1])] += 1
        for _, label in known:
            shares[labels.index(label)] += 1
        for (i, before), (j, after) in pairwise(known):
            counts[labels.index(before), labels.index(after)] += 1
            gaps.append(j - i)
    between = counts / counts.sum(axis=1, keepdims=True)
    rate = 1 / max(1.0, float(np.mean(gaps)) if gaps else 1.0)
    transition = (1 - rate) * np.eye(len(labels)) + rate * between
    prior, frequency = (starts / starts.sum()).astype(np.float32), (shares / shares.sum()).astype(np.float32)
    return PatternFilter(prior, transition.astype(np.float32), frequency, 1.0)
