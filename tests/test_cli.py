"""The command line as a user meets it: real processes, real files."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rescue_agent.corpus.rescue import read_episodes, write_episodes


def run(*arguments, stdin=None, **environment):
    command = [sys.executable, "-m", "rescue_agent", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=180, input=stdin, env={**os.environ, **environment})


@pytest.fixture
def file(tmp_path, couple):
    write_episodes([couple], tmp_path / "couple.jsonl")
    return tmp_path / "couple.jsonl"


@pytest.mark.parametrize(
    "command", ["chat", "replay", "score", "report", "index", "fit", "fit-hybrid", "import", "doctor", "corpus", "safety"]
)
def test_every_command_has_help(command):
    shown = run(command, "--help")

    assert shown.returncode == 0
    assert "Usage: " in shown.stdout


def test_replay_writes_records_only_to_standard_output(engine, file):
    shown = run("replay", file, "--json")
    records = [json.loads(line) for line in shown.stdout.splitlines()]

    assert shown.returncode == 0
    assert [r["row_index"] for r in records] == [1, 2, 4, 5, 7]


def test_replay_writes_readable_transcripts(engine, file, tmp_path):
    shown = run("replay", file, "--out", tmp_path / "out")

    assert shown.returncode == 0
    assert "Orla > Pavel: You never said the boiler man was coming" in shown.stdout
    page = (tmp_path / "out" / "test_couple_1.html").read_text(encoding="utf-8")
    assert "boiler man" in page
    assert "http" not in page
    assert "Therapist" not in page


def test_a_replay_of_a_screenplay_is_that_of_its_json(engine, file, tmp_path):
    assert run("corpus", "decompile", file, "--out", tmp_path / "c.screenplay").returncode == 0

    assert run("replay", tmp_path / "c.screenplay", "--json").stdout == run("replay", file, "--json").stdout


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["replay", "nowhere.jsonl"], "nowhere.jsonl: cannot be read (No such file or directory); check the path"),
        (["replay", "FILE", "--sample", "x"], "no sample 'x' in it"),
        (["replay", "FILE", "--engine", "gpt"], "--engine 'gpt': unknown; known are embedded"),
        (["score", "--data", "open:moon", "--out", "OUT"], "--data open:moon: the bundled corpus has open:train"),
        (["score", "--data", "FILE", "--out", "OUT", "--task", "er,xx"], "--task er,xx: known are er,vp,rpp"),
        (["report", "OUT"], "out: cannot be read (No such file or directory); give the folder that"),
        (["import", "meld", "FILE", "--out", "OUT"], "columns ['Dialogue_ID'"),
        (["import", "esconv", "FILE", "--out", "OUT"], "not of this format"),
        (["corpus", "compile", "FILE"], "say where to write with --out"),
        (["safety", "screen", "nowhere"], "nowhere: cannot be read"),
        (["chat", "--host", "0.0.0.0"], "give --password, or stay on 127.0.0.1"),
    ],
)
def test_bad_input_is_one_clear_line(file, tmp_path, arguments, line):
    names = {"FILE": str(file), "OUT": str(tmp_path / "out")}
    shown = run(*(names.get(a, a) for a in arguments))
    message = [text for text in shown.stderr.splitlines() if text.startswith("rescue-agent: ")]

    assert shown.returncode == 2
    assert len(message) == 1
    assert line in message[0]
    assert "Traceback" not in shown.stderr


def test_a_bad_line_is_named_and_the_rest_is_replayed(engine, file):
    with file.open("a", encoding="utf-8") as out:
        out.write('{"cut": \n')
    shown = run("replay", file, "--json")

    assert shown.returncode == 0
    assert len(shown.stdout.splitlines()) == 5
    assert "couple.jsonl:2: not JSON" in shown.stderr
    assert run("replay", file, "--json", "--strict").returncode == 2


def test_a_setting_that_cannot_work_is_named():
    shown = run("index", "--if-missing", RESCUE_RECALL_K="many")

    assert shown.returncode == 2
    assert "RESCUE_RECALL_K='many'" in shown.stderr


def test_a_data_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    shown = run("index", "--if-missing", RESCUE_DATA_DIR=str(tmp_path / "file" / "data"))

    assert shown.returncode == 2
    assert "set RESCUE_DATA_DIR to a folder you can write" in shown.stderr


def test_doctor_passes_on_a_whole_machine_and_names_what_is_broken(engine, tmp_path):
    assert run("doctor").returncode == 0
    shown = run("doctor", RESCUE_DATA_DIR=str(tmp_path / "new"))

    assert shown.returncode == 1
    assert "BROKEN index: " in shown.stdout
    assert "-> run `rescue-agent index`" in shown.stdout
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700


def test_screening_is_the_contract():
    shown = run("safety", "screen", "-", stdin="Pass the salt.\nI don't want to wake up any more.\n")
    lines = [json.loads(line) for line in shown.stdout.splitlines()]

    assert [set(line) for line in lines] == [{"text_hash", "level", "families", "route"}] * 2
    assert [line["route"] for line in lines] == ["none", "crisis"]
    assert lines[1]["families"] == ["self_harm"]


def test_fit_on_ones_own_file_makes_heads_that_replay_uses(engine, file, tmp_path):
    from rescue_agent.corpus.splits import bundled_episodes

    write_episodes(bundled_episodes("dev"), tmp_path / "mine.jsonl")
    assert run("fit", "--data", tmp_path / "mine.jsonl", "--out", tmp_path / "heads").returncode == 0
    mine = run("replay", file, "--json", RESCUE_HEADS=str(tmp_path / "heads"))

    assert mine.returncode == 0
    assert mine.stdout != run("replay", file, "--json").stdout


def test_imported_dialogues_are_replayed(engine, tmp_path):
    source = tmp_path / "meld.csv"
    source.write_text(
        "Sr No.,Utterance,Speaker,Emotion,Sentiment,Dialogue_ID,Utterance_ID,Season,Episode,StartTime,EndTime\n"
        '1,"Who ate the plums?",Ada,anger,negative,0,0,1,1,"00:00:01,500","00:00:03,000"\n'
        '2,"Not me, I was out.",Ben,neutral,neutral,0,1,1,1,"00:00:03,100","00:00:04,000"\n',
        encoding="utf-8",
    )
    assert run("import", "meld", source, "--out", tmp_path / "meld.jsonl").returncode == 0
    (episode,) = read_episodes(tmp_path / "meld.jsonl").episodes

    assert episode.rows[0].start_time == 1.5
    assert episode.rows[1].meta == {"emotion": "neutral", "sentiment": "neutral"}
    assert len(run("replay", tmp_path / "meld.jsonl", "--json").stdout.splitlines()) == 2


def test_it_runs_from_another_folder(engine, file, tmp_path):
    command = [str(Path(sys.executable).parent / "rescue-agent"), "replay", str(file), "--json"]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=180, cwd=tmp_path, env=os.environ.copy())

    assert shown.returncode == 0
    assert len(shown.stdout.splitlines()) == 5


def test_cache_options_exclude_each_other(tmp_path):
    done = run("score", "--data", "open:dev", "--out", str(tmp_path), "--no-cache", "--cache-only")

    assert done.returncode == 2
    assert "exclude each other" in done.stderr


@pytest.mark.parametrize("name", ["llm", "hybrid"])
def test_an_engine_that_needs_a_model_says_so(name, file):
    done = run("replay", file, "--engine", name)

    assert done.returncode == 2
    assert "no language model: set OPENAI_BASE_URL" in done.stderr
    assert len(done.stderr.strip().splitlines()) <= 2
