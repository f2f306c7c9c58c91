"""F15, F16: database files and JSON lines that are cut, garbled, or come from another system."""

import os
import signal
import sqlite3
from contextlib import closing

import pytest

from eval.records import read_predictions
from graphs.room import Room
from rescue_agent.corpus.rescue import read_episodes, write_episodes
from rescue_agent.errors import RoomError
from rescue_agent.rooms.log import Kind, RoomLog
from rescue_agent.rooms.seats import Seats
from tests.faults.processes import start

pytestmark = pytest.mark.faults
DAMAGE = {
    "garbled": lambda content: content[: len(content) // 2] + b"\x07" * 8000 + content[len(content) // 2 + 8000 :],
    "tail cut": lambda content: content[: len(content) * 9 // 10],
    "half": lambda content: content[: len(content) // 2],
    "header": lambda content: b"no database at all" + content[18:],
    "empty": lambda content: b"",
}
READABLE = ("garbled", "tail cut")
"""What leaves something that SQLite can reach; of the others all is in the copy, for `sqlite3 COPY .recover`."""


@pytest.fixture
def log(tmp_path):
    """A log of 200 long events."""
    log = RoomLog(tmp_path / "rooms.sqlite")
    for i in range(200):
        log.append("r", f"m{i}", Kind.SAID, "Orla", {"text": f"turn {i} " + "word " * 60})
    return log


def spoil(path, damage):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    os.utime(path, (0, 0))  # a file that is just being made is empty, too
    return path.read_bytes()


@pytest.mark.parametrize("damage", DAMAGE)
def test_f15_a_damaged_log_is_kept_and_what_can_be_read_of_events_and_seats_is_saved(log, damage):
    token = Seats(log.path).issue("r", "participant", "Orla")
    spoilt = spoil(log.path, damage)
    with pytest.raises(RoomError, match=r"damaged; kept as rooms.sqlite.damaged-.* could be read and are in a new file; start again"):
        RoomLog(log.path)
    saved = RoomLog(log.path).events("r")

    assert [event.seq for event in saved] == list(range(1, len(saved) + 1))
    assert bool(saved) == (damage in READABLE)
    (kept,) = (path for path in log.path.parent.glob("*.damaged-*") if not path.name.endswith(("-wal", "-shm")))
    assert kept.read_bytes() == spoilt
    if damage in READABLE:
        assert Seats(log.path).find(token).person == "Orla"


def test_f15_seats_beside_garbled_events_still_open_their_room(services, room):
    tokens = {name: Seats(services["log"].path).issue(room.card.room_id, "participant", name) for name in room.card.participants}
    for i in range(60):
        room.hear("Orla", f"thing {i} " + "word " * 200, f"m{i}")
    spoil(services["log"].path, "garbled")
    with pytest.raises(RoomError, match="2 seats could be read"):
        RoomLog(services["log"].path)

    seats = Seats(services["log"].path)
    assert {name: seats.find(token).person for name, token in tokens.items()} == {"Orla": "Orla", "Pavel": "Pavel"}
    again = Room.open(room.card.room_id, **services, recover=False)
    assert [turn.text.split(" word")[0] for turn in again.transcript()][:3] == ["thing 0", "thing 1", "thing 2"]


def test_f15_a_garbled_file_of_proposals_is_made_anew(services, tmp_path):
    room = Room.create("couple", ["Orla", "Pavel"], facilitator="Mirja", **services)
    decision = room.say("Orla", "You never told me.", "m1")
    (tmp_path / "proposals.sqlite").write_bytes(b"no database at all" * 1000)

    assert room.proposal().decision == decision


def test_f15_a_log_without_its_table_is_one_clear_line(log):
    with closing(sqlite3.connect(log.path)) as connection, connection:
        connection.execute("DROP TABLE events")

    with pytest.raises(RoomError, match=r"rooms.sqlite: the room log cannot be used \(no such table: events\)"):
        log.append("r", "m", Kind.SAID)


# JSON lines --------------------------------------------------------------------------------------------------------------

RUN = """
import sys
from pathlib import Path
from eval.engines import Contender
from eval.instances import SOUND, TaskName
from eval.plan import Plan
from eval.run import answer
from rescue_agent.corpus.splits import bundled_episodes
from rescue_agent.engines.registry import make_engine
from rescue_agent.moment import Mode

made = make_engine("random")
plan = Plan(bundled_episodes("dev")[:6], list(TaskName), SOUND, Mode.DIALOGUE, seed=0)

def slowly(answers, total, what):
    for i, one in enumerate(answers):
        yield one
        if i == 40:
            print("going", flush=True)
            if sys.argv[2] == "hang":
                sys.stdin.read()

asked = answer(plan, [Contender("random", "zero-shot", "random", made.for_group)], Path(sys.argv[1]), progress=slowly)
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The file of an undisturbed run."""
    folder = tmp_path_factory.mktemp("whole")
    assert start(RUN, folder, "run").wait(120) == 0
    return folder / "predictions.jsonl"


@pytest.mark.slow
def test_f16_a_killed_run_started_again_gives_the_file_of_an_undisturbed_run(whole, tmp_path):
    killed = start(RUN, tmp_path, "hang")
    assert killed.stdout.readline() == "going\n"
    killed.send_signal(signal.SIGKILL)
    killed.wait(30)
    path = tmp_path / "predictions.jsonl"
    with path.open("a", encoding="utf-8") as file:
        file.write('{"engine": "random", "task": "e')
    assert 40 <= len(read_predictions(path)[0]) < len(read_predictions(whole)[0])
    assert start(RUN, tmp_path, "run").wait(120) == 0

    assert path.read_bytes() == whole.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("oddity", ["cut", "crlf", "bom", "twice", "garbled"])
def test_f16_odd_predictions_are_named_by_line_and_only_they_are_asked_again(whole, tmp_path, oddity):
    lines = whole.read_bytes().split(b"\n")[:-1]
    spoilt = {
        "cut": b"\n".join([*lines[:-1], lines[-1][:50]]),
        "crlf": b"\r\n".join(lines) + b"\r\n",
        "bom": b"\xef\xbb\xbf" + b"\n".join(lines) + b"\n",
        "twice": b"\n".join(lines + lines[:7]) + b"\n",
        "garbled": b"\n".join([*lines[:4], b'\xff{"engine"', *lines[5:]]) + b"\n",
    }[oddity]
    path = tmp_path / "predictions.jsonl"
    path.write_bytes(spoilt)
    good, bad = read_predictions(path)
    number = {"cut": len(lines), "garbled": 5}.get(oddity)

    assert len(good) == len(lines) + (7 if oddity == "twice" else -1 if number else 0)
    assert [line.split(": ")[0] for line in bad] == ([f"{path}:{number}"] if number else [])
    assert start(RUN, tmp_path, "run").wait(120) == 0
    assert path.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("oddity", ["cut", "crlf", "bom", "twice"])
def test_f16_odd_lines_of_episodes_are_named_and_the_good_ones_kept(oddity, dev_episodes, tmp_path):
    path, episodes = tmp_path / "data.jsonl", dev_episodes[:4]
    write_episodes(episodes, path)
    lines = path.read_bytes().split(b"\n")[:-1]
    spoilt = {
        "cut": b"\n".join([*lines[:3], lines[3][:100]]),
        "crlf": b"\r\n".join(lines) + b"\r\n",
        "bom": b"\xef\xbb\xbf" + b"\n".join(lines) + b"\n",
        "twice": b"\n".join([*lines, lines[0]]) + b"\n",
    }[oddity]
    path.write_bytes(spoilt)
    reading = read_episodes(path)

    kept = 3 if oddity == "cut" else 4
    assert [e.rows for e in reading.episodes[:kept]] == [e.rows for e in episodes[:kept]]
    assert [line.split(": ")[0] for line in reading.rejected] == ([f"{path}:4"] if oddity == "cut" else [])
    assert len({episode.sample_id for episode in reading.episodes}) == len(reading.episodes) == (5 if oddity == "twice" else kept)
    assert bool(reading.mends) == (oddity == "twice")
