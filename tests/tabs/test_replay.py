"""The Replay tab without a browser: visits, uploads, and where one can go."""

import gradio as gr
import pytest

from rescue_agent.corpus.rescue import to_json
from rescue_agent.tabs.replay import Replays, moved
from rescue_agent.tabs.uploads import LIMIT


@pytest.fixture(scope="module")
def replays(engine):
    return Replays(engine)


def uploaded(tmp_path, content, name="mine.jsonl"):
    path = tmp_path / name
    path.write_bytes(content)
    return path


def test_the_bundled_episodes_that_no_training_saw_come_first(replays):
    splits = [name.rsplit("(", 1)[1] for name in replays.episodes]

    assert splits == sorted(splits, key=["test)", "dev)", "train)"].index)
    assert set(splits) == {"test)", "dev)", "train)"}


def test_the_place_is_kept_by_the_server_and_not_told_by_the_browser(replays):
    chosen = next(iter(replays.episodes))
    token, _, _ = replays.go("next", "", chosen, [], "en")
    other, other_view, _ = replays.go("next", "", chosen, [], "en")
    _, view, _ = replays.go("next", token, "whatever a browser sends", [], "en")

    assert token != other
    assert "Row 3 of" in view
    assert "Row 2 of" in other_view


def test_a_token_that_was_never_given_out_begins_anew(replays):
    token, view, _ = replays.go("last", "guessed", "no such episode", [], "no such language")

    assert token != "guessed"
    assert "Row 35 of 35" in view


def test_one_cannot_step_out_of_an_episode(replays, couple):
    _, visit = replays.begin(couple)

    assert not moved(visit, "previous")
    assert moved(visit, "last")
    assert visit.position == 6
    assert not moved(visit, "next")
    assert moved(visit, "first")
    assert visit.position == 0


def test_a_jump_without_any_kind_of_difference_stays_and_says_so(replays):
    token, _, _ = replays.go("first", "", "", [], "en")
    _, view, told = replays.go("jump", token, "", [], "en")

    assert "Row 1 of" in view
    assert "There is no further difference of this kind." in told


def test_an_uploaded_file_is_replayed_and_not_kept(replays, couple, tmp_path):
    path = uploaded(tmp_path, to_json(couple).encode())
    token, view, told, _, _, choices = replays.open(str(path), "en")

    assert "Row 1 of 7" in view
    assert "mine.jsonl: 1 episodes." in told
    assert choices["choices"][0] == "test_couple/1"
    assert not path.exists()
    assert "Row 2 of 7" in replays.go("next", token, "test_couple/1", [], "en")[1]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"not json", "mine.jsonl:1: not JSON (Expecting value at column 1); left out"),
        (b'{"rows": 1', "mine.jsonl:1: not JSON"),
        (b'{"a": "<b>x</b>"}', "neither a sample"),
        (b"", "mine.jsonl: no episode could be read"),
        (b"x" * (LIMIT + 1), "mine.jsonl: over 1000 kB; give a smaller file"),
    ],
)
def test_a_bad_file_is_one_line_that_names_it_and_nothing_else_changes(replays, tmp_path, content, line):
    path = uploaded(tmp_path, content)
    token, view, told, *others = replays.open(str(path), "en")

    assert token == view == gr.skip()
    assert others == [gr.skip()] * 3
    assert line in told
    assert told.count("role=") == 1
    assert 'role="alert"' in told
    assert str(tmp_path) not in told
    assert not path.exists()


def test_what_was_left_out_is_told_beside_what_was_read(replays, couple, tmp_path):
    path = uploaded(tmp_path, f"{to_json(couple)}\n<b>no</b>\n".encode())
    told = replays.open(str(path), "en")[2]

    assert "1 episodes" in told
    assert "1 lines were left out; the first: mine.jsonl:2: not JSON" in told


def test_it_plays_to_the_end_and_stops(replays, couple):
    token, visit = replays.begin(couple)
    assert replays.play(token, "", "en")[1:] == (gr.update(active=True), gr.update(value="Pause"))
    for _ in range(6):
        assert replays.tick(token, "", "en")[2] == gr.update(active=True)
    _, view, clock, button = replays.tick(token, "", "en")

    assert "Row 7 of 7" in view
    assert (clock, button) == (gr.update(active=False), gr.update(value="Play"))
    assert not visit.playing


def test_a_tick_after_pause_goes_nowhere(replays, couple):
    token, visit = replays.begin(couple)
    replays.play(token, "", "en")
    replays.play(token, "", "en")
    replays.tick(token, "", "en")

    assert visit.position == 0


def test_an_engine_that_is_paid_by_the_token_is_asked_for_nothing_until_somebody_begins(engine):
    asked = []

    class Paid:
        name, deterministic = "llm", False

        def __getattr__(self, question):
            asked.append(question)
            return getattr(engine, question)

    replays = Replays(Paid())
    assert "Choose an episode, or press First" in replays.first("en")
    assert "Episode wählen" in replays.again("", "de")[0]
    assert asked == []
    replays.go("first", "", "", [], "en")
    assert asked


def test_a_screenplay_that_is_no_text_is_one_line(replays, tmp_path):
    told = replays.open(str(uploaded(tmp_path, b"\xff\xfe=== \x00", "mine.screenplay")), "en")[2]

    assert told.startswith('<p class="notice problem" role="alert">mine.screenplay')
