"""One endpoint and its wrappers against a real HTTP server with scripted replies."""

import json
import time

import pytest
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, SecretStr

from rescue_agent.engines.llm.answers import EmotionAnswer, strict_schema
from rescue_agent.engines.llm.budget import Allowance, Budget
from rescue_agent.engines.llm.cache import Cache
from rescue_agent.engines.llm.endpoint import Endpoint
from rescue_agent.engines.llm.limits import Limits
from rescue_agent.engines.llm.parse import ask_for, read_object
from rescue_agent.engines.llm.protocol import Completion, Ledger, Message, Request, whole
from rescue_agent.engines.llm.retry import Retry
from rescue_agent.errors import BudgetSpent, EndpointBusy, EndpointError, SettingsError, UnparsedReply
from tests.scripted_server import Script, completion, serving

GOOD = '{"evidence": "e", "description": "hurt", "intensity": 6}'
QUESTION = Request("decide_er", (Message("system", "read"), Message("user", '{"turns": []}')), strict_schema(EmotionAnswer), "hash")


def endpoint(url, timeout=5.0):
    return Endpoint("m", url, SecretStr("k"), timeout)


def ask(script, request=QUESTION, *, limit=10.0, timeout=5.0):
    with serving(script) as url:
        return whole(Retry(endpoint(url, timeout), limit).ask(request))


def refuses(field, words):
    """A server that answers 400 while `field` is in the request."""

    def reply(body):
        return JSONResponse({"error": {"message": words}}, status_code=400) if field in json.dumps(body) else GOOD

    return reply


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("max_completion_tokens", "Unrecognized request argument: max_completion_tokens"),
        ("temperature", "Unsupported value: 'temperature' does not support 0"),
        ("response_format", "response_format is not supported"),
        ("json_schema", "response_format.type must be json_object or text"),
        ("maxLength", "Invalid schema for response_format: 'maxLength' is not permitted"),
    ],
)
def test_what_a_server_refuses_is_left_out_and_remembered(field, words):
    script = Script(refuses(field, words))
    with serving(script) as url:
        model = endpoint(url)
        assert whole(model.ask(QUESTION)).text == GOOD
        asked = len(script.asked)
        whole(model.ask(QUESTION))

    assert field not in json.dumps(script.asked[-1])
    assert len(script.asked) == asked + 1
    if field == "max_completion_tokens":
        assert script.asked[-1]["max_tokens"] == QUESTION.max_tokens


def test_the_first_request_asks_for_everything():
    script = Script(GOOD)
    answer = ask(script)

    body = script.asked[0]
    assert body["response_format"]["json_schema"]["strict"] is True
    assert (body["model"], body["temperature"], body["max_completion_tokens"]) == ("m", 0.0, 900)
    assert (answer.input_tokens, answer.output_tokens) == (10, 5)


def test_a_stream_comes_in_pieces_and_is_counted():
    request = Request("reply", QUESTION.messages, stream=True)
    with serving(Script("Rosa, what did you hear just now?")) as url:
        pieces = list(endpoint(url).ask(request))
        assert len(pieces) > 2
        assert whole(endpoint(url).ask(request)) == Completion("Rosa, what did you hear just now?", "stop", 10, 5)


def test_a_wrong_key_is_not_tried_again():
    script = Script(401)
    with pytest.raises(EndpointError, match="scripted 401"):
        ask(script)

    assert len(script.asked) == 1


@pytest.mark.parametrize("reply", [completion(None, refusal="I won't."), completion("", "content_filter")])
def test_a_refusal_is_not_argued_with(reply):
    script = Script(reply)
    with serving(script) as url, pytest.raises(UnparsedReply):
        ask_for(endpoint(url), QUESTION, EmotionAnswer, Ledger())

    assert len(script.asked) == 1


def test_the_repair_turn_says_what_was_wrong():
    script, ledger = Script('{"evidence": "e", "description": "hurt"}', GOOD), Ledger()
    with serving(script) as url:
        answer = ask_for(endpoint(url), QUESTION, EmotionAnswer, ledger)

    assert answer.intensity == 6
    assert "intensity: Field required" in script.asked[1]["messages"][-1]["content"]
    assert ledger.of("decide_er").unparsed == 0


@pytest.mark.parametrize(
    "text",
    ['<think>{"a": 0} hm</think>{"a": 1}', 'hm {no} </think>\n```json\n{"a": 1}\n```', 'Here you are: {"a": 1} {"a": 2}', '{so} {"a": 1}'],
)
def test_the_first_object_behind_reasoning_and_fences_is_read(text):
    assert read_object(text) == {"a": 1}


