"""Transitions and arcs as numbers, and the pictures as files."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from rescue_agent.corpus.plots import emotion_arc, save_plots, transitions
from rescue_agent.errors import InputError


def test_transitions_count_what_follows_what_within_an_episode():
    counts = transitions(("a", "b"), [["a", "a", "b"], ["b", "a"], []])

    np.testing.assert_array_equal(counts, [[1, 1], [1, 0]])


def test_an_arc_is_the_mean_intensity_of_each_tenth(couple):
    assert emotion_arc(couple) == [7, 5, None, None, 6, 5, None, None, 4, None]


def test_the_pictures_are_written_in_both_forms_and_the_same_on_every_run(couple, tmp_path):
    names = {path.name for path in save_plots([couple], tmp_path / "a")}
    again = save_plots([couple], tmp_path / "b")

    kinds = ("transitions_patterns", "transitions_moves", "transitions_utterance_types", "emotion_arcs")
    assert names == {f"{kind}_couple.{form}" for kind in kinds for form in ("png", "svg")}
    assert {path.name for path in (tmp_path / "a").iterdir()} == names
    for path in again:
        assert path.read_bytes() == (tmp_path / "a" / path.name).read_bytes()
    words = {node.text for node in ET.parse(tmp_path / "a" / "transitions_moves_couple.svg").iter() if node.text}
    assert {"track", "enact", "couple: moves, what follows what"} <= words
    assert (tmp_path / "a" / "emotion_arcs_couple.png").read_bytes().startswith(b"\x89PNG")


def test_an_episode_without_annotations_is_one_clear_line(couple, tmp_path):
    bare = couple.model_copy(update={"rows": tuple(r.model_copy(update={"utterance_type": ""}) for r in couple.rows[3:5])})
    bare = bare.model_copy(update={"rows": tuple(r.model_copy(update={"internal_emotion": ()}) for r in bare.rows)})
    with pytest.raises(InputError, match="nothing to plot"):
        save_plots([bare], tmp_path)


def test_a_folder_that_cannot_be_made_is_one_clear_line(couple, tmp_path):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(InputError, match=r"file.*cannot be written"):
        save_plots([couple], tmp_path / "file")
