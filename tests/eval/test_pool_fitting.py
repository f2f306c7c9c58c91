"""The weights of the hybrid pool, fitted against a scripted server and kept by model."""

import json

import pytest

from eval.pool_fitting import Case, _fitted, fit_pool, weights_of
from rescue_agent.engines.hybrid import HybridEngine, PoolWeights
from rescue_agent.engines.llm.asking import Asker
from rescue_agent.engines.llm.endpoint import Endpoint
from rescue_agent.engines.pool_weights import load_weights, save_weights, weights_file
from rescue_agent.errors import InputError
from tests.scripted_server import Script, serving

SURE, UNSURE = {"a": 0.9, "b": 0.1}, {"a": 0.5, "b": 0.5}


def test_the_better_one_gets_the_weight():
    model_knows = [Case(SURE, {"a": 0.1, "b": 0.9}, "a")] * 5
    heads_know = [Case({"a": 0.1, "b": 0.9}, SURE, "a")] * 5

    assert _fitted("pattern", model_knows).weight == 1.0
    assert _fitted("pattern", heads_know).weight == 0.0
    fitted = _fitted("pattern", [*model_knows, *heads_know, None])
    assert (fitted.weight, fitted.n, fitted.parse_failed) == (0.5, 10, 1)
    assert fitted.loss <= min(fitted.heads_alone, fitted.model_alone)


def test_nothing_readable_is_said():
    with pytest.raises(InputError, match="none of 2 answers"):
        _fitted("target", [None, None])


def answer(body):
    name = body["response_format"]["json_schema"]["name"]
    labels = {"decide_rpp": "pursue_withdraw", "decide_stp": "GROUP", "decide_ssp": "track"}
    if name == "decide_itp":
        return json.dumps({"evidence": "e", "speak": True, "probability": 0.6})
    return json.dumps({"evidence": "e", "ranking": [{"label": labels[name], "probability": 0.6}]})


def test_a_model_at_hand_is_weighed_on_four_decisions(engine, dev_episodes):
    script = Script(answer)
    with serving(script) as url:
        hybrid = HybridEngine(Asker(Endpoint("m", url, None, 5.0)), 100, engine, PoolWeights(), joint=False)
        fitted = fit_pool(hybrid, dev_episodes[:2], 3)

    assert [one.decision for one in fitted] == ["pattern", "target", "strategy", "intervene"]
    assert all(one.n == 3 and 0 <= one.weight <= 1 for one in fitted)
    assert len(script.asked) == 12


def test_weights_are_kept_by_model():
    save_weights("here m", PoolWeights(pattern=0.2))
    save_weights("there m", PoolWeights(pattern=0.9))

    assert load_weights("here m").pattern == 0.2
    assert load_weights("elsewhere m") == PoolWeights()
    assert weights_file().stat().st_mode & 0o077 == 0
    assert weights_of(()) == PoolWeights()

    weights_file().write_text("{")
    with pytest.raises(InputError, match="fit-hybrid"):
        load_weights("here m")
    weights_file().unlink()
