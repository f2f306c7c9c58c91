"""A whole run: predict, kill, resume, score, report; with the real engines on bundled dev episodes."""

import json

import pytest

from eval.engines import Contender, cross_validated, fitted_on, shipped
from eval.instances import PAPER, SOUND, TaskName
from eval.outside import outside_predictions
from eval.plan import Plan
from eval.records import read_predictions, read_results
from eval.report import write_report
from eval.report.table import plain_cell, published_mean
from eval.run import add_outside, answer, entrant
from eval.run import score as score_run
from rescue_agent.engines.registry import make_engine
from rescue_agent.errors import EndpointError, InputError, UnparsedReply
from rescue_agent.moment import Mode, Moment
from rescue_agent.schema import Episode

TASKS = list(TaskName)


@pytest.fixture(scope="module")
def plan(dev_episodes):
    return Plan(dev_episodes[:3], TASKS, SOUND, Mode.DIALOGUE, seed=0, limit=12)


def contender(name, engine=None):
    made = engine or make_engine(name)
    return Contender(name, "zero-shot", name, lambda group: made.for_group(group))


def score(plan, contenders, folder):
    return score_run([(plan, [entrant(plan, one) for one in contenders])], folder)


def test_every_instance_is_answered_scored_and_counted(plan, tmp_path):
    contenders = [contender(name) for name in ("embedded", "majority", "random", "nearest")]
    answer(plan, contenders, tmp_path)
    results = score(plan, contenders, tmp_path)
    total = {task: sum(i.task == task for i in plan.instances) for task in TASKS}

    for engine in ("embedded", "majority", "random", "nearest"):
        for task in TASKS:
            rows = [r for r in results.results if (r.engine, r.task, r.scenario) == (engine, task, "all")]
            assert rows
            assert all(r.n + r.unscored == total[task] for r in rows)
            assert all(r.parse_failed == 0 for r in rows)
    judged = [r for r in results.results if r.metric in ("judge", "s_emo", "s_er")]
    assert judged
    assert all(r.value is None and r.n == 0 for r in judged)


def test_the_files_are_the_contract(plan, tmp_path):
    majority = [contender("majority")]
    answer(plan, majority, tmp_path)
    score(plan, majority, tmp_path)
    line = json.loads((tmp_path / "predictions.jsonl").read_text(encoding="utf-8").splitlines()[0])
    document = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))

    assert list(line) == ["engine", "task", "protocol", "instance_id", "input_hash", "gold", "prediction", "scores", "status"]
    assert set(document) == {"schema", "run", "results"}
    assert document["schema"] == 1
    assert set(document["results"][0]) == {
        "engine", "task", "protocol", "setting", "scenario", "metric", "value", "low", "high", "n", "unscored", "parse_failed",
    }  # fmt: skip
    assert {"versions", "git", "seed", "data_sha256", "prompts", "tokens"} <= set(document["run"])
    assert read_results(tmp_path).results


class Failing:
    """An engine whose endpoint answers nonsense to some questions and not at all to others."""

    name, deterministic = "failing", True

    def __init__(self, inner):
        self._inner, self._asked = inner, 0

    def for_group(self, group):
        return self

    def decide_intervention(self, moment):
        self._asked += 1
        if self._asked % 3 == 0:
            raise UnparsedReply("no JSON in the reply")
        if self._asked % 3 == 1:
            raise EndpointError("no answer")
        return self._inner.decide_intervention(moment)


def test_unread_answers_are_wrong_and_missing_ones_unscored(dev_episodes, tmp_path):
    plan = Plan(dev_episodes[:2], [TaskName.ITP], SOUND, Mode.DIALOGUE, seed=0, limit=9)
    failing = [contender("failing", Failing(make_engine("majority")))]
    answer(plan, failing, tmp_path)
    rows = [r for r in score(plan, failing, tmp_path).results if r.scenario == "all" and r.metric == "f1"]

    assert [(r.n, r.unscored, r.parse_failed) for r in rows] == [(6, 3, 3)]
    statuses = [p.status for p in read_predictions(tmp_path / "predictions.jsonl")[0]]
    assert sorted(statuses) == ["ok"] * 3 + ["parse_failed"] * 3 + ["unscored"] * 3


def test_a_second_run_asks_only_what_got_no_answer(dev_episodes, tmp_path):
    plan = Plan(dev_episodes[:2], [TaskName.ITP], SOUND, Mode.DIALOGUE, seed=0, limit=9)
    answer(plan, [contender("failing", Failing(make_engine("majority")))], tmp_path)
    again = Failing(make_engine("majority"))
    answer(plan, [contender("failing", again)], tmp_path)

    assert again._asked == 3


SCRIPT = """
import sys
from pathlib import Path
from eval.engines import Contender
from eval.instances import SOUND, TaskName
from eval.plan import Plan
from eval.run import answer
from rescue_agent.corpus.splits import bundled_episodes
from rescue_agent.engines.registry import make_engine
from rescue_agent.moment import Mode, Moment
made = make_engine("random")
plan = Plan(bundled_episodes("dev")[:6], list(TaskName), SOUND, Mode.DIALOGUE, seed=0)
def slowly(answers, total, what):
    for i, one in enumerate(answers):
        yield one
        if i == 40:
            print("going", flush=True)
            if sys.argv[2] == "hang":
                sys.stdin.read()
answer(plan, [Contender("random", "zero-shot", "random", made.for_group)], Path(sys.argv[1]), progress=slowly)
"""


def test_many_questions_at_once_give_the_same_file(plan, tmp_path):
    answer(plan, [contender("majority")], tmp_path / "one")
    answer(plan, [contender("majority")], tmp_path / "many", concurrency=8)

    assert (tmp_path / "one" / "predictions.jsonl").read_bytes() == (tmp_path / "many" / "predictions.jsonl").read_bytes()


