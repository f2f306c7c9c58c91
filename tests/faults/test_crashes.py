"""F13, F14: processes that are killed with SIGKILL at each point, and started again."""

import shutil
import signal

import pytest

from graphs.room import Room
from rescue_agent.corpus.splits import bundled_episodes
from rescue_agent.engines import registry
from rescue_agent.errors import IndexUnusable
from rescue_agent.memory.episodes import EpisodeMemory, build_index
from rescue_agent.rooms.log import Kind
from tests.faults.processes import OPEN, start
from tests.memory.test_episodes import ITEMS, vector

pytestmark = pytest.mark.faults
SAY = (
    OPEN
    + """
def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

class Dying(RoomLog):
    def append(self, room, message_id, kind, person="", body=None):
        point = "turn" if message_id.startswith("said-") else "outcome"
        if sys.argv[3] == f"before the {point}":
            die()
        event = super().append(room, message_id, kind, person, body)
        if sys.argv[3] == f"after the {point}":
            die()
        return event

if sys.argv[3] == "in the graph":
    type(engine).follow_relation = die
services["log"] = Dying(log.path)
Room.open(room_id, **services, recover=False).say("Orla", sys.argv[4], "m1")
print("acknowledged")
"""
)
TALK = (
    OPEN
    + """
room = Room.open(room_id, **services)
for i in range(10_000):
    room.say("Orla", f"thing {i}", f"m{i}")
    print(i, flush=True)
"""
)
POINTS = ["before the turn", "after the turn", "in the graph", "before the outcome", "after the outcome"]


def killed(tmp_path, room, point, text):
    child = start(SAY, tmp_path, room.card.room_id, point, text)
    out, err = child.communicate(timeout=120)
    assert child.returncode == -signal.SIGKILL, err
    assert out == ""


@pytest.mark.slow
@pytest.mark.parametrize("point", POINTS)
def test_f13_killed_at_any_point_a_turn_has_exactly_one_reply_after_a_restart(room, services, tmp_path, point):
    killed(tmp_path, room, point, "You never told me.")
    again = [Room.open(room.card.room_id, **services) for _ in range(2)][-1]
    again.say("Orla", "You never told me.", "m1")  # the browser, which got no answer, sends it again

    assert [turn.text for turn in again.transcript() if turn.speaker == "Orla"] == ["You never told me."]
    assert len(again.decisions()) == 1
    assert len([turn for turn in again.transcript() if turn.speaker == "Therapist"]) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("point", ["after the turn", "before the outcome", "after the outcome"])
def test_f13_a_pause_survives_a_kill_at_any_point_after_its_cue(room, services, tmp_path, point):
    killed(tmp_path, room, point, "He hit me again last night.")

    assert Room.open(room.card.room_id, **services).paused


@pytest.mark.slow
def test_f13_whatever_was_acknowledged_before_a_kill_is_there_after_it(room, services, tmp_path):
    child = start(TALK, tmp_path, room.card.room_id)
    acknowledged = [int(child.stdout.readline()) for _ in range(30)]
    child.kill()
    acknowledged += [int(line) for line in child.stdout.read().split("\n")[:-1]]
    child.wait(30)
    again = Room.open(room.card.room_id, **services)

    said = [turn.text for turn in again.transcript() if turn.speaker == "Orla"]
    assert said[: len(acknowledged)] == [f"thing {i}" for i in acknowledged]
    assert len(said) <= len(acknowledged) + 1
    assert len(again.decisions()) == len(said)


def test_f13_a_turn_that_a_crash_left_unanswered_is_answered_once(room, services):
    services["log"].append(room.card.room_id, "said-m1", Kind.SAID, "Orla", {"text": "Are you there?", "to": ["Pavel"]})
    for _ in range(2):
        Room.open(room.card.room_id, **services)

    assert len(room.decisions()) == 1


# The index ---------------------------------------------------------------------------------------------------------------

BUILD = """
import sys
from pathlib import Path
from rescue_agent.memory.episodes import build_index
from tests.memory.test_episodes import ITEMS

def stopping(batches, _):
    yield from list(batches)[:1]
    print("half written", flush=True)
    sys.stdin.read()

build_index(Path(sys.argv[1]), ITEMS, embedding_model="m", data_sha256="new", progress=stopping)
"""


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "index"


@pytest.mark.slow
@pytest.mark.parametrize("had_one", [True, False])
def test_f14_a_killed_build_leaves_the_old_index_or_none_and_the_next_one_clears_up(folder, had_one):
    if had_one:
        build_index(folder, ITEMS, embedding_model="m", data_sha256="old")
    child = start(BUILD, folder)
    assert child.stdout.readline() == "half written\n", child.stderr.read()
    child.kill()
    child.wait(30)

    if had_one:
        assert EpisodeMemory.open(folder, "m", 8).card.data_sha256 == "old"
    else:
        with pytest.raises(IndexUnusable, match="run `rescue-agent index`"):
            EpisodeMemory.open(folder, "m", 8)
    build_index(folder, ITEMS, embedding_model="m", data_sha256="new")
    assert EpisodeMemory.open(folder, "m", 8).recall(vector(1), "couple", 1, None)
    assert len(list(folder.glob("build-*"))) == 1


def test_f14_a_deleted_index_is_rebuilt_when_an_engine_starts(tmp_path, embedder, monkeypatch):
    monkeypatch.setattr(registry, "index_folder", lambda: tmp_path / "index")
    monkeypatch.setattr(registry, "bundled_episodes", lambda _: bundled_episodes("train")[:3])
    registry.open_memory(embedder)
    shutil.rmtree(tmp_path / "index")
    memory = registry.open_memory(embedder)

    assert len(memory.recall(embedder.encode(["You never told me."])[0], bundled_episodes("train")[0].scenario, 3, None)) == 3


def test_f14_a_deleted_or_garbled_database_is_unusable_and_rebuilt(folder):
    build_index(folder, ITEMS, embedding_model="m", data_sha256="d")
    shutil.rmtree(next(folder.glob("build-*")))
    with pytest.raises(IndexUnusable, match="run `rescue-agent index`"):
        EpisodeMemory.open(folder, "m", 8)

    build_index(folder, ITEMS, embedding_model="m", data_sha256="d")
    assert EpisodeMemory.open(folder, "m", 8).recall(vector(1), "couple", 1, None)


def test_f14_a_build_that_is_interrupted_leaves_the_old_index(folder):
    def dies(batches, _):
        yield from list(batches)[:1]
        raise KeyboardInterrupt

    build_index(folder, ITEMS, embedding_model="m", data_sha256="d")
    with pytest.raises(KeyboardInterrupt):
        build_index(folder, ITEMS, embedding_model="m", data_sha256="new", progress=dies)

    assert EpisodeMemory.open(folder, "m", 8).card.data_sha256 == "d"
