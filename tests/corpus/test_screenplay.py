import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from rescue_agent.corpus.screenplay import parse, read, render
from rescue_agent.errors import InputError
from tests.strategies import episodes

DOCUMENT = Path(__file__).parents[2] / "docs" / "screenplay.md"
HEAD = "=== a/1\nscenario: couple\npeople: Ada, Ben\n\n"


@given(episodes)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_writing_and_reading_back_is_the_identity(episode):
    assert parse(render([episode])) == [episode]


def test_the_example_in_the_document_is_read_as_it_says():
    example = re.search(r"```\n(=== .*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    (episode,) = parse(example[1])

    assert episode.participants == ("Ines", "Tobias")
    assert episode.rows[0].viewpoints_attitudes[0].attitude == "resentful"
    assert episode.rows[1].facial_expressions[0].person == "Ines"
    assert episode.rows[2].support_strategy[0].target == ("Couple",)
    assert episode.rows[2].relation_cycle_evidence_rows == (1, 2)


def test_several_episodes_comments_and_windows_line_ends():
    text = "// a note\r\n" + (HEAD + "Ada > Ben: Hello.\n// aside\n\nBen: Hm.\n").replace("\n", "\r\n") + HEAD.replace("a/1", "b/1")

    assert [(e.sample_id, len(e.rows)) for e in parse(text)] == [("a/1", 2), ("b/1", 0)]


def test_a_quotation_inside_what_is_said_needs_no_care():
    (episode,) = parse(HEAD + 'Ada > Ben: "Never," you said. "Not once."\n  tone says "no" | type other\n')

    assert episode.rows[0].dialogue_cleaned == '"Never," you said. "Not once."'
    assert episode.rows[0].tone_of_voice == 'says "no"'
    assert episode.rows[0].utterance_type == "other"


@pytest.mark.parametrize("reason", ['>"', 'he said "', 'a "b" and ("c', '"'])
def test_a_quotation_mark_left_open_stays_inside_its_item(couple, reason):
    row = couple.rows[0].model_copy(update={"relation_pattern_reason": reason, "meta": {"": None}})
    episode = couple.model_copy(update={"rows": (row,)})

    assert parse(render([episode])) == [episode]


@pytest.mark.parametrize(
    ("body", "place", "problem"),
    [
        ("Ada > Ben Hello\n", "4:16", "':' expected"),
        ("Ada > : Hello\n", "4:7", "a name is missing"),
        ("Ada: Hi\n  mood low\n", "5:3", "unknown annotation 'mood low'"),
        ("Ada: Hi\n  feels sad @high\n", "5:", "intensity must be a number, not 'high'"),
        ("Ada: Hi\n  tone low | sees Ben he is late\n", "5:", "':' expected after the person who is seen"),
        ("Ada: Hi\n  cycle x (one): y\n", "5:", "row numbers expected"),
        ("Ada: Hi\n  meta {1}\n", "5:", "not JSON"),
        ("  type other\n", "4:", "an annotation stands before the first row"),
        ("[1-2] Ada: Hi\n", "4:", r"times must read \[START .. END\]"),
        ("#x Ada: Hi\n", "4:", "a row number is expected"),
    ],
)
def test_a_mistake_is_named_with_line_and_column(body, place, problem):
    with pytest.raises(InputError, match=rf"play:{int(place.split(':')[0]) + 1}:{place.split(':')[1] or '[0-9]+'}.*{problem}"):
        parse(HEAD + body, "play")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("hello\n", "play:1:1: an episode starts with a line '=== ID'"),
        ("=== a\npeople: Ada\n\n", "play:1:1: the header of 'a' has no 'scenario' line"),
        ("=== a\nscenario: trio\npeople: Ada\n\n", "play:1:1: scenario 'trio' is unknown"),
        ("=== a\nscenario: couple\nplace: here\n", "play:3:1: unknown header line 'place: here'"),
    ],
)
def test_a_mistake_in_the_header_is_named(text, problem):
    with pytest.raises(InputError, match=re.escape(problem)):
        parse(text, "play")


def test_a_file_that_cannot_be_read_is_one_line(tmp_path):
    (tmp_path / "x.screenplay").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="cannot be read"):
        read(tmp_path / "x.screenplay")