def test_both_protocols_live_in_one_folder(dev_episodes, tmp_path):
    for protocol in (SOUND, PAPER, SOUND):
        plan = Plan(dev_episodes[:2], [TaskName.RPP, TaskName.ITP], protocol, Mode.DIALOGUE, seed=0)
        answer(plan, [contender("majority")], tmp_path)
    protocols = [p.protocol for p in read_predictions(tmp_path / "predictions.jsonl")[0]]

    assert set(protocols) == {"paper", "sound"}


def test_engines_are_supervised_on_their_own_corpus_and_refused_on_their_training_groups(dev_episodes, training_episodes, couple):
    assert shipped("embedded", dev_episodes[:1]).setting == "supervised"
    assert shipped("embedded", [couple]).setting == "zero-shot"
    with pytest.raises(InputError, match=r"it was trained on 1 of these groups"):
        shipped("embedded", training_episodes[:1])


def test_fitting_on_the_group_under_test_is_refused(dev_episodes):
    with pytest.raises(InputError, match=r"--fit-on: holds the group"):
        fitted_on("majority", dev_episodes[:2], dev_episodes[:1], seed=0)


def test_cross_validation_never_trains_on_the_group_under_test(dev_episodes):
    groups = {e.sample_id: e.group for e in dev_episodes}
    made = cross_validated("nearest", dev_episodes, groups, seed=0)

    assert made.setting == "supervised"
    for episode in dev_episodes[:3]:
        recalled = made.for_group(episode.group).recall(Moment.at(episode, len(episode.rows), with_current=False))
        assert recalled
        assert all(r.sample_id != episode.sample_id for r in recalled)
    with pytest.raises(InputError, match="at least 2 are needed"):
        cross_validated("nearest", dev_episodes[:1], {dev_episodes[0].sample_id: dev_episodes[0].group}, seed=0)


def test_another_systems_answers_get_the_same_tables(plan, tmp_path):
    wanted = plan.instances
    answers = {
        TaskName.ER: lambda i: i.gold,
        TaskName.VP: lambda i: i.gold,
        TaskName.ITP: lambda i: i.gold,
        TaskName.RPP: lambda i: {"ranking": [i.gold["label"]]},
        TaskName.STP: lambda i: {"ranking": [i.gold["label"]]},
        TaskName.SSP: lambda i: "not an object",
    }
    path = tmp_path / "theirs.jsonl"
    lines = [
        json.dumps({"instance_id": i.instance_id, "answer": answers[i.task](i)})
        for i in wanted
        if i.task is not TaskName.VP or wanted.index(i) % 2
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    theirs = add_outside(plan, path, tmp_path)
    rows = {(r.task, r.metric): r for r in score_run([(plan, [theirs])], tmp_path).results if r.scenario == "all"}

    assert rows[TaskName.ER, "intensity_match"].value == 5
    assert rows[TaskName.ITP, "f1"].value == 1
    assert rows[TaskName.RPP, "accuracy"].value == 1
    assert rows[TaskName.RPP, "brier"].value is None
    assert rows[TaskName.VP, "pair_f1"].value == 1
    assert rows[TaskName.VP, "pair_f1"].unscored > 0
    assert rows[TaskName.SSP, "recall_at_1"].value == 0
    assert rows[TaskName.SSP, "recall_at_1"].parse_failed == rows[TaskName.SSP, "recall_at_1"].n


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "not of the form"),
        ('{"instance_id": "x"}', "not of the form"),
        ('{"instance_id": "er:nobody:1@0", "answer": {}}', "there is no instance"),
    ],
)
def test_a_bad_line_of_another_system_is_named(plan, tmp_path, line, problem):
    (tmp_path / "theirs.jsonl").write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=rf"theirs.jsonl:2: {problem}"):
        outside_predictions(tmp_path / "theirs.jsonl", "theirs", plan)


def test_the_report_is_whole_and_holds_text_as_text(couple, tmp_path):
    named = Episode.model_validate(json.loads(couple.model_dump_json().replace("Orla", "<script>x</script>")))
    plan = Plan([named], TASKS, PAPER, Mode.DIALOGUE, seed=0)
    majority = [contender("majority")]
    answer(plan, majority, tmp_path)
    paths = write_report(tmp_path, score(plan, majority, tmp_path), [plan])
    page = (tmp_path / "report.html").read_text(encoding="utf-8")

    assert [p.name for p in paths] == ["report.md", "report.csv", "labels.csv", "report.html"]
    assert "<script" not in page
    assert "http" not in page
    assert "GPT-4o (published)" in page
    assert all(f'<section id="paper-{task}">' in page for task in TASKS)


def test_spreadsheets_run_nothing():
    assert [plain_cell(v) for v in ("=1+1", "-x", "@a", "fine", -1.5)] == ["'=1+1", "'-x", "'@a", "fine", -1.5]


@pytest.mark.parametrize(
    ("task", "metric", "mean"),
    [
        ("itp", "f1", 0.8262),
        ("rpp", "accuracy", 0.4045),
        ("stp", "recall_at_1", 0.6434),
        ("stp", "mrr_at_3", 0.7835),
        ("ssp", "recall_at_1", 0.3188),
        ("ssp", "mrr_at_3", 0.4496),
        ("er", "s_er", 4.05),
        ("vp", "judge", 3.58),
    ],
)
def test_the_published_table_has_the_papers_means(task, metric, mean):
    assert published_mean(TaskName(task), metric) == pytest.approx(mean, abs=0.006)
