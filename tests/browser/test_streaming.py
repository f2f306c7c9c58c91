"""A reply that a real server writes piece by piece, as two people see it come."""

import asyncio
import json
import threading

import pytest
from fastapi.responses import StreamingResponse

from rescue_agent.engines.llm.asking import Asker
from rescue_agent.engines.llm.endpoint import Endpoint
from rescue_agent.engines.llm.engine import JointEngine
from tests.browser.test_room import FIRST, open_own
from tests.engines.llm.test_engine import JOINT
from tests.scripted_server import Script, event, serving
from tests.served_page import served_page

pytestmark = pytest.mark.browser
BEGIN, END = "That soup stood there a long time.", "What would a call have changed?"


@pytest.fixture
def go_on():
    """Until it is set, the model has written no more than the beginning of its reply."""
    allowed = threading.Event()
    yield allowed
    allowed.set()


@pytest.fixture
def url(go_on):
    async def pieces():
        yield event({"content": f"{BEGIN} What"})
        while not go_on.is_set():
            await asyncio.sleep(0.05)
        yield event({"content": END.removeprefix("What")})
        yield event({}, "stop", {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15})
        yield "data: [DONE]\n\n"

    def answer(body):
        return StreamingResponse(pieces(), media_type="text/event-stream") if body.get("stream") else json.dumps(JOINT)

    with serving(Script(answer)) as model, served_page(JointEngine(Asker(Endpoint("m", model, None, 60.0)), 20)) as address:
        yield address


def test_both_read_a_reply_while_it_is_being_written(browse, go_on):
    orla, pavel = open_own(browse)
    orla.say(FIRST)
    for one in (orla, pavel):
        one.see(BEGIN)
        assert END not in one.text()
    go_on.set()
    for one in (orla, pavel):
        one.see(f"{BEGIN} {END}")


def test_a_reply_is_stopped_by_whoever_has_enough_of_it(browse, go_on):
    orla, pavel = open_own(browse)
    orla.say(FIRST)
    orla.see(BEGIN)
    orla.press("Stop the supporter")
    for one in (orla, pavel):
        one.until(lambda one=one: BEGIN not in one.log(), "it is still there")
    go_on.set()
    for one in (orla, pavel):
        one.until(lambda one=one: "listening" in one.log(), "it did not hold")
        assert END not in one.log()
