"""The neighbours' tasks: splits as said, nothing of the answer in what is seen, scores beside the baseline."""

import csv
import json

import pytest
from typer.testing import CliRunner

from eval.task_sets.features import Features
from eval.task_sets.sets import TASK_SETS
from rescue_agent.cli import app
from rescue_agent.errors import InputError

MOVES = {
    "Question": "What happened then, and how did you feel about it?",
    "Providing Suggestions": "You could try to write it down before you speak to your boss.",
    "Self-disclosure": "I went through the same thing when I was at school myself.",
}


def dialogue(i, split):
    turns = []
    for n, (strategy, text) in enumerate(list(MOVES.items()) * 2):
        turns.append({"role": "seeker", "text": f"I worry about my job and my boss, day {n}."})
        turns.append({"role": "supporter", "text": f"{text} ({i})", "strategy": strategy})
    return {"split": split, "turns": turns}


@pytest.fixture
def esconv_folder(tmp_path):
    lines = [dialogue(i, "train_extra" if i < 20 else "test") for i in range(28)]
    (tmp_path / "made_up.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return tmp_path


def test_esconv_trains_and_tests_on_its_own_splits(esconv_folder):
    task_set = TASK_SETS["esconv"]
    train, test = task_set.read(esconv_folder)

    assert {e.meta["split"] for e in train} == {"train_extra"}
    assert {e.meta["split"] for e in test} == {"test"}
    assert len(list(task_set.cases(test))) == 8 * 6


def test_the_row_that_is_asked_for_and_later_ones_are_not_seen(esconv_folder, embedder):
    task_set = TASK_SETS["esconv"]
    train, test = task_set.read(esconv_folder)
    features = Features(task_set, embedder).fit(list(task_set.cases(train)))
    case = list(task_set.cases(test))[3]
    hidden = tuple(
        row if i < case.position else row.model_copy(update={"dialogue_cleaned": "something else", "meta": {"strategy": "Question"}})
        for i, row in enumerate(case.episode.rows)
    )
    changed = type(case)(case.episode.model_copy(update={"rows": hidden}), case.position, "Question")

    assert (features.transform([case]) != features.transform([changed])).nnz == 0


def test_the_command_scores_beside_the_commonest_label(esconv_folder, tmp_path):
    out = tmp_path / "out"
    result = CliRunner().invoke(app, ["score", "--task-set", "esconv", "--data", str(esconv_folder), "--out", str(out)])

    assert result.exit_code == 0, result.output
    rows = {(r["engine"], r["metric"]): r for r in json.loads((out / "results.json").read_text())["results"]}
    ours, baseline = (rows[name, "accuracy"] for name in ("embedding + logistic regression", "commonest label"))
    assert ours["n"] == baseline["n"] == 48
    assert ours["task"] == "esconv_strategy"
    assert ours["setting"] == "supervised"
    # the moves come in a fixed order here, so that the past tells the next one
    assert ours["value"] > 0.9 > baseline["value"]


def test_meld_is_read_by_its_file_names(tmp_path):
    head = ["Utterance", "Speaker", "Emotion", "Sentiment", "Dialogue_ID", "Utterance_ID"]
    for split in ("train", "test"):
        with (tmp_path / f"{split}_sent_emo.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([head, ["Good morning!", "Orla", "joy", "positive", "0", "0"]])

    train, test = TASK_SETS["meld"].read(tmp_path)

    assert [len(train), len(test)] == [1, 1]
    assert [case.label for case in TASK_SETS["meld"].cases(test)] == ["joy"]


def test_a_folder_without_the_release_is_one_clear_line(tmp_path):
    with pytest.raises(InputError, match="give the folder of the release"):
        TASK_SETS["meld"].read(tmp_path)
    (tmp_path / "only_train.jsonl").write_text(json.dumps(dialogue(1, "valid")) + "\n")
    with pytest.raises(InputError, match="give files with both splits"):
        TASK_SETS["esconv"].read(tmp_path)
