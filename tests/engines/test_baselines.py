import pytest

from rescue_agent.engines.baselines import count_commonest
from rescue_agent.engines.protocol import Engine
from rescue_agent.engines.registry import make_engine
from rescue_agent.errors import InputError
from rescue_agent.moment import Moment


@pytest.mark.parametrize("name", ["majority", "random", "nearest"])
def test_a_baseline_answers_every_task(name, couple):
    baseline = make_engine(name)
    moment = Moment.at(couple, 3, with_current=True)

    assert isinstance(baseline, Engine)
    assert baseline.recognise_emotion(moment).person == "Orla"
    assert all(view.target == "Pavel" for view in baseline.predict_viewpoints(moment))
    assert len(baseline.predict_pattern(moment).ranking) == 6
    assert len(baseline.rank_strategies(moment, "Orla").ranking) == 10
    assert {name for name, _ in baseline.rank_targets(moment, moment.candidates).ranking} == {"Orla", "Pavel", "Couple"}
    assert baseline.decide_intervention(moment).reason


def test_the_commonest_is_counted_by_hand(couple):
    commonest = count_commonest([couple])

    assert commonest.patterns["couple"]["pursue_withdraw"] == 0.5
    assert commonest.strategies["couple"]["track"] == 0.5
    assert commonest.intensity == pytest.approx((7 + 5 + 6 + 5 + 4) / 5)
    # four participants' rows have a next row; the supporter follows two of them
    assert commonest.speak == 0.5
    assert commonest.target_roles == {"group": 0.5, "last_speaker": 0.5, "other_speaker": 0.0, "silent": 0.0}


def test_random_is_the_same_for_the_same_moment_and_differs_between_moments(couple):
    baseline = make_engine("random")
    answers = [baseline.predict_pattern(Moment.at(couple, i, with_current=True)).ranking for i in range(7)]

    assert answers == [baseline.predict_pattern(Moment.at(couple, i, with_current=True)).ranking for i in range(7)]
    assert len({ranking[0][0] for ranking in answers}) > 1


def test_an_unknown_engine_is_one_clear_line():
    with pytest.raises(InputError, match=r"--engine 'gpt': unknown; known are embedded, llm, hybrid, majority"):
        make_engine("gpt")
