"""The Scores tab without a browser: opening results, and a run."""

import json

import gradio as gr
import pytest

from eval.background import BackgroundRun
from eval.instances import PROTOCOLS, TaskName
from eval.plan import Plan
from eval.records import write_results
from rescue_agent.corpus.splits import bundled_episodes
from rescue_agent.moment import Mode
from rescue_agent.tabs.scores import Scores


@pytest.fixture(scope="module")
def results(engine):
    plan = Plan(bundled_episodes("test"), [TaskName.ITP, TaskName.STP], PROTOCOLS["paper"], Mode.DIALOGUE, 0, 5)
    run = BackgroundRun(plan, "embedded")
    run.start()
    run.wait()
    return run.results


@pytest.fixture
def scores(engine):
    return Scores(engine)


@pytest.fixture
def saved(results, tmp_path):
    def save(name="results.json", **changes):
        path = tmp_path / name
        write_results(path, results.model_copy(update=changes))
        return str(path)

    return save


def test_results_are_shown_with_intervals_n_baselines_and_the_published_mean(scores, saved):
    _, told, shown = scores.open([saved()], "", "all", "all", "en")

    assert told == ""
    for text in (
        "ITP, intervention time prediction",
        "STP, support target",
        "majority",
        "<th>unread</th>",
        "<svg",
        "mean of ten published",
    ):
        assert text in shown
    assert "18 samples of 18 couples and families" in shown


def test_a_task_and_a_scenario_can_be_chosen(scores, saved):
    token, _, _ = scores.open([saved()], "", "all", "all", "en")
    shown = scores.show(token, "stp", "couple", "en")

    assert "STP, support target prediction · couple" in shown
    assert "ITP" not in shown
    assert "family" not in shown.split("<section", 1)[1]


def test_several_files_stand_side_by_side(scores, saved):
    shown = scores.open([saved("one.json"), saved("two.json")], "", "all", "all", "en")[2]

    assert "embedded (1: one.json)" in shown
    assert "embedded (2: two.json)" in shown


BAD = [
    "",
    "[]",
    "{}",
    '{"schema": 2, "run": {}, "results": []}',
    '{"schema": 1, "run": {}, "results": []}',
    '{"schema": 1, "run": {"date": 1, "samples": 1, "groups": 1, "data_sha256": 1, "protocol": 1, "mode": 1, "seed": 1, "fairness": [1]}, "results": []}',  # noqa: E501
    "[" * 100_000,
]


@pytest.mark.parametrize("content", BAD, ids=range(len(BAD)))
def test_what_is_no_results_file_is_one_line_and_the_good_one_is_shown(scores, saved, tmp_path, content):
    bad = tmp_path / "bad.json"
    bad.write_text(content, encoding="utf-8")
    _, told, shown = scores.open([str(bad), saved()], "", "all", "all", "en")

    assert told.count('role="alert"') == 1
    assert "bad.json" in told
    assert str(tmp_path) not in told
    assert "embedded" in shown


def test_names_in_a_file_are_shown_as_text(scores, saved, results):
    evil = [row.model_copy(update={"engine": "<img src=x>", "metric": "<script>"}) for row in results.results]
    run = json.loads(json.dumps(results.run)) | {"mode": "<img src=y>"}
    shown = scores.open([saved("<b>.json", results=tuple(evil), run=run)], "", "all", "all", "en")[2]

    assert "&lt;img src=x&gt;" in shown
    for markup in ("<img", "<script", "<b>.json"):
        assert markup not in shown


def test_another_visit_sees_nothing_of_it(scores, saved):
    token, _, _ = scores.open([saved()], "", "all", "all", "en")
    other = scores.open([], "", "all", "all", "en")

    assert other[0] != token
    assert "Nothing to show yet." in other[2]
    assert "Nothing to show yet." in scores.show("guessed", "all", "all", "en")


def test_a_run_is_started_watched_and_shown(scores):
    token, told, clock, start, stop = scores.start("", ["itp"], 5, "en")
    assert "<progress" in told
    assert (clock, start, stop) == (gr.update(active=True), gr.update(interactive=False), gr.update(interactive=True))
    scores.visits.find(token).run.wait()
    told, shown, clock, *_ = scores.tick(token, "all", "all", "en")

    assert "Done: 20 answers by embedded, majority, random, nearest." in told
    assert "<b>this run</b>" in shown
    assert clock == gr.update(active=False)


def test_a_run_of_no_task_is_not_started(scores):
    token, told, *_ = scores.start("", ["no such task"], 5, "en")

    assert "Choose at least one task." in told
    assert scores.visits.find(token).run is None


def test_nobody_else_can_stop_a_run(scores):
    token, *_ = scores.start("", ["itp"], 5, "en")
    scores.stop("guessed")
    scores.visits.find(token).run.wait()

    assert scores.visits.find(token).run.progress.phase == "done"
