"""F09, F10: far too much, and characters and numbers that break other programs."""

import pytest
from fastapi.testclient import TestClient

from app import build_app
from graphs.room import Room
from rescue_agent.errors import RoomError
from tests.faults.processes import OPEN, finish, start

pytestmark = pytest.mark.faults
BIG = {
    "5 MB": "x" * 5_000_000,
    "combining marks": "e" + "\u0301" * 10_000,
    "newlines": "x" + "\n" * 50_000 + "x",
    "emoji": "👩‍👩‍👧" * 2_000,
}
ODD = [
    "a\ud800b",
    "nul\x00byte",
    "\u202eright to left",
    "👩‍👩‍👧 family",
    "e" + "\u0301" * 3000,
    "<b>",
    "\ufeffmark",
    "\udfff\ud800",
    "a\u2028b",
]


@pytest.mark.parametrize("text", BIG.values(), ids=BIG.keys())
def test_f09_far_too_much_is_refused_with_a_clear_line_and_the_room_goes_on(room, text):
    with pytest.raises(RoomError, match=r"a turn has at most 5000 characters, this one has \d+; say it in parts"):
        room.say("Orla", text, "m1")
    with pytest.raises(RoomError, match="at most 200 printable characters"):
        room.say("Orla", "Hello.", text)
    with pytest.raises(RoomError):
        Room.create("couple", [text, "Pavel"], log=room._log, engine=room._engine, folder=room._folder)

    assert room.transcript() == ()
    assert room.say("Orla", "Are you there?", "m1").speaker == "Orla"


def test_f09_a_million_names_are_refused_before_each_is_looked_at(rooms):
    with pytest.raises(RoomError, match="names are too many"):
        rooms.create("family", "a," * 1_000_000)


@pytest.mark.slow
def test_f09_far_too_much_costs_little_memory(room, tmp_path):
    script = (
        OPEN
        + """
import resource
room = Room.open(room_id, **services)
room.say("Orla", "Are you there?", "warm")
texts = ["x" * 5_000_000, "e" + "\\u0301" * 10_000, "x" + "\\n" * 50_000 + "x"]
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for text in texts * 3:
    for doing in (lambda: room.say("Orla", text, "big"), lambda: room.correct("Orla", text, 1, "big"), lambda: room.say("Orla", "x", text)):
        try:
            doing()
        except Exception as error:
            assert type(error).__name__ == "RoomError" and len(str(error)) < 300, error
        else:
            raise SystemExit("taken")
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""
    )
    code, grown, err = finish(start(script, tmp_path, room.card.room_id))

    assert code == 0, err
    assert float(grown) < 50


@pytest.mark.parametrize("text", ODD)
def test_f10_odd_characters_are_stored_as_they_are_shown(room, services, text):
    room.say("Orla", text, "m1")
    shown = room.transcript()[0].text

    assert shown.encode("utf-8")
    assert Room.open(room.card.room_id, **services).transcript()[0].text == shown
    assert room.export().rows[0].dialogue_cleaned == shown


@pytest.mark.parametrize("odd", ["a\ud800", "nul\x00", "line\nline", "\u202e"])
def test_f10_an_odd_message_id_is_refused_in_words(room, odd):
    with pytest.raises(RoomError, match="message id"):
        room.say("Orla", "Hello.", odd)

    assert room.transcript() == ()


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 2**70, -(2**70)])
def test_f10_odd_numbers_are_refused_in_words(room, number):
    room.say("Orla", "Hello.", "m1")
    with pytest.raises(RoomError, match="from 0 to 10"):
        room.correct("Orla", "tired", number, "c1")


BODIES = {
    "bytes": b"\xff\xfe\xfa",
    "nan": b'{"data": [NaN]}',
    "2**70": b'{"data": [%d]}' % 2**70,
    "surrogate": b'{"data": "\\ud800"}',
    "deep": b"[" * 10_000,
    "null": b"null",
    "none": b'{"data": [null]}',
    "empty": b"",
}


def test_f10_an_odd_body_over_http_is_never_a_server_error(rooms):
    with TestClient(build_app(rooms.engine), raise_server_exceptions=False) as client:
        for name, body in BODIES.items():
            for path in ("/gradio_api/queue/join", "/gradio_api/call/on_say"):
                answer = client.post(path, content=body, headers={"content-type": "application/json"})
                assert answer.status_code < 500, (name, path, answer.text)
        assert client.get("/healthz").json() == {"status": "ok"}
