"""F06-F08: one room's words never reach another, private words never reach the room, and a seat is one's own."""

import logging
import random
from hashlib import sha256

import numpy as np
import pytest

from rescue_agent.decisions import RecalledMoment
from rescue_agent.errors import RescueError, RoomError
from rescue_agent.memory.episodes import EpisodeMemory, Stored, build_index
from rescue_agent.rooms.log import Kind
from rescue_agent.rooms.seats import Seat

pytestmark = pytest.mark.faults
CANARY = "zeppelin"
CRAFTED = ["' OR 1=1 --", "%", "*", "_", "room2' UNION SELECT * FROM events --", "", "\x00", "ROOM1", "room1 ", '{"$ne": ""}', "room2"]


@pytest.fixture
def memory(tmp_path):
    dice = np.random.default_rng(0)

    def stored(group, n):
        vector = dice.normal(size=8).astype(np.float32)
        recalled = RecalledMoment(sample_id=f"{group}/1", row_index=n, distance=0, strategy="track")
        return Stored(group, ("couple", "family")[n % 2], vector / np.linalg.norm(vector), recalled)

    items = [stored(group, n) for group in (CANARY, "one", "two") for n in range(20)]
    build_index(tmp_path / "index", items, embedding_model="m", data_sha256="d")
    return EpisodeMemory.open(tmp_path / "index", "m", 8)


def test_f06_a_thousand_retrievals_never_bring_back_the_excluded_group(memory):
    dice = np.random.default_rng(1)
    found = []
    for n in range(1000):
        scenario = ("couple", "family")[n % 2]
        found += [(scenario, m) for m in memory.recall(dice.normal(size=8).astype(np.float32), scenario, int(dice.integers(1, 50)), CANARY)]

    assert len(found) > 1000
    assert not any(moment.sample_id.startswith(CANARY) for _, moment in found)
    assert all(moment.row_index % 2 == ("couple", "family").index(scenario) for scenario, moment in found)


@pytest.mark.parametrize("left_out", [{"scenario": "couple"}, {"exclude_group": CANARY}])
def test_f06_a_retrieval_without_a_filter_is_an_error(memory, left_out):
    with pytest.raises(TypeError):
        memory.recall(np.ones(8, dtype=np.float32), k=5, **left_out)


def test_f06_a_thousand_queries_of_another_room_never_bring_back_a_canary(services):
    log, dice = services["log"], random.Random(0)
    for room, word in (("room1", CANARY), ("room2", "kettle")):
        for i in range(20):
            log.append(room, f"said-{i}", Kind.SAID, "Orla", {"text": word, "to": []})
    found = []
    for _ in range(1000):
        room = dice.choice(CRAFTED)
        reader = dice.choice([log.events, log.unanswered, lambda r: log.recent(r, 99, 99), lambda r: [log.find(r, dice.choice(CRAFTED))]])
        found += [event for event in reader(room) if event]

    assert len(found) > 1000
    assert {event.body["text"] for event in found} == {"kettle"}
    with pytest.raises(TypeError):
        log.events()


def test_f07_a_canary_stays_in_the_private_channel(rooms, caplog):
    room = rooms.create("couple", "Orla, Pavel")
    token = rooms.seats.issue(room.card.room_id, "participant", "Orla")
    with caplog.at_level(logging.DEBUG):
        rooms.private[token].say(f"He hits me. The canary is called {CANARY}.")
        for i in range(50):
            room.say(("Orla", "Pavel")[i % 2], f"The kettle is on, number {i}.", f"m{i}")
        with pytest.raises(RoomError) as refused:
            room.say("Zed", "hello", "m99")
    seen = " ".join((room.export().model_dump_json(), str(room.snapshot()), caplog.text))

    assert CANARY in str(rooms.private[token].lines)
    assert CANARY not in seen + str(refused.value)
    assert not any(CANARY.encode() in path.read_bytes() for path in rooms.folder.rglob("*") if path.is_file())
    assert not room.paused


def test_f08_who_speaks_follows_from_the_seat():
    """A name that another browser sends counts for nothing."""
    assert Seat(room="r", role="participant", person="Orla").speaks_as("Pavel") == "Orla"
    assert Seat(room="r", role="shared").speaks_as("Pavel") == "Pavel"
    with pytest.raises(RoomError):
        Seat(room="r", role="shared").speaks_as("")


def test_f08_a_seat_opens_its_own_room_and_nothing_else_does(rooms):
    mine, theirs = rooms.create("couple", "Orla, Pavel"), rooms.create("couple", "Ines, Mirek")
    token = rooms.seats.issue(mine.card.room_id, "participant", "Orla")

    assert rooms.enter(token)[1].card == mine.card
    for forged in (sha256(token.encode()).hexdigest(), mine.card.room_id, theirs.card.room_id, token[:-1], token + "=", "", "\ud800"):
        with pytest.raises(RoomError, match="opens no room"):
            rooms.enter(forged)


def test_f08_a_speaker_of_another_room_or_an_edited_name_is_not_heard(rooms):
    room = rooms.create("couple", "Orla, Pavel")
    for forged in ("Ines", "Therapist", "orla", "Orla ", "Couple", ""):
        with pytest.raises(RescueError):
            room.say(forged, "I take it all back.", "m1")

    assert room.transcript() == ()


def test_f08_a_deleted_rooms_links_are_dead(rooms):
    room = rooms.create("couple", "Orla, Pavel")
    tokens = [rooms.seats.issue(room.card.room_id, "participant", name) for name in room.card.participants]
    rooms.delete(tokens[0])

    for token in tokens:
        with pytest.raises(RoomError, match="opens no room"):
            rooms.enter(token)
