"""F17, F18: a language model's server that fails, hangs, breaks off, or answers nonsense; a real HTTP server on loopback."""

import time

import pytest
from fastapi.responses import HTMLResponse, Response, StreamingResponse
from pydantic import SecretStr

from eval.engines import Contender
from eval.instances import SOUND, TaskName
from eval.plan import Plan
from eval.records import read_predictions
from eval.runner import predict
from graphs.room import Room
from rescue_agent.engines.holding import HoldingEngine
from rescue_agent.engines.hybrid import Fallback
from rescue_agent.engines.llm.answers import EmotionAnswer
from rescue_agent.engines.llm.asking import Asker
from rescue_agent.engines.llm.endpoint import Endpoint
from rescue_agent.engines.llm.engine import JointEngine, LlmEngine
from rescue_agent.engines.llm.parse import ask_for
from rescue_agent.engines.llm.protocol import Ledger, Request, whole
from rescue_agent.engines.llm.retry import TRIES, Retry
from rescue_agent.errors import EndpointError, UnparsedReply
from rescue_agent.moment import Mode
from rescue_agent.safety.policy import PAUSED, SELF_HARM
from tests.engines.llm.test_endpoint import GOOD, QUESTION
from tests.scripted_server import CUT, Script, completion, serving

pytestmark = pytest.mark.faults
STREAM = Request("reply", QUESTION.messages, stream=True)


def busy(seconds):
    return Response(status_code=429, headers={"retry-after": seconds}, content='{"error": {"message": "slow down"}}')


def model(url, *, limit=10.0, timeout=5.0):
    return Retry(Endpoint("m", url, SecretStr("k"), timeout), limit)


def ask(script, request=QUESTION, **more):
    with serving(script) as url:
        return whole(model(url, **more).ask(request))


def hanging(_):
    time.sleep(3)
    return GOOD


def trickling(_):
    def bytes_now_and_then():
        for _ in range(100):
            yield b" "
            time.sleep(0.1)

    return StreamingResponse(bytes_now_and_then(), media_type="application/json")


def test_f17_server_errors_are_tried_again_and_retry_after_is_honoured():
    script, started = Script(busy("1"), 503, GOOD), time.monotonic()

    assert ask(script).text == GOOD
    assert len(script.asked) == TRIES == 3
    assert time.monotonic() - started >= 1


@pytest.mark.parametrize("reply", [429, 500, 503])
def test_f17_three_tries_are_all(reply):
    script = Script(reply)
    with pytest.raises(EndpointError, match="given up after 3 of 3 tries"):
        ask(script)

    assert len(script.asked) == 3


def test_f17_a_pause_beyond_the_limit_is_not_waited_for():
    script = Script(busy("3600"))
    with pytest.raises(EndpointError, match="given up after 1 of 3 tries"):
        ask(script)


@pytest.mark.slow
@pytest.mark.parametrize("reply", [hanging, trickling], ids=["hang", "trickle"])
@pytest.mark.parametrize("request_", [QUESTION, STREAM], ids=["whole", "stream"])
def test_f17_a_server_that_never_finishes_is_given_up(reply, request_):
    script = Script(reply)
    with pytest.raises(EndpointError, match="given up after"):
        ask(script, request_, timeout=0.5, limit=1.0)

    assert len(script.asked) <= 3


def test_f17_no_try_may_take_longer_than_what_is_left_of_the_time():
    given = []

    class Slow:
        identity = "slow"

        def ask(self, request):
            given.append(request.seconds)
            raise EndpointError("no")
            yield

    with pytest.raises(EndpointError):
        whole(Retry(Slow(), 30.0).ask(QUESTION))
    assert 0 < given[0] <= 30


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/v1", "http://nobody.invalid/v1"], ids=["closed port", "no such name"])
def test_f17_nobody_at_the_address_is_one_line_after_three_tries(address):
    with pytest.raises(EndpointError, match="given up after 3 of 3 tries") as caught:
        whole(model(address).ask(QUESTION))

    assert "\n" not in str(caught.value)


