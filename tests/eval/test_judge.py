"""The judge against a real HTTP server with scripted replies."""

import json

import pytest
from fastapi.responses import HTMLResponse, JSONResponse

from eval.instances import TaskName
from eval.judge import Judge
from eval.judge_endpoint import JudgeEndpoint
from eval.records import Prediction
from eval.runner import key_of
from eval.scoring import score_one
from rescue_agent.errors import EndpointError, SettingsError
from rescue_agent.settings import settings
from tests.scripted_server import Script, material_of, serving

OWN_WORDS, GOLD = "hurt and overlooked", "feels forgotten"


def er(number=1, status="ok"):
    prediction = {"description": f"{OWN_WORDS} {number}", "intensity": 5.0, "reason": "secret"} if status == "ok" else None
    return Prediction(
        engine="e", task=TaskName.ER, protocol="sound", instance_id=f"er:s/1:{number}@0", input_hash="h",
        gold={"description": GOLD, "intensity": 7.0}, prediction=prediction, status=status,
    )  # fmt: skip


@pytest.fixture
def judged(monkeypatch, tmp_path):
    """judge(script, predictions) -> grades, with the server of the script."""

    def judge(script, predictions, concurrency=1):
        with serving(script) as url:
            monkeypatch.setenv("OPENAI_BASE_URL", url)
            monkeypatch.setenv("OPENAI_API_KEY", "none")
            settings.cache_clear()
            made = Judge(JudgeEndpoint("grader"), concurrency)
            grades = made.grade(predictions, tmp_path / "judgements.jsonl")
        settings.cache_clear()
        return made, grades

    return judge


def test_an_answer_is_graded_in_both_orders_and_the_grade_is_the_mean(judged):
    script = Script('{"reason": "near", "score": 4}', '{"reason": "near", "score": 3}')
    made, grades = judged(script, [er()])

    assert grades == {key_of(er()): 3.5}
    first, second = (material_of(body) for body in script.asked)
    assert (first["a"], first["b"]) == (second["b"], second["a"]) == (f"{OWN_WORDS} 1", GOLD)
    assert made.about()["mean_order_difference"] == 1
    assert made.tokens == {"input": 20, "output": 10}


def test_the_judge_sees_no_intensity_reason_or_name_of_an_engine(judged):
    script = Script('{"score": 4}')
    judged(script, [er()])

    for body in script.asked:
        assert "secret" not in json.dumps(body)
        assert set(material_of(body)) == {"a", "b"}


def test_scores_follow_from_the_grade():
    scores = score_one(er(), grade=4.0).scores

    assert (scores["judge"], scores["s_emo"], scores["intensity_match"], scores["s_er"]) == (4.0, 4.0, 3.0, 3.5)


@pytest.mark.parametrize(
    "reply",
    [
        "I think it is a 4.",
        '{"score": "high"}',
        '{"score": 7}',
        "",
        '{"score": 4',
        '{"score": true}',
        "<html>",
        HTMLResponse("<html>gone</html>"),
    ],
)
def test_a_grade_that_cannot_be_read_is_asked_for_again_and_then_left_out(judged, reply):
    script = Script(reply)
    made, grades = judged(script, [er()])

    assert grades == {}
    assert len(script.asked) == 4
    assert made.about()["unread"] == 1


def test_a_second_try_counts(judged):
    _, grades = judged(Script("well...", '{"score": 5}'), [er()])

    assert grades == {key_of(er()): 5.0}


def test_an_unread_answer_gets_the_lowest_grade_without_being_asked(judged):
    script = Script('{"score": 4}')
    _, grades = judged(script, [er(status="parse_failed")])

    assert grades == {key_of(er(status="parse_failed")): 1.0}
    assert script.asked == []


def test_what_was_graded_is_not_asked_again(judged):
    script = Script('{"score": 4}')
    judged(script, [er()])
    asked = len(script.asked)
    _, grades = judged(script, [er()])

    assert len(script.asked) == asked
    assert grades == {key_of(er()): 4.0}


def test_a_server_that_refuses_the_temperature_is_asked_without(judged):
    def reply(body):
        if "temperature" in body:
            return JSONResponse({"error": {"message": "unsupported value: 'temperature'"}}, status_code=400)
        return '{"score": 2}'

    _, grades = judged(Script(reply), [er()])

    assert grades == {key_of(er()): 2.0}


def test_an_endpoint_that_refuses_stops_the_judge_with_one_line(judged):
    with pytest.raises(EndpointError, match="grader: ") as caught:
        judged(Script(401), [er(n) for n in range(5)])

    assert "\n" not in str(caught.value)


def test_no_endpoint_is_said_at_once(monkeypatch):
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    settings.cache_clear()

    with pytest.raises(SettingsError, match="no language model: set OPENAI_BASE_URL"):
        JudgeEndpoint("m")
