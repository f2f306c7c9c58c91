"""Rooms over a real log, with an engine that answers at once: what fails here is never the engine."""

import pytest

from graphs.room import Room
from rescue_agent.engines.registry import make_engine
from rescue_agent.rooms.log import RoomLog
from rescue_agent.settings import settings
from rescue_agent.tabs.rooms import Rooms


@pytest.fixture(scope="session")
def quick():
    return make_engine("majority")


@pytest.fixture
def services(tmp_path, quick):
    return {"log": RoomLog(tmp_path / "rooms.sqlite"), "engine": quick, "folder": tmp_path}


@pytest.fixture
def room(services):
    return Room.create("couple", ["Orla", "Pavel"], **services)


@pytest.fixture
def rooms(tmp_path, quick, monkeypatch):
    """The rooms of a page, in a data folder of their own."""
    monkeypatch.setenv("RESCUE_DATA_DIR", str(tmp_path))
    settings.cache_clear()
    yield Rooms(quick)
    settings.cache_clear()
