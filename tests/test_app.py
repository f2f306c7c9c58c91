"""The web application over HTTP, as a browser reaches it, and as somebody with bad intentions does."""

import html

import pytest
from fastapi.testclient import TestClient

from app import build_app, serve
from rescue_agent.corpus.rescue import read_episodes
from rescue_agent.errors import SettingsError
from rescue_agent.safety.policy import PAUSED
from rescue_agent.tabs.room_view import conversation
from rescue_agent.tabs.rooms import Live, Rooms
from tests.served_page import Stranger, served_page

FIRST = "You said you would ring, and I sat there with the soup until nine."
SECOND = "I don't know what you want me to say any more."


@pytest.fixture
def rooms(engine):
    return Rooms(engine)


@pytest.fixture(scope="module")
def url(engine):
    with served_page(engine) as address:
        yield address


def test_it_is_alive_and_shows_the_notice_first(engine):
    with TestClient(build_app(engine)) as client:
        assert client.get("/healthz").json() == {"status": "ok"}
        page = client.get("/")
    assert page.status_code == 200
    assert "You are talking with an AI, not with a person" in page.text


def test_with_a_password_nobody_gets_in_without_it(engine):
    with TestClient(build_app(engine, password="sesame")) as client:  # pragma: allowlist secret
        assert client.get("/config").status_code == 401
        assert client.post("/login", data={"username": "room", "password": "wrong"}).status_code == 400  # pragma: allowlist secret
        assert client.post("/login", data={"username": "room", "password": "sesame"}).status_code == 200  # pragma: allowlist secret
        assert client.get("/config").status_code == 200


def test_the_pages_events_are_no_public_api(engine):
    with TestClient(build_app(engine)) as client:
        assert client.get("/gradio_api/info").json()["named_endpoints"] == {}


def test_nothing_of_the_page_comes_from_elsewhere(engine):
    with TestClient(build_app(engine)) as client:
        page = client.get("/").text
    assert "fonts.googleapis" not in page
    assert 'src="http' not in page.replace('src="http://testserver', "")


def test_a_hold_is_shown_as_listening_with_its_reason(rooms, dev_episodes):
    episode = next(e for e in dev_episodes if e.scenario == "couple")
    room = rooms.create("couple", ", ".join(episode.participants))
    decisions = [room.say(row.primary_speaker, row.dialogue_cleaned, f"m{i}") for i, row in episode.client_rows()]
    held = next(i for i, decision in enumerate(decisions) if decision.reply is None)
    for turn in range(len(decisions) - held - 1):
        room.undo(decisions[-1 - turn].speaker, f"u{turn}")
    log = conversation(room.card, room.snapshot(), Live(), "en")

    assert "The supporter is listening." in log
    assert html.escape(decisions[held].intervene.reason) in log


def test_off_loopback_a_password_is_required():
    with pytest.raises(SettingsError, match=r"--host 0.0.0.0: people on the network could join; give --password"):
        serve(host="0.0.0.0", port=7999, engine_name=None, password=None, open_browser=False)


# Raw HTTP: what no browser would send --------------------------------------------------------------------------------


def said(room):
    return [(turn.speaker, turn.text) for turn in room.transcript() if turn.speaker != "Therapist"]


def test_f08_words_sent_as_somebody_else_are_no_words_of_theirs(url, rooms):
    room = rooms.create("couple", "Orla, Pavel")
    token, stranger = rooms.invite(room, shared=False)["Orla"], Stranger(url)
    stranger.press("Come in", token, True, "en")
    stranger.press("Say it", token, "Pavel", "", "It was all my fault.", "m1", -1, "en")
    stranger.press("Say it", token, "Orla", "", "It was all his fault.", "m2", -1, "en")

    assert said(room) == [("Orla", "It was all his fault.")]


