"""Properties that hold whatever people do, in whatever order: hypothesis looks for what breaks them."""

import itertools
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.room import Room
from rescue_agent.corpus import screenplay
from rescue_agent.corpus.encoding import repaired
from rescue_agent.corpus.rescue import read_episodes, write_episodes
from rescue_agent.errors import RoomError
from rescue_agent.moment import Utterance
from rescue_agent.page.transcript import lines_of
from rescue_agent.rooms.log import Kind, RoomLog
from rescue_agent.safety.fairness import balance
from rescue_agent.safety.screen import screen, screen_by_rules
from rescue_agent.schema import Episode, Row
from tests.safety.test_screen import BETWEEN, SELF_HARM

pytestmark = pytest.mark.faults
PEOPLE = ("Orla", "Pavel")
unhurried = settings(deadline=None, max_examples=40)
words = st.text(min_size=1, max_size=40) | st.sampled_from(["You never told me.", "Leave it.", "ok\nPavel: it was my fault", "a\ud800b"])
deeds = st.sampled_from(["say", "say", "undo", "erase", "correct", "leave"])
operations = st.lists(st.tuples(deeds, st.sampled_from(PEOPLE), words), max_size=8)


class Ledger:
    """What a room must show after a sequence of operations: kept by hand, turn by turn."""

    def __init__(self):
        self.said, self.left = [], set()

    def do(self, what, who, text):
        stored = text.encode("utf-8", "replace").decode().replace("\x00", "").strip()
        own = [turn for turn in self.said if turn[0] == who]
        if what == "say" and stored and who not in self.left:
            self.said.append((who, stored))
        elif what == "undo" and own:
            del self.said[len(self.said) - 1 - self.said[::-1].index(own[-1])]
        elif what == "erase":
            self.said = [turn for turn in self.said if turn[0] != who]
        elif what == "leave":
            self.left.add(who)


def act(room, what, who, text, n):
    doing = {
        "say": lambda: room.say(who, text, f"m{n}"),
        "undo": lambda: room.undo(who, f"u{n}"),
        "erase": lambda: room.erase_words(who),
        "correct": lambda: room.correct(who, text, 5.0, f"c{n}"),
        "leave": lambda: room.leave(who),
    }
    with suppress(RoomError):
        doing[what]()


def opened(folder, engine, name="r"):
    return {"log": RoomLog(Path(folder) / f"{name}.sqlite"), "engine": engine, "folder": Path(folder)}


@unhurried
@given(operations)
def test_any_sequence_of_operations_shows_what_the_log_holds(quick, steps):
    with TemporaryDirectory() as folder:
        services, ledger = opened(folder, quick), Ledger()
        room = Room.create("couple", PEOPLE, **services)
        for n, (what, who, text) in enumerate(steps):
            act(room, what, who, text, n)
            ledger.do(what, who, text)
        again = Room.open(room.card.room_id, **services)
        events = services["log"].events(room.card.room_id)

        assert [(turn.speaker, turn.text) for turn in again.transcript() if turn.speaker in PEOPLE] == ledger.said
        assert again.transcript() == room.transcript()
        assert set(again.snapshot().left) == ledger.left
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        seqs = {event.seq for event in events if event.kind is Kind.SAID and event.body.get("text")}
        assert {turn.seq for turn in again.transcript() if turn.speaker in PEOPLE} <= seqs
        exported = [(row.primary_speaker, row.dialogue_cleaned) for row in again.export().rows]
        assert exported == [(turn.speaker, turn.text) for turn in again.transcript()]


any_text = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
turns = st.lists(st.tuples(st.sampled_from([*PEOPLE, "Therapist"]), any_text), max_size=6)


def episode_of(said):
    rows = [Row(row_index=n, primary_speaker=who, target=("Couple",), dialogue_cleaned=text) for n, (who, text) in enumerate(said, 1)]
    return Episode(sample_id="x/1", scenario="couple", participants=PEOPLE, source_file="", rows=tuple(rows))


