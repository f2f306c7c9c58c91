"""Each metric against scikit-learn or a case worked by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sklearn

from eval.metrics.additive import interval, mean_metric, paired_difference
from eval.metrics.calibration import brier, calibration_metrics
from eval.metrics.classification import binary_metrics, classification_metrics, preference_bias, preference_bias_metric
from eval.metrics.ranking import ranking_metrics, reciprocal_rank
from eval.metrics.text import cosine, embedding_f1, pair_counts, token_f1
from eval.scoring import intensity_match

LABELS = ["a", "b", "c"]
pairs = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1, max_size=40)


def value(metric):
    return float(metric.value(metric.statistics.sum(axis=0)))


def by_name(metrics):
    return {metric.name: value(metric) for metric in metrics}


@given(pairs)
def test_classification_is_scikit_learns(cases):
    gold, predicted = zip(*cases, strict=True)
    mine = by_name(classification_metrics(gold, predicted, LABELS))

    assert mine["accuracy"] == pytest.approx(sklearn.accuracy_score(gold, predicted))
    assert mine["macro_f1"] == pytest.approx(sklearn.f1_score(gold, predicted, average="macro", zero_division=0))
    assert mine["weighted_f1"] == pytest.approx(sklearn.f1_score(gold, predicted, average="weighted", zero_division=0))
    assert mine["balanced_accuracy"] == pytest.approx(
        sklearn.recall_score(gold, predicted, average="macro", labels=sorted(set(gold)), zero_division=0)
    )


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_binary_is_scikit_learns(cases):
    gold, predicted = zip(*cases, strict=True)
    mine = by_name(binary_metrics(gold, predicted))

    assert mine["precision"] == pytest.approx(sklearn.precision_score(gold, predicted, zero_division=0))
    assert mine["recall"] == pytest.approx(sklearn.recall_score(gold, predicted, zero_division=0))
    assert mine["f1"] == pytest.approx(sklearn.f1_score(gold, predicted, zero_division=0))


def test_an_answer_that_could_not_be_read_is_wrong_and_stands_in_the_denominator():
    assert by_name(classification_metrics(["a", "a", "b"], ["a", None, "b"], LABELS))["accuracy"] == pytest.approx(2 / 3)
    assert by_name(binary_metrics([True, True], [True, None]))["recall"] == 0.5
    # not "no", as the release counts it: an unread answer to a negative is wrong, too
    assert by_name(binary_metrics([False, False], [False, None]))["balanced_accuracy"] == 0.5


def test_always_yes_on_a_balanced_task_is_two_thirds():
    assert by_name(binary_metrics([True, False] * 10, [True] * 20))["f1"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("ranking", "gold", "expected"), [("abc", "a", 1), ("abc", "b", 0.5), ("abc", "c", 1 / 3), ("abcd", "d", 0), ("", "a", 0)]
)
def test_reciprocal_rank_by_hand(ranking, gold, expected):
    assert reciprocal_rank(list(ranking), gold) == expected


def test_recalls_by_hand():
    mine = by_name(ranking_metrics([["a", "b", "c"], ["b", "a", "c"], ["c", "b", "a"], []], ["a", "a", "a", "a"]))

    assert mine == pytest.approx({"recall_at_1": 0.25, "recall_at_2": 0.5, "recall_at_3": 0.75, "mrr_at_3": (1 + 0.5 + 1 / 3) / 4})


def test_chance_with_three_candidates_is_the_papers_reference():
    orders = [["a", "b", "c"], ["b", "a", "c"], ["b", "c", "a"]]
    mine = by_name(ranking_metrics(orders, ["a"] * 3))

    assert mine["recall_at_1"] == pytest.approx(1 / 3)
    assert mine["mrr_at_3"] == pytest.approx(0.611, abs=1e-3)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30))
def test_brier_of_two_labels_is_twice_scikit_learns(cases):
    chances, gold = zip(*cases, strict=True)
    mine = np.mean([brier({"yes": p, "no": 1 - p}, "yes" if g else "no") for p, g in cases])

    assert mine == pytest.approx(2 * sklearn.brier_score_loss(gold, chances, pos_label=True, labels=[False, True]))


def test_calibration_error_by_hand():
    # two answers at 0.8 (one right), one at 0.55 (right): |1.6 - 1| / 3 + |0.55 - 1| / 3
    distributions = [{"a": 0.8, "b": 0.2}, {"a": 0.8, "b": 0.2}, {"a": 0.55, "b": 0.45}]
    mine = by_name(calibration_metrics(distributions, ["a", "b", "a"]))

    assert mine["ece"] == pytest.approx((0.6 + 0.45) / 3)


def test_answers_without_probabilities_have_no_calibration():
    _, ece = calibration_metrics([None, {"a": 1.0}], ["a", "a"])

    assert ece.n == 1
    assert interval(mean_metric("brier", [None, None]), ["g", "h"]).value is None


def test_no_preference_is_no_bias_and_one_label_only_is_the_most():
    even = np.array([[5.0, 5, 5, 0], [5, 5, 5, 0], [5, 5, 5, 0]])
    one = np.array([[15.0, 0, 0, 0], [15, 0, 0, 0], [15, 0, 0, 0]])
    some = np.array([[10.0, 3, 2, 0], [8, 5, 2, 0], [8, 3, 4, 0]])

    assert float(preference_bias(even)) == pytest.approx(0, abs=1e-9)
    assert 0 < float(preference_bias(some)) < float(preference_bias(one))
    # all preference on one of three labels with a mean of 1: (3, 0, 0)
    assert float(preference_bias(one)) == pytest.approx(2**0.5)
    assert preference_bias_metric(["a"], ["b"], LABELS).name == "preference_bias"


@pytest.mark.parametrize(("predicted", "gold", "expected"), [(5, 5, 5), (5, 7, 3), (0, 10, 1), (4.5, 5, 4.5)])
def test_intensity_match_by_hand(predicted, gold, expected):
    assert intensity_match(predicted, gold) == expected


def test_token_matching_by_hand():
    x, y = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    candidate, reference = np.stack([x, y]).astype(np.float32), np.stack([x]).astype(np.float32)

    # precision (1 + 0) / 2, recall 1
    assert token_f1(candidate, reference) == pytest.approx(2 * 0.5 * 1 / 1.5)
    assert token_f1(candidate, candidate) == pytest.approx(1)
    assert token_f1(candidate, reference[:0]) == 0


def test_the_same_words_are_alike_and_other_words_less():
    assert embedding_f1("feels hurt and alone", "feels hurt and alone") == pytest.approx(1, abs=1e-5)
    assert embedding_f1("feels sad and lonely", "feels hurt and alone") > embedding_f1("a red bicycle", "feels hurt and alone")
    assert cosine("feels sad", "feels sad") == pytest.approx(1, abs=1e-5)


def test_pairs_are_counted_once_and_by_direction():
    assert pair_counts([("A", "B"), ("A", "B"), ("A", "C")], [("A", "B"), ("B", "A")]) == (1, 2, 2)


def test_intervals_are_the_same_for_the_same_seed_and_cover_whole_groups():
    metric = mean_metric("m", [1, 1, 1, 0, 0, 0])
    groups = ["g"] * 3 + ["h"] * 3
    found = interval(metric, groups, seed=1)

    assert found == interval(metric, groups, seed=1)
    # only whole groups are drawn, so that the mean is 0, one half or 1
    assert (found.value, found.low, found.high) == (0.5, 0.0, 1.0)
    assert interval(metric, ["g"] * 6).low is None


def test_a_paired_difference_is_narrower_than_the_two_intervals():
    rng = np.random.default_rng(0)
    hard = rng.random(200)
    one, other = (hard + 0.1).tolist(), hard.tolist()
    groups = [f"g{i // 10}" for i in range(200)]
    found = paired_difference(mean_metric("m", one), mean_metric("m", other), groups)

    assert found.value == pytest.approx(0.1)
    assert found.low == pytest.approx(0.1)
    assert found.high == pytest.approx(0.1)