@pytest.mark.parametrize("token", ["", "x" * 32, "' OR 1=1 --"])
def test_f08_without_a_seat_nothing_is_said_or_seen(url, rooms, token):
    room, stranger = rooms.create("couple", "Orla, Pavel"), Stranger(url)
    room.say("Orla", "The zeppelin is late.", "m1")
    answers = [
        stranger.press("Say it", token, None, "", "Hello?", "m2", -1, "en"),
        stranger.press("Take back my last turn", token, None, -1, "en"),
        stranger.press("Delete the room", token, "en"),
        stranger.press("Come in", token, True, "en"),
    ]

    assert said(room) == [("Orla", "The zeppelin is late.")]
    assert "zeppelin" not in str(answers)


def test_f08_a_participant_is_no_facilitator(url, rooms):
    room = rooms.create("couple", "Orla, Pavel", facilitator="Mirja")
    tokens = rooms.invite(room, shared=False)
    room.say("Orla", FIRST, "m1")
    seq, words = room.proposal().seq, "Orla is right."
    for name in ("Orla", "Mirja"):
        one = Stranger(url)
        one.press("Come in", tokens[name], True, "en")
        one.press("Say my words", tokens[name], seq, f"{name} says: {words}", "Couple", "track", "en")

    assert [turn.text for turn in room.transcript()] == [FIRST, f"Mirja says: {words}"]


def test_f08_a_seat_of_one_room_opens_no_other(url, rooms):
    one, other = rooms.create("couple", "Orla, Pavel"), rooms.create("couple", "Ines, Mirek")
    token, stranger = rooms.invite(one, shared=True)[""], Stranger(url)
    stranger.press("Come in", token, True, "en")
    stranger.press("Say it", token, "Ines", "", "Let me in.", "m1", -1, "en")

    assert said(one) == said(other) == []


# Exports -------------------------------------------------------------------------------------------------------------


def exported(engine, rooms, room, kind, who):
    with TestClient(build_app(engine)) as client:
        return client.get(f"/export/room.{kind}", params={"seat": rooms.invite(room, shared=False)[who]})


def test_an_export_reads_back_as_the_same_episode(engine, rooms, tmp_path):
    room = rooms.create("couple", "Orla, Pavel")
    room.say("Orla", FIRST, "m1")
    room.say("Pavel", SECOND, "m2")
    answer = exported(engine, rooms, room, "jsonl", "Pavel")
    (tmp_path / "room.jsonl").write_text(answer.text, encoding="utf-8")

    assert "attachment" in answer.headers["content-disposition"]
    assert read_episodes(tmp_path / "room.jsonl").episodes == [room.export()]


@pytest.mark.parametrize("kind", ["md", "html"])
def test_readable_exports_hold_every_turn_as_text(engine, rooms, kind):
    room = rooms.create("couple", "Orla, Pavel", open_panel=True)
    room.say("Orla", "<script>alert(1)</script> soup", "m1")
    text = exported(engine, rooms, room, kind, "Orla").text

    assert "soup" in text
    assert "<script" not in text
    assert "feels" in text, "who may look finds the readings, too"


def test_an_export_shows_readings_to_nobody_who_may_not_look(engine, rooms):
    closed = rooms.create("couple", "Orla, Pavel")
    paused = rooms.create("couple", "Orla, Pavel", open_panel=True)
    paused.say("Orla", "He hits me when I'm late, and I'm scared of him.", "m1")
    closed.say("Orla", FIRST, "m1")

    assert paused.paused
    for room in (closed, paused):
        assert "feels" not in exported(engine, rooms, room, "md", "Pavel").text
    assert PAUSED.split(".")[0] in exported(engine, rooms, paused, "html", "Pavel").text.replace("&#x27;", "'")


@pytest.mark.parametrize(("kind", "seat"), [("jsonl", "x" * 32), ("exe", None), ("jsonl", "")])
def test_an_export_that_cannot_be_given_is_a_clear_line(engine, rooms, kind, seat):
    room = rooms.create("couple", "Orla, Pavel")
    with TestClient(build_app(engine)) as client:
        token = rooms.invite(room, shared=True)[""] if seat is None else seat
        answer = client.get(f"/export/room.{kind}", params={"seat": token})

    assert answer.status_code == 404
    assert len(answer.text.splitlines()) == 1
