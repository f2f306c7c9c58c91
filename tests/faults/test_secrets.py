"""F19: keys, e-mail addresses, phone numbers and people's words stay out of logs, error lines, the page and exports."""

import logging

import gradio as gr
import pytest
from fastapi.responses import JSONResponse
from pydantic import SecretStr

from rescue_agent.engines.holding import HoldingEngine
from rescue_agent.engines.hybrid import Fallback
from rescue_agent.engines.llm.asking import Asker
from rescue_agent.engines.llm.endpoint import Endpoint
from rescue_agent.engines.llm.engine import JointEngine
from rescue_agent.engines.llm.protocol import whole
from rescue_agent.errors import EndpointError
from rescue_agent.redaction import redacted
from rescue_agent.tabs.events import or_message
from tests.engines.llm.test_endpoint import QUESTION
from tests.faults.processes import OPEN, finish, start
from tests.scripted_server import Script, serving

pytestmark = pytest.mark.faults
KEY = "sk-orla-0123456789abcdef"  # pragma: allowlist secret
PRIVATE = (KEY, "orla.k@example.org", "+49 170 1234567")
TURN = f"My number is {PRIVATE[2]}, write to {PRIVATE[1]}, the password is {KEY}, and the zebra is in the garden."


def echoing(body):
    """A server that quotes what it was sent, and the key, in its refusal."""
    return JSONResponse({"error": {"message": f"bad key {KEY} in {body['messages'][1]['content']} {TURN}"}}, status_code=401)


@pytest.mark.parametrize("private", PRIVATE)
def test_f19_what_identifies_somebody_or_opens_something_is_taken_out(private):
    assert redacted(f"before {private} after") == "before [...] after"
    assert redacted(f"https://orla:{'pass' * 3}@host/v1 m") == "https://[...]host/v1 m"
    assert redacted("Error code: 429 after 3 of 3 tries in 2026-12-04") == "Error code: 429 after 3 of 3 tries in 2026-12-04"


def test_f19_an_endpoint_that_quotes_the_key_and_the_turn_puts_neither_into_the_error(caplog):
    with caplog.at_level(logging.DEBUG, "rescue_agent"), serving(Script(echoing)) as url:
        endpoint = Endpoint("m", url.replace("http://", f"http://orla:{KEY}@"), SecretStr(KEY), 5.0)
        with pytest.raises(EndpointError, match="401") as caught:
            whole(endpoint.ask(QUESTION))
        Fallback(JointEngine(Asker(endpoint), 20), HoldingEngine())

    assert not [private for private in PRIVATE if private in f"{caught.value} {caplog.text} {endpoint.identity}"]


class Failing(HoldingEngine):
    """An engine whose error quotes what was said, as errors of libraries do."""

    def recognise_emotion(self, moment):
        raise RuntimeError(f"cannot read {moment.current.text}")


def test_f19_an_error_that_quotes_the_turn_reaches_neither_the_page_nor_the_log(rooms, caplog):
    rooms.engine = Failing()
    room = rooms.create("couple", "Orla, Pavel")
    with caplog.at_level(logging.DEBUG), pytest.raises(gr.Error) as shown:
        or_message(lambda: room.say("Orla", TURN, "m1"))

    assert "RuntimeError <- test_secrets.py" in caplog.text
    for private in (*PRIVATE, "zebra"):
        assert private not in caplog.text + str(shown.value)


@pytest.mark.slow
def test_f19_a_process_whose_rooms_fail_says_nothing_of_the_turn_or_the_settings(room, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("RESCUE_DATA_DIR", str(tmp_path))
    script = (
        OPEN
        + """
import logging
logging.basicConfig(level=logging.DEBUG)
from rescue_agent.tabs.events import or_message
from rescue_agent.settings import settings
from rescue_agent.tabs.events import or_message

def fails(moment):
    raise RuntimeError(f"cannot read {moment}")

room = Room.open(room_id, **services)
assert settings().openai_api_key
print(settings())
type(engine).predict_pattern = lambda self, moment: fails(moment)
try:
    or_message(lambda: room.say("Orla", sys.argv[3], "m1"))
except Exception as error:
    print(error)
"""
    )
    code, out, err = finish(start(script, tmp_path, room.card.room_id, TURN))

    assert (code, "Something went wrong here" in out) == (0, True), err
    assert "a page event failed: RuntimeError" in err
    assert not [private for private in (*PRIVATE, "zebra") if private in out + err]
