"""The reader of RESCUE files, on invented files that hold every oddity of real ones."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rescue_agent.corpus.groups import group_of
from rescue_agent.corpus.mending import Mend, Mender
from rescue_agent.corpus.rescue import read_episodes, write_episodes
from rescue_agent.errors import InputError
from rescue_agent.schema import Episode, Row
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
    return Mender([]).episode(json.loads(episode.model_dump_json()), lambda _: None)


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


junk = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**80), 2**80) | st.floats() | st.text(max_size=8) | st.sampled_from(["Ada", "Therapist"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
junk_rows = st.fixed_dictionaries(
    {"primary_speaker": st.sampled_from(["Ada", "Therapist"])},
    optional=dict.fromkeys(sorted(Row.model_fields.keys() - {"primary_speaker"}), junk),
)
junk_samples = st.fixed_dictionaries(
    {"rows": st.lists(junk_rows, max_size=3)}, optional=dict.fromkeys(sorted(Episode.model_fields.keys() - {"rows"}), junk)
)


@given(junk_samples)
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_stands_in_the_fields_no_row_is_lost_and_it_can_be_written_back(tmp_path_factory, document):
    path = tmp_path_factory.mktemp("x") / "file.jsonl"
    path.write_text(json.dumps(document) + "\n", encoding="utf-8")
    reading = read_episodes(path)
    assert [len(e.rows) for e in reading.episodes] == [len(document["rows"])]
    write_episodes(reading.episodes, path)

    assert read_episodes(path).episodes == reading.episodes


@pytest.mark.parametrize("text", ["“Não”, she said.", "MAÇÃ”", "Zoë’s naïve café—", "ESPAÑA’S", "Âge", "Привет, Ναί 😀", "half … ½"])
def test_good_text_is_never_changed(tmp_path, text):
    reading = read(tmp_path, sample(row(dialogue_cleaned=text)))

    assert reading.episodes[0].rows[0].dialogue_cleaned == text
    assert not reading.mended


@pytest.mark.parametrize(("text", "meant"), [("Ã¼ber", "über"), ("Ð¿Ñ€Ð¸Ð²ÐµÑ‚", "привет"), ("ðŸ˜€ ok", "😀 ok"), ("It\x92s", "It’s")])
def test_every_script_is_repaired(tmp_path, text, meant):
    assert read(tmp_path, sample(row(dialogue_cleaned=text))).episodes[0].rows[0].dialogue_cleaned == meant


def test_half_a_character_pair_can_be_written_back(tmp_path):
    reading = read(tmp_path, sample(row(dialogue_cleaned="oh \ud83d", **{"\udc00": 1})))
    write_episodes(reading.episodes, tmp_path / "again.jsonl")

    assert reading.episodes[0].rows[0].dialogue_cleaned == "oh \ufffd"
    assert read_episodes(tmp_path / "again.jsonl").episodes == reading.episodes


def test_a_mend_says_which_sample_and_row(tmp_path):
    reading = read(tmp_path, sample(row(), row(row_index=2, start_time="soon")))

    assert reading.mended == (Mend("time that is no number (left empty)", "pair/1", 2),)
    assert reading.places["pair/1"].endswith("file.jsonl:1")


def test_a_sample_that_does_not_name_its_scenario_is_known_by_whom_the_rows_address(tmp_path):
    given = {"rows": [row(target=["Family"]), row(primary_speaker="Ben")]}
    (episode,) = read(tmp_path, given).episodes

    assert (episode.scenario, episode.participants) == ("family", ("Ada", "Ben"))


def test_an_unknown_field_of_the_sample_is_kept_in_meta(tmp_path):
    assert read(tmp_path, sample(row(), coder="K2", meta={"a": 1})).episodes[0].meta == {"a": 1, "coder": "K2"}


def test_flattened_rows_without_numbers_are_all_kept(tmp_path):
    flat = [{"primary_speaker": "Ada", "dialogue_cleaned": words, "sample_id": "pair/1"} for words in ("One.", "Two.", "Three.")]
    flat[2]["prior_context"] = [{"primary_speaker": "Ada", "dialogue_cleaned": "Two."}]
    (episode,) = read(tmp_path, *flat).episodes

    assert [r.dialogue_cleaned for r in episode.rows] == ["One.", "Two.", "Three."]


def test_two_samples_of_one_id_without_a_segment_stay_in_one_group(tmp_path):
    reading = read(tmp_path, sample(row(), sample_id="pair"), sample(row(), sample_id="pair"))

    assert [e.sample_id for e in reading.episodes] == ["pair", "pair/~2"]
    assert {e.group for e in reading.episodes} == {"pair"}


def test_in_a_folder_a_broken_screenplay_is_named_and_the_rest_goes_on(tmp_path):
    (tmp_path / "a.screenplay").write_text("no episode\n", encoding="utf-8")
    (tmp_path / "b.json").write_text(json.dumps(sample(row())), encoding="utf-8")
    reading = read_episodes(tmp_path)

    assert len(reading.episodes) == 1
    assert "a.screenplay:1:1" in reading.rejected[0]


def test_json_lines_in_a_file_named_json_and_bytes_that_are_no_text(tmp_path):
    line = json.dumps(sample(row())).encode()
    (tmp_path / "x.json").write_bytes(line + b"\n" + line.replace(b"pair/1", b"pair/2").replace(b"Hello.", b"Caf\xe9") + b"\n")
    reading = read_episodes(tmp_path / "x.json")

    assert [e.rows[0].dialogue_cleaned for e in reading.episodes] == ["Hello.", "Caf\ufffd"]
    assert reading.mends["bytes that are no UTF-8 (replaced)"] == 1
