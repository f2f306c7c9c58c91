"""`rescue-agent corpus` as a user meets it."""

import json
import subprocess
import sys

import pytest

from rescue_agent.corpus.rescue import to_json, write_episodes


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "rescue_agent", "corpus", *map(str, arguments)], capture_output=True, text=True, timeout=120
    )


@pytest.fixture
def file(tmp_path, couple):
    write_episodes([couple], tmp_path / "file.jsonl")
    return tmp_path / "file.jsonl"


def test_check_of_a_clean_file_ends_well(file):
    shown = run("check", file)

    assert shown.returncode == 0
    assert "1 episodes, 7 rows: 0 errors, 0 warnings" in shown.stdout


def test_check_of_a_faulty_file_names_the_faults_and_ends_with_one(file, couple):
    bad = couple.rows[0].model_copy(update={"target": ("Zoran",)})
    write_episodes([couple.model_copy(update={"rows": (bad,) * 7})], file)
    shown = run("check", file)
    everything = run("check", file, "--all")
    records = [json.loads(line) for line in run("check", file, "--json").stdout.splitlines()]

    assert [shown.returncode, everything.returncode] == [1, 1]
    assert "error: unknown person (7)" in shown.stdout
    assert "file.jsonl:1 test_couple/1 row 1: the target names 'Zoran', who is not in this episode -> " in shown.stdout
    assert "and 2 more; --all shows them" in shown.stdout
    assert everything.stdout.count("names 'Zoran'") == 7
    assert sum(record["kind"] == "unknown person" and record["row"] == 1 for record in records) == 7


@pytest.mark.parametrize("command", [["check"], ["stats"], ["plots", "--out", "x"]])
@pytest.mark.parametrize("content", [None, "nonsense\n"])
def test_what_cannot_be_read_is_one_clear_line(tmp_path, command, content):
    path = tmp_path / "input.jsonl"
    if content:
        path.write_text(content, encoding="utf-8")
    shown = run(command[0], path, *command[1:])

    assert shown.returncode == 2
    assert [str(path) in line for line in shown.stderr.splitlines() if line.startswith("rescue-agent: ")] == [True]
    assert "Traceback" not in shown.stderr


def test_stats_stand_beside_the_published_ones(file):
    shown = run("stats", file)
    records = [json.loads(line) for line in run("stats", file, "--json").stdout.splitlines()]

    assert shown.returncode == 0
    assert ["turns", "7", "5,875"] in [[cell.strip() for cell in line.strip("│").split("│")] for line in shown.stdout.splitlines()]
    assert {"measure": "turns", "value": 7, "published": 5875}.items() <= next(r for r in records if r["measure"] == "turns").items()


def test_plots_are_named_on_standard_output(file, tmp_path):
    shown = run("plots", file, "--out", tmp_path / "pictures")

    assert shown.returncode == 0
    assert {line.rsplit("/", 1)[1] for line in shown.stdout.splitlines()} == {path.name for path in (tmp_path / "pictures").iterdir()}
    assert "emotion_arcs_couple.svg" in shown.stdout


def test_decompile_and_compile_give_the_file_back(file, tmp_path, couple):
    assert run("decompile", file, "--out", tmp_path / "file.screenplay").returncode == 0
    assert run("compile", tmp_path / "file.screenplay", "--out", tmp_path / "again.jsonl").returncode == 0

    assert (tmp_path / "again.jsonl").read_text(encoding="utf-8") == f"{to_json(couple)}\n"
