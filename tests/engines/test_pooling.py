import numpy as np
import pytest

from rescue_agent.decisions import RecalledMoment
from rescue_agent.engines.embedded.pooling import Remembered, best_temperature, best_weight, log_loss, pool, recall_votes

NONE = np.full((1, 2), np.nan, dtype=np.float32)


def test_votes_by_hand():
    recalled = [
        RecalledMoment(sample_id="s", row_index=i, distance=d, strategy=label)
        for i, (d, label) in enumerate([(0.2, "a"), (0.6, "b"), (0.1, "")])
    ]

    # 0.8 for a, 0.4 for b; 5 % is spread evenly
    assert recall_votes(recalled, "strategy", ("a", "b")) == pytest.approx({"a": 0.95 * 2 / 3 + 0.025, "b": 0.95 / 3 + 0.025}, abs=1e-6)
    assert recall_votes(recalled, "pattern", ("a", "b")) == {}


def test_the_pool_by_hand():
    p, votes = np.array([[0.8, 0.2]]), np.array([[0.2, 0.8]])

    assert pool(p, votes, 0.5) == pytest.approx(np.array([[0.5, 0.5]]))
    assert pool(p, NONE, 0.5) == pytest.approx(p)
    assert pool(p, votes, 0.0, temperature=2.0) == pytest.approx(np.array([[2 / 3, 1 / 3]]), abs=1e-6)


def test_useless_votes_get_no_weight_and_good_ones_some():
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 2, 400).tolist()
    weak = np.array([[0.6, 0.4] if g == 0 else [0.4, 0.6] for g in gold])
    good = np.array([[0.9, 0.1] if g == 0 else [0.1, 0.9] for g in gold])
    noise = rng.dirichlet([1, 1], 400)

    assert best_weight(weak, good, gold) > 0.5
    assert best_weight(good, noise, gold) <= 0.05


def test_an_overconfident_head_is_cooled():
    gold = [0] * 6 + [1] * 4
    sure = np.array([[0.98, 0.02]] * 10)
    cooled = best_temperature(sure, gold)

    assert cooled > 1
    assert log_loss(pool(sure, np.full_like(sure, np.nan), 0.0, cooled), gold) < log_loss(sure, gold)


def test_memory_never_votes_for_its_own_group():
    vectors = np.eye(3, dtype=np.float32)
    memory = Remembered(vectors, ("g", "h", "i"), ("a", "b", "b"))

    assert np.isnan(memory.votes(vectors[0], "g", ("a", "b"), k=3)).all()
    assert memory.votes(vectors[0], "h", ("a", "b"), k=3)[0] > 0.9
