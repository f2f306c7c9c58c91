"""The six tasks under Inspect AI: the same instances and scores as `rescue-agent score`, by Inspect's own client of a scripted server."""

import json

import pytest

from eval.instances import TaskName
from tests.scripted_server import Script, serving

pytestmark = pytest.mark.llm
ANSWERS = {
    TaskName.ER: {"evidence": "e", "description": "hurt", "intensity": 6},
    TaskName.VP: {"evidence": "e", "viewpoints": []},
    TaskName.RPP: {"evidence": "e", "ranking": [{"label": "pursue_withdraw", "probability": 0.5}]},
    TaskName.ITP: {"evidence": "e", "speak": True, "probability": 0.9},
    TaskName.STP: {"evidence": "e", "ranking": [{"label": "GROUP", "probability": 0.5}]},
    TaskName.SSP: {"evidence": "e", "ranking": [{"label": "track", "probability": 0.5}]},
}


def run(name, text, tmp_path):
    # imported here: these tests are collected where the extra isn't installed, too
    from inspect_ai import eval as inspect_eval
    from inspect_ai.model import get_model

    from eval import inspect_tasks

    task = getattr(inspect_tasks, name.value)(data="open:dev", limit=4)
    with serving(Script(text)) as url:
        model = get_model("openai-api/scripted/m", base_url=url, api_key="k")
        (log,) = inspect_eval(task, model=model, log_dir=str(tmp_path), display="none")
    assert log.status == "success", log.error
    return log


@pytest.mark.parametrize("name", list(TaskName))
def test_a_task_runs_and_is_scored(name, tmp_path):
    log = run(name, json.dumps(ANSWERS[name]), tmp_path)

    scores = {score.name: score.metrics["mean"].value for score in log.results.scores}
    assert scores["parse_failed"] == 0
    assert len(scores) > 1
    assert len(log.samples) == 4


def test_what_cannot_be_read_counts_as_wrong(tmp_path):
    log = run(TaskName.ER, "no idea", tmp_path)

    scores = {score.name: score.metrics["mean"].value for score in log.results.scores}
    assert scores["parse_failed"] == 1
    assert scores["intensity_match"] == 1