def test_f17_a_stream_that_breaks_off_is_not_said_again():
    heard, script = [], Script(f"Rosa, what did {CUT}")
    with serving(script) as url, pytest.raises(EndpointError, match="after 1 of 3"):
        heard.extend(map(heard.append, model(url).ask(STREAM)))

    assert "".join(filter(None, heard)).startswith("Rosa")
    assert len(script.asked) == 1


@pytest.mark.parametrize(("words", "said"), [("I want to kill myself.", SELF_HARM), ("He hit me again last night.", PAUSED)])
def test_f17_the_crisis_words_ask_no_model(words, said, services):
    script = Script(hanging)
    with serving(script) as url:
        services["engine"] = Fallback(JointEngine(Asker(model(url)), 20), HoldingEngine())
        room = Room.create("couple", ["Orla", "Pavel"], **services)

        assert room.say("Orla", words, "m1").reply == said
    assert script.asked == []


def test_f17_a_turn_is_held_when_the_endpoint_is_down(services):
    services["engine"] = Fallback(JointEngine(Asker(Endpoint("m", "http://127.0.0.1:9/v1", None, 1.0)), 20), HoldingEngine())
    room = Room.create("couple", ["Orla", "Pavel"], **services)
    decision = room.say("Orla", "You never told me.", "m1")

    assert decision.reply is None
    assert "gave no usable answer" in decision.intervene.reason


UNREADABLE = {
    "empty": "",
    "prose": "no idea",
    "half": GOOD[:-10],
    "word for a number": '{"evidence": "e", "description": "hurt", "intensity": "high"}',
    "range": '{"evidence": "e", "description": "hurt", "intensity": 70}',
    "nan": '{"evidence": "e", "description": "hurt", "intensity": NaN}',
    "wrong schema": '{"mood": "hurt"}',
    "list": '["hurt", 6]',
    "braces": "{" * 100_000,
    "100k": "word " * 100_000,
    "html": HTMLResponse("<html><body>gateway</body></html>"),
    "null": Response("null", media_type="application/json"),
    "none": completion(None),
    "cut": completion(GOOD[:20], "length"),
    "cut outside": '{"evidence": "e", "inner": ' + GOOD,
}


@pytest.mark.parametrize("reply", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_f18_what_cannot_be_read_is_asked_for_once_more_then_counted(reply):
    script, ledger = Script(reply), Ledger()
    with serving(script) as url, pytest.raises(UnparsedReply, match="decide_er: "):
        ask_for(Endpoint("m", url, None, 5.0), QUESTION, EmotionAnswer, ledger)

    assert len(script.asked) == 2
    assert (ledger.of("decide_er").repaired, ledger.of("decide_er").unparsed) == (1, 1)


@pytest.mark.parametrize("reply", ["", '{"mood": "hurt"}', "<html></html>"], ids=["empty", "wrong schema", "html"])
def test_f18_scoring_records_what_could_not_be_read_and_no_default_answer(reply, dev_episodes, tmp_path):
    plan = Plan(dev_episodes[:1], [TaskName.RPP], SOUND, Mode.DIALOGUE, seed=0)
    with serving(Script(reply)) as url:
        engine = LlmEngine(Asker(Endpoint("m", url, None, 5.0)), 20)
        asked = Contender("llm", "zero-shot", "x", lambda _: engine)
        predict([asked], plan.instances[:3], tmp_path / "predictions.jsonl", protocol="sound")
    found, _ = read_predictions(tmp_path / "predictions.jsonl")

    assert [(p.status, p.prediction) for p in found] == [("parse_failed", None)] * 3


def test_f18_in_a_room_nonsense_is_a_hold_with_its_reason(services):
    with serving(Script("<html>")) as url:
        services["engine"] = Fallback(JointEngine(Asker(Endpoint("m", url, None, 5.0)), 20), HoldingEngine())
        decision = Room.create("couple", ["Orla", "Pavel"], **services).say("Orla", "You never told me.", "m1")

    assert decision.reply is None
    assert "gave no usable answer" in decision.intervene.reason
