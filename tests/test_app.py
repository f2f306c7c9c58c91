"""The web application over HTTP, as a browser reaches it."""

import html

import pytest
from fastapi.testclient import TestClient

from app import Rooms, build_app, serve, shown
from rescue_agent.errors import SettingsError


@pytest.fixture
def rooms(engine):
    return Rooms(engine)


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


def test_a_hold_is_shown_as_listening_with_its_reason(rooms, dev_episodes):
    episode = next(e for e in dev_episodes if e.scenario == "couple")
    room = rooms.create("couple", ", ".join(episode.participants))
    decisions = [room.say(row.primary_speaker, row.dialogue_cleaned, f"m{i}") for i, row in episode.client_rows()]
    held = next(i for i, decision in enumerate(decisions) if decision.reply is None)
    for turn in range(len(decisions) - held - 1):
        room.undo(decisions[-1 - turn].speaker, f"u{turn}")
    log = shown(room)[0]

    assert "The supporter is listening." in log
    assert html.escape(decisions[held].intervene.reason) in log


def test_off_loopback_a_password_is_required():
    with pytest.raises(SettingsError, match=r"--host 0.0.0.0: people on the network could join; give --password"):
        serve(host="0.0.0.0", port=7999, engine_name=None, password=None, open_browser=False)
