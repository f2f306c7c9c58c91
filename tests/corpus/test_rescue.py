"""The reader of RESCUE files, on invented files that hold every oddity of real ones."""

import json
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rescue_agent.corpus.groups import group_of
from rescue_agent.corpus.mending import Mender
from rescue_agent.corpus.rescue import read_episodes, write_episodes
from rescue_agent.errors import InputError
from tests.strategies import episodes


@given(st.lists(episodes, max_size=2, unique_by=lambda e: e.sample_id))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_writing_and_reading_back_gives_the_same_episodes(tmp_path_factory, some):
    path = tmp_path_factory.mktemp("x") / "file.jsonl"
    plain = [tidy(episode) for episode in some]
    write_episodes(plain, path)

    assert read_episodes(path).episodes == plain


def tidy(episode):
    """The episode as the reader leaves it: blank names and broken encodings, which it mends on purpose, have no second writing."""
    return Mender(Counter()).episode(json.loads(episode.model_dump_json()), lambda _: None)


def sample(*rows, **more):
    return {"sample_id": "pair/1", "scenario": "couple", "participants": ["Ada", "Ben"], "rows": list(rows), **more}


def row(**more):
    return {"row_index": 1, "primary_speaker": "Ada", "dialogue_cleaned": "Hello.", **more}


def read(tmp_path, *documents, strict=False):
    path = tmp_path / "file.jsonl"
    path.write_text("".join((d if isinstance(d, str) else json.dumps(d)) + "\n" for d in documents), encoding="utf-8")
    return read_episodes(path, strict)


def test_broken_encoding_is_repaired_and_good_typography_is_left(tmp_path):
    reading = read(tmp_path, sample(row(dialogue_cleaned="I donâ€™t"), row(dialogue_cleaned="“Café” — naïve, Zoë’s")))

    assert [r.dialogue_cleaned for r in reading.episodes[0].rows] == ["I don’t", "“Café” — naïve, Zoë’s"]
    assert reading.mends == {"text with broken encoding": 1}


def test_a_cue_as_plain_text_is_about_the_speaker(tmp_path):
    reading = read(
        tmp_path, sample(row(body_posture="leans back", facial_expressions=["smiles", {"person": "Ben", "description": "frowns"}]))
    )
    (first,) = reading.episodes[0].rows

    assert [(c.person, c.description) for c in first.body_posture] == [("Ada", "leans back")]
    assert [(c.person, c.description) for c in first.facial_expressions] == [("Ada", "smiles"), ("Ben", "frowns")]


@pytest.mark.parametrize(
    ("given", "kept"), [(5, 5.0), (4.5, 4.5), ("6", 6.0), ("high", None), (None, None), (float("nan"), None), (2**70, 2.0**70)]
)
def test_intensities(tmp_path, given, kept):
    emotion = {"person": "Ada", "emotion_description": "glad", "intensity": given}

    assert read(tmp_path, sample(row(internal_emotion=[emotion]))).episodes[0].rows[0].internal_emotion[0].intensity == kept


def test_missing_keys_and_nulls_lose_no_row(tmp_path):
    nothing = dict.fromkeys(("target", "internal_emotion", "viewpoints_attitudes", "support_strategy", "tone_of_voice", "start_time"))

    assert len(read(tmp_path, sample({"primary_speaker": "Ada"}, row(**nothing))).episodes[0].rows) == 2


def test_a_family_without_cycle_states_has_them_in_relation_pattern(tmp_path):
    rows = [
        row(relation_pattern="repair_softening", relation_pattern_reason="why", relation_pattern_evidence_rows=[1]),
        row(relation_pattern=None),
    ]
    reading = read(tmp_path, sample(*rows, scenario="family", participants=["Ada", "Ben", "Cyr"]))
    first, second = reading.episodes[0].rows

    assert (first.relation_cycle_state, first.relation_cycle_reason, first.relation_cycle_evidence_rows) == (
        "repair_softening",
        "why",
        (1,),
    )
    assert second.relation_cycle_state == ""
    assert reading.mends["relation_pattern read as relation_cycle_state"] == 1


def test_a_couples_relation_pattern_is_never_used(tmp_path):
    assert read(tmp_path, sample(row(relation_pattern="attack_attack"))).episodes[0].rows[0].relation_cycle_state == ""


def test_a_family_with_the_key_on_some_row_keeps_it_empty_elsewhere(tmp_path):
    rows = [row(relation_cycle_state="", relation_pattern="repair_softening"), row(relation_cycle_state="mixed_transition")]
    reading = read(tmp_path, sample(*rows, scenario="family"))

    assert [r.relation_cycle_state for r in reading.episodes[0].rows] == ["", "mixed_transition"]


