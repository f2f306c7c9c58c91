"""The study: its masks find what they say, its judging keeps groups apart, and what it prints is a table."""

import numpy as np
import pytest

from eval.metrics.additive import Interval
from eval.study.judging import Verdict, judged, logistic
from eval.study.material import DECISIONS, Decision, Material, Table
from eval.study.table import table
from rescue_agent.corpus.splits import bundled_episodes
from rescue_agent.engines.embedded.examples import strategy_examples
from rescue_agent.engines.embedded.training import read_out_of_fold

FEW = 12


@pytest.fixture(scope="module")
def material(embedder):
    made = Material(embedder)
    couples = [e for e in bundled_episodes("train") if e.scenario == "couple"][:FEW]
    made.__dict__["train"] = read_out_of_fold(couples, embedder)
    return made


def test_columns_of_the_words_are_those_that_hold_the_embedding(material):
    decision = next(d for d in DECISIONS if d.name == "strategy, couple")

    mask = material.columns(decision, "vector")

    # the window's two means and the last utterance
    assert mask.sum() == 3 * material.embedder.dimension
    without = decision.of(material.train).with_columns(mask, 0)
    assert not without.x[:, mask].any()
    assert without.x[:, ~mask].any()


def test_a_label_that_only_a_group_knows_is_not_learned_from_that_group():
    groups = np.array([f"g{i // 4}" for i in range(80)])
    x = np.eye(20, dtype=np.float32)[np.arange(80) // 4]
    y = np.array(["a" if (i // 4) % 2 else "b" for i in range(80)])
    leaky = Table(x, y, groups)

    found = judged("toy", "groups as features", leaky, leaky, logistic(100.0))

    assert found.dev_accuracy == 1.0, "what was seen in training is known"
    assert (found.accuracy.value or 1.0) < 0.6, "a group that was never seen is not"


def test_a_feature_that_all_groups_share_is_learned():
    rng = np.random.default_rng(0)
    y = np.array(["a", "b"] * 60)
    x = np.stack([rng.normal(size=120), (y == "a") + 0.1 * rng.normal(size=120)], axis=1).astype(np.float32)
    shared = Table(x, y, np.array([f"g{i // 6}" for i in range(120)]))

    found = judged("toy", "shared", shared, shared, logistic(10.0))

    assert found.accuracy.value == 1.0
    assert found.macro_f1 == 1.0


def test_a_table_has_a_line_a_variant_and_its_interval():
    verdict = Verdict("pattern, couple", "as shipped", 10, Interval(0.5, 0.25, 0.75), 0.4, 5, 0.6, 0.3)

    lines = table([verdict]).splitlines()

    assert len(lines) == 3
    assert "| 0.500 [0.250, 0.750] |" in lines[2]


def test_examples_are_those_that_the_heads_are_trained_on(material):
    decision = Decision("strategy, couple", strategy_examples, "couple")

    mine = decision.of(material.train)

    assert mine.x.shape[0] == sum(1 for _ in strategy_examples(material.train)) > 30
    assert set(mine.groups) <= {item.episode.group for item in material.train}
