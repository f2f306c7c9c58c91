import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rescue_agent.decisions import Ranking


@given(st.dictionaries(st.text(min_size=1), st.floats(0, 1e6), min_size=1, max_size=12))
def test_a_ranking_is_sorted_and_sums_to_one(scores):
    ranking = Ranking.of(scores)
    shares = [p for _, p in ranking.ranking]

    assert {label for label, _ in ranking.ranking} == set(scores)
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1, abs=1e-6)


def test_scores_of_zero_share_out_evenly():
    assert Ranking.of({"a": 0.0, "b": 0.0}).probabilities == {"a": 0.5, "b": 0.5}


def test_a_ranking_that_does_not_sum_to_one_is_refused():
    with pytest.raises(ValidationError, match="sum to"):
        Ranking(ranking=(("a", 0.5), ("b", 0.4)))


def test_no_candidate_no_ranking():
    with pytest.raises(ValueError, match="at least one candidate"):
        Ranking.of({})
