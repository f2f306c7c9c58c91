"""Importers on small invented files of each format."""

import json
import zipfile

import pytest

from rescue_agent.corpus.neighbours import READERS
from rescue_agent.errors import InputError
from rescue_agent.taxonomy import SUPPORTER


def test_esconv_in_both_forms(tmp_path):
    lines = {
        "split": "test",
        "situation": "a lost key",
        "turns": [{"role": "seeker", "text": "I lost it."}, {"role": "supporter", "text": "When?", "strategy": "Question"}],
    }
    (tmp_path / "a.jsonl").write_text(json.dumps(lines) + "\n", encoding="utf-8")
    listed = [
        {
            "situation": "a lost key",
            "dialog": [
                {"speaker": "seeker", "annotation": {}, "content": "I lost it.\n"},
                {"speaker": "supporter", "annotation": {"strategy": "Question"}, "content": "When?"},
            ],
        }
    ]
    (tmp_path / "b.json").write_text(json.dumps(listed), encoding="utf-8")

    for name in ("a.jsonl", "b.json"):
        (episode,) = READERS["esconv"](tmp_path / name)
        assert [row.primary_speaker for row in episode.rows] == ["Seeker", SUPPORTER]
        assert [row.dialogue_cleaned for row in episode.rows] == ["I lost it.", "When?"]
        assert episode.rows[1].meta == {"strategy": "Question"}
        assert episode.rows[1].support_strategy == ()
        assert episode.meta["situation"] == "a lost key"


@pytest.mark.parametrize("kind", ["file", "folder", "zip"])
def test_mpdd_as_file_folder_and_zip(tmp_path, kind):
    turn = {"speaker": "甲", "utterance": "你好", "listener": [{"name": "乙", "relation": "spouse"}], "emotion": "neutral"}
    text = json.dumps({"7": [turn]}, ensure_ascii=False)
    (tmp_path / "x").mkdir()
    if kind == "zip":
        with zipfile.ZipFile(tmp_path / "x" / "mpdd.zip", "w") as archive:
            archive.writestr("mpdd/dialogue.json", text)
    else:
        (tmp_path / "x" / "dialogue.json").write_text(text, encoding="utf-8")
    (episode,) = READERS["mpdd"](tmp_path / "x" / ("dialogue.json" if kind == "file" else ""))

    assert episode.participants == ("甲", "乙")
    assert episode.rows[0].target == ("乙",)
    assert episode.rows[0].meta == {"emotion": "neutral", "relations": {"乙": "spouse"}}


def test_persona_conflicts(tmp_path):
    turns = json.dumps([{"turn": 1, "speaker": "(Ada)", "text": "You took my bike."}, {"turn": 2, "speaker": "(Ben)", "text": "Borrowed."}])
    columns = ["id", "relationship_subtype", "transformed_conversation", "turn_problematic_avg", "turn_vc_union"]
    quoted = '"' + turns.replace('"', '""') + '"'
    (tmp_path / "mturk_aggregate.csv").write_text(
        f'{",".join(columns)}\n9,siblings,{quoted},"[1.5, 3]","[[], [\'Demand\']]"\n', encoding="utf-8"
    )
    (episode,) = READERS["persona-conflicts"](tmp_path)

    assert episode.scenario == "family"
    assert episode.rows[0].target == ("Ben",)
    assert episode.rows[1].meta == {"problematic": 3, "violent_communication": ["Demand"]}


@pytest.mark.parametrize("name", list(READERS))
@pytest.mark.parametrize("content", [b"nonsense", b"\xff\xfe\x00", b"[1, 2]", b'{"a": 1}'])
def test_another_file_is_one_clear_line(tmp_path, name, content):
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        READERS[name](path)

    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_meld_keeps_its_order_times_names_and_split(tmp_path):
    (tmp_path / "dev_sent_emo.csv").write_text(
        "Utterance,Speaker,Emotion,Sentiment,Dialogue_ID,Utterance_ID,Season,StartTime\n"
        'Bye.,Uma,joy,positive,10,0,2,""\n'
        '"Well, hi.",Tom,neutral,neutral,9,1,2,"00:00:03,500"\n'
        "Hi.,The Aunt,anger,negative,9,0,2,0:00:01.250\n",
        encoding="utf-8-sig",
    )
    ninth, tenth = READERS["meld"](tmp_path / "dev_sent_emo.csv")

    assert [(r.primary_speaker, r.dialogue_cleaned, r.start_time) for r in ninth.rows] == [
        ("The Aunt", "Hi.", 1.25),
        ("Tom", "Well, hi.", 3.5),
    ]
    assert ninth.rows[0].meta == {"emotion": "anger", "sentiment": "negative"}
    assert ninth.meta == {"format": "meld", "season": "2", "split": "dev"}
    assert tenth.rows[0].start_time is None


def test_a_csv_with_an_endless_field_is_one_clear_line(tmp_path):
    header = "Utterance,Speaker,Emotion,Sentiment,Dialogue_ID,Utterance_ID\n"
    (tmp_path / "x.csv").write_text(f"{header}{'a' * 200_000},Tom,joy,positive,1,1\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"x.csv:2: not CSV"):
        READERS["meld"](tmp_path / "x.csv")
