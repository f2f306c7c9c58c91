"""Compiling a folder of screenplays, and the splits that are fixed with it."""

import json

import numpy as np
import pytest

from rescue_agent.corpus.compiling import compile_open, read_screenplays
from rescue_agent.corpus.rescue import read_episodes
from rescue_agent.corpus.splits import SPLITS, assign, bundled_episodes, split_of
from rescue_agent.errors import InputError

PLAY = """=== {}
scenario: couple
people: Ada, Ben

Ada > Ben: One two three four five.
Ben > Ada: ...
[100 .. 103] Ada > Ben: Hm.
Ben: So.
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "in" / "deep").mkdir(parents=True)
    (tmp_path / "in" / "deep" / "b.screenplay").write_text(PLAY.format("a/1"), encoding="utf-8")
    (tmp_path / "in" / "a.screenplay").write_text(PLAY.format("b/1"), encoding="utf-8")
    (tmp_path / "out").mkdir()
    return tmp_path


def test_episodes_are_sorted_marked_and_timed_by_their_words(folder):
    compile_open(folder / "in", folder / "out")
    first, second = read_episodes(folder / "out" / "open.jsonl").episodes

    assert (first.sample_id, second.sample_id) == ("a/1", "b/1")
    assert (first.meta["synthetic"], first.meta["license"], first.meta["times"]) == (True, "CC-BY-4.0", "estimated")
    assert all(row.meta == {"synthetic": True} for row in first.rows)
    assert [(row.start_time, row.end_time) for row in first.rows] == [(0, 2), (2.6, 3.2), (100, 103), (103.6, 104.2)]


def test_an_id_that_stands_twice_is_refused(folder):
    (folder / "in" / "c.screenplay").write_text(PLAY.format("a/1"), encoding="utf-8")
    with pytest.raises(InputError, match="the id 'a/1' stands twice"):
        read_screenplays(folder / "in")


def test_a_folder_without_screenplays_is_one_clear_line(folder):
    with pytest.raises(InputError, match="holds no screenplay"):
        read_screenplays(folder / "out")


def test_splits_follow_the_group_alone_so_that_none_ever_moves(folder):
    compile_open(folder / "in", folder / "out")
    groups = [f"group_{i}" for i in range(2000)]
    some, all_ = assign(groups[:50]), assign(groups)

    assert json.loads((folder / "out" / "splits.json").read_text(encoding="utf-8")) == assign(["a", "b"])
    assert all(set(some[split]) <= set(all_[split]) for split in SPLITS)
    shares = [len(all_[split]) / len(groups) for split in SPLITS]
    np.testing.assert_allclose(shares, [0.70, 0.15, 0.15], atol=0.03)
    assert all(split_of(group) == split for split in SPLITS for group in all_[split])


def test_the_bundled_splits_are_apart_and_whole():
    parts = [{e.sample_id for e in bundled_episodes(split)} for split in SPLITS]

    assert sum(map(len, parts)) == len(set().union(*parts)) == len(bundled_episodes("all"))
    with pytest.raises(InputError, match="has no split 'validation'"):
        bundled_episodes("validation")