def test_labels_outside_the_taxonomy_are_kept_and_counted(tmp_path):
    move = {"provider": "Therapist", "target": ["Ada"], "strategy_type": "hug", "strategy_content": ""}
    reading = read(
        tmp_path, sample(row(utterance_type="shout"), row(primary_speaker="Therapist", support_strategy=[move], relation_cycle_state="odd"))
    )

    assert reading.episodes[0].rows[0].utterance_type == "shout"
    assert reading.episodes[0].rows[1].support_strategy[0].strategy_type == "hug"
    assert [n for k, n in sorted(reading.mends.items()) if "outside the taxonomy" in k] == [1, 1, 1]


def test_somebody_who_is_not_on_the_list_may_speak(tmp_path):
    reading = read(tmp_path, sample(row(primary_speaker="Aunt")))

    assert reading.episodes[0].rows[0].primary_speaker == "Aunt"
    assert reading.episodes[0].participants == ("Ada", "Ben")
    assert reading.mends["speaker missing from the participants"] == 1


def test_a_bad_line_is_named_and_the_rest_goes_on(tmp_path):
    good = json.dumps(sample(row()))
    reading = read(tmp_path, good, good[: len(good) // 2], '["a list"]', '{"neither": 1}', json.dumps(sample(row(), sample_id="other/1")))

    assert [e.sample_id for e in reading.episodes] == ["pair/1", "other/1"]
    assert [line.split(": ", 1)[0].rsplit(":", 1)[1] for line in reading.rejected] == ["2", "3", "4"]


def test_strict_stops_at_the_first_bad_line(tmp_path):
    with pytest.raises(InputError, match=r"file.jsonl:2: not JSON"):
        read(tmp_path, sample(row()), "{", strict=True)


def test_a_row_without_a_speaker_is_named_and_its_sample_goes_on(tmp_path):
    reading = read(tmp_path, sample(row(), {"dialogue_cleaned": "?"}, "no row"))

    assert len(reading.episodes[0].rows) == 1
    assert len(reading.rejected) == 2
    assert all("file.jsonl:1" in line for line in reading.rejected)


def test_byte_order_mark_windows_line_ends_and_twice_the_same_id(tmp_path):
    line = json.dumps(sample(row()))
    (tmp_path / "file.jsonl").write_bytes(b"\xef\xbb\xbf" + f"{line}\r\n{line}\r\n".encode())
    reading = read_episodes(tmp_path / "file.jsonl")

    assert [e.sample_id for e in reading.episodes] == ["pair/1", "pair/1~2"]
    assert {e.group for e in reading.episodes} == {"pair"}


def test_a_folder_of_samples_takes_the_ids_from_the_paths(tmp_path):
    for name in ("a/1.json", "b/2.json"):
        path = tmp_path / name
        path.parent.mkdir()
        path.write_text(json.dumps({"rows": [row()]}), encoding="utf-8")

    assert [e.sample_id for e in read_episodes(tmp_path).episodes] == ["a/1", "b/2"]


def test_flattened_task_rows_are_put_together_again(tmp_path):
    context = [row(row_index=1), row(row_index=2, primary_speaker="Therapist")]
    flat = [
        {
            **row(row_index=3, primary_speaker="Ben"),
            "sample_id": "pair/1",
            "scenario": "couple",
            "prior_context": context,
            "gold_emotion": "x",
        }
    ]
    (episode,) = read(tmp_path, *flat, {**row(row_index=5), "sample_id": "pair/1", "prior_context": [row(row_index=4)]}).episodes

    assert [r.row_index for r in episode.rows] == [1, 2, 3, 4, 5]
    assert episode.scenario == "couple"
    assert "gold" not in episode.model_dump_json()


def test_an_unknown_field_is_kept_in_meta(tmp_path):
    assert read(tmp_path, sample(row(mood="blue"))).episodes[0].rows[0].meta == {"mood": "blue"}


@pytest.mark.parametrize("name", ["nowhere.jsonl", "empty"])
def test_what_is_not_there_is_one_clear_line(tmp_path, name):
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=name):
        read_episodes(tmp_path / name)


def test_families_of_the_release_are_told_apart_by_their_members(tmp_path):
    def family(name, *people):
        return sample(row(), sample_id=f"family_therapy/{name}", scenario="family", participants=list(people))

    documents = [
        family("a", "Ada", "Ben", "Cyr"),
        family("b", "Cyr", "Ben"),
        family("c", "Dov", "Eva"),
        family("d", "Cyr", "Ben", "Flo"),
        sample(row()),
    ]
    groups = group_of(read(tmp_path, *documents).episodes)

    assert groups["family_therapy/a"] == groups["family_therapy/b"] == groups["family_therapy/d"]
    assert groups["family_therapy/c"] != groups["family_therapy/a"]
    assert groups["pair/1"] == "pair"