@unhurried
@given(turns)
def test_what_is_written_is_read_back_for_any_text(said):
    episode = episode_of(said)
    with TemporaryDirectory() as folder:
        write_episodes([episode], Path(folder) / "x.jsonl")
        (read,) = read_episodes(Path(folder) / "x.jsonl").episodes
    (parsed,) = screenplay.parse(screenplay.render([episode]))

    # the reader of JSON lines mends what looks like broken encoding, and counts it; a screenplay is taken as it is
    mended = [(who, repaired(text, lambda _: None)) for who, text in said]
    assert [(row.primary_speaker, row.dialogue_cleaned) for row in parsed.rows] == said
    assert [(row.primary_speaker, row.dialogue_cleaned) for row in read.rows] == mended
    assert [(line.speaker.replace("Supporter", "Therapist"), line.text) for line in lines_of(read, [], True)] == mended


attention = st.lists(
    st.tuples(
        st.sampled_from(["A", "B", "C", "Therapist"]),
        st.sampled_from(["A", "B", "C", "Family"]),
        st.sampled_from(["yes", "why now?", "a b c"]),
        st.sampled_from([None, "evoke", "track", "join"]),
    )
)


@given(attention, st.sampled_from(list(itertools.combinations("ABC", 2))))
def test_swapping_two_people_swaps_every_figure_of_the_balance(spoken, swapped):
    names = {swapped[0]: swapped[1], swapped[1]: swapped[0]}
    moves = [move for who, _, _, move in spoken if who == "Therapist"]

    def figures(name):
        said = [Utterance(speaker=name(who), target=(name(to),), text=text) for who, to, text, _ in spoken]
        found = balance(("A", "B", "C"), said, moves)
        return {name(one.person): one.model_copy(update={"person": ""}) for one in found.attention}, found.index, found.alarm

    before, after = figures(lambda name: name), figures(lambda name: names.get(name, name))
    assert before[0] == after[0]
    assert (before[1] is None) == (after[1] is None)
    assert after[1] is None or after[1] == pytest.approx(before[1])
    assert before[2] == after[2]


risky = st.sampled_from([*SELF_HARM, *(text for text, _ in BETWEEN)])


@given(risky, st.lists(st.text(max_size=60) | risky | st.sampled_from(["Kill the lights.", "I'm fine."]), max_size=4))
@settings(deadline=None, max_examples=60)
def test_adding_text_never_lowers_the_route(text, added):
    level, rules = screen(text).level, screen_by_rules(text).level
    for more in added:
        text = f"{text}\n{more}"
        assert screen(text).level >= level
        assert screen_by_rules(text).level >= rules
        level, rules = screen(text).level, screen_by_rules(text).level


class Crash(BaseException):
    """As good as a kill: nothing catches it on the way out."""


class CrashingLog(RoomLog):
    """Dies at the k-th append, before or after it."""

    def __init__(self, path, at, after):
        super().__init__(path)
        self.at, self.after, self.count = at, after, 0

    def append(self, *arguments):
        self.count += 1
        if self.count == self.at and not self.after:
            raise Crash
        event = super().append(*arguments)
        if self.count == self.at and self.after:
            raise Crash
        return event


def decisions(room):
    """All but the room's own id."""
    return [decision.model_dump(exclude={"sample_id"}) for decision in room.decisions()]


heated = st.sampled_from(["You never told me.", "Leave it.", "He hit me again."])
scripts = st.lists(st.tuples(st.sampled_from(PEOPLE), heated), min_size=1, max_size=4)


@unhurried
@given(scripts, st.integers(2, 9), st.booleans())
def test_a_run_resumed_after_a_crash_at_any_point_is_a_run_without_one(quick, script, at, after):
    def talk(services, room_id, start=0):
        room = Room.open(room_id, **services)
        for n, (who, text) in enumerate(script[start:], start):
            room.say(who, text, f"m{n}")
        return room

    with TemporaryDirectory() as folder:
        plain, broken = opened(folder, quick, "plain"), opened(folder, quick, "broken")
        whole = talk(plain, Room.create("couple", PEOPLE, **plain).card.room_id)
        room_id = Room.create("couple", PEOPLE, **broken).card.room_id
        crashing = CrashingLog(broken["log"].path, at - 1, after)
        with suppress(Crash):
            talk({**broken, "log": crashing}, room_id)
        resumed = talk(broken, room_id)

        assert [(t.seq, t.speaker, t.text) for t in resumed.transcript()] == [(t.seq, t.speaker, t.text) for t in whole.transcript()]
        assert decisions(resumed) == decisions(whole)
        assert resumed.snapshot().relation == whole.snapshot().relation
        assert resumed.paused == whole.paused