class Counting:
    """A model that counts how often it is asked."""

    identity = "counting m"

    def __init__(self, finish="stop"):
        self.asked, self._finish = 0, finish

    def ask(self, request):
        self.asked += 1
        yield "hm"
        return Completion("hm", self._finish, 700, 300)


def test_the_cache_answers_again_and_costs_nothing(tmp_path):
    model, ledger = Counting(), Ledger()
    cached = Cache(Budget(model, "m", ledger, Allowance(), {}), tmp_path / "c.sqlite", ledger)
    first, second = whole(cached.ask(QUESTION)), whole(cached.ask(QUESTION))

    assert first == second
    assert model.asked == 1
    assert (ledger.total().calls, ledger.total().cached, ledger.total().input_tokens) == (1, 1, 700)
    assert (tmp_path / "c.sqlite").stat().st_mode & 0o077 == 0


def test_the_cache_knows_every_part_of_a_request(tmp_path):
    from dataclasses import replace

    model, ledger = Counting(), Ledger()
    cached = Cache(model, tmp_path / "c.sqlite", ledger)
    changes = [{}, {"messages": ()}, {"schema": None}, {"prompt_sha256": "other"}, {"max_tokens": 1}, {"temperature": 1.0}]
    for change in changes:
        whole(cached.ask(replace(QUESTION, **change)))

    assert model.asked == len(changes)


def test_what_was_cut_off_is_not_kept(tmp_path):
    model, ledger = Counting("length"), Ledger()
    cached = Cache(model, tmp_path / "c.sqlite", ledger)
    whole(cached.ask(QUESTION))
    whole(cached.ask(QUESTION))

    assert model.asked == 2


def test_cache_modes(tmp_path):
    model, ledger = Counting(), Ledger()
    whole(Cache(model, tmp_path / "c.sqlite", ledger).ask(QUESTION))
    whole(Cache(model, tmp_path / "c.sqlite", ledger, "off").ask(QUESTION))
    assert model.asked == 2

    assert whole(Cache(model, tmp_path / "c.sqlite", ledger, "only").ask(QUESTION)).text == "hm"
    with pytest.raises(EndpointError, match="no kept answer"):
        whole(Cache(model, tmp_path / "d.sqlite", ledger, "only").ask(QUESTION))


@pytest.mark.parametrize(("allowance", "allowed"), [(Allowance(calls=2), 2), (Allowance(tokens=1500), 2), (Allowance(money=0.0015), 1)])
def test_a_spent_budget_stops_with_one_line(allowance, allowed):
    model, ledger = Counting(), Ledger()
    budget = Budget(model, "m", ledger, allowance, {"m": (1.0, 3.0)})  # 0.0016 dollars a call
    for _ in range(allowed):
        whole(budget.ask(QUESTION))

    with pytest.raises(BudgetSpent, match="is spent; raise RESCUE_MAX_"):
        whole(budget.ask(QUESTION))
    assert model.asked == allowed


def test_money_needs_a_price():
    with pytest.raises(SettingsError, match="no price is known for 'm'"):
        Budget(Counting(), "m", Ledger(), Allowance(money=1), {})


def test_limits_space_requests_out():
    model = Limits(Counting(), concurrency=1, per_minute=600)
    started = time.monotonic()
    for _ in range(4):
        whole(model.ask(QUESTION))

    assert time.monotonic() - started >= 0.3


def test_schemas_are_strict():
    def look(node):
        if isinstance(node, dict):
            assert not {"default", "$ref", "$defs"} & set(node)
            if node.get("type") == "object":
                assert node["additionalProperties"] is False
                assert node["required"] == list(node["properties"])
            for value in node.values():
                look(value)

    class Nested(BaseModel):
        inner: EmotionAnswer
        description: str = "a field may be called like a keyword"

    schema = strict_schema(Nested)
    look(schema)
    assert set(schema["properties"]) == {"inner", "description"}


def test_busy_says_how_long():
    busy = Response(status_code=429, headers={"retry-after": "7"}, content='{"error": {"message": "slow down"}}')
    with serving(Script(busy)) as url, pytest.raises(EndpointBusy) as caught:
        whole(endpoint(url).ask(QUESTION))

    assert caught.value.retry_after == 7
