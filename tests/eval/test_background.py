"""A scoring run in the background: the same scores as in the foreground, one at a time, and a stop between two questions."""

import threading

import pytest

from eval.background import BackgroundRun, beside
from eval.engines import shipped
from eval.instances import PROTOCOLS, TaskName
from eval.plan import Plan
from eval.run import answer, entrant, score
from rescue_agent.corpus.splits import bundled_episodes
from rescue_agent.moment import Mode


@pytest.fixture
def plan():
    return Plan(bundled_episodes("test"), [TaskName.ITP], PROTOCOLS["sound"], Mode.DIALOGUE, 0, 6)


def test_its_scores_are_those_of_the_command(engine, plan, tmp_path):
    run = BackgroundRun(plan, "embedded")
    assert run.start()
    run.wait()
    contenders = [shipped(name, plan.episodes) for name in ("embedded", "majority", "random", "nearest")]
    answer(plan, contenders, tmp_path)
    expected = score([(plan, [entrant(plan, contender) for contender in contenders])], tmp_path)

    assert run.progress.phase == "done"
    assert (run.progress.done, run.progress.total) == (24, 24)
    assert run.results.results == expected.results


class Halting(BackgroundRun):
    """Stops itself after its fifth answer, where a person would press the button."""

    def _watched(self, items, total, what, /):
        for item in super()._watched(items, total, what):
            if self.progress.done == 5:
                self.stop()
            yield item


def test_a_stop_comes_before_the_next_question_and_nothing_is_scored(engine, plan):
    run = Halting(plan, "embedded")
    run.start()
    run.wait()

    assert run.progress.phase == "stopped"
    assert run.progress.done == 5
    assert run.results is None


class Waiting(BackgroundRun):
    """Waits before its first answer until it may go on."""

    def __init__(self, *given):
        super().__init__(*given)
        self.may_go_on = threading.Event()

    def _watched(self, items, total, what, /):
        self.may_go_on.wait()
        return super()._watched(items, total, what)


def test_only_one_run_is_under_way(engine, plan):
    first, second = Waiting(plan, "majority"), BackgroundRun(plan, "majority")
    assert first.start()
    assert not second.start()
    first.may_go_on.set()
    first.wait()

    third = BackgroundRun(plan, "majority")
    assert third.start()
    third.wait()
    assert third.progress.phase == "done"


def test_what_a_user_can_mend_is_told_in_one_line(engine, plan):
    run = BackgroundRun(plan, "llm")
    run.start()
    run.wait()

    assert run.progress.phase == "failed"
    assert run.progress.why.startswith("no language model: set OPENAI_BASE_URL")


def test_results_side_by_side_tell_whose_an_engine_is(engine, plan):
    run = BackgroundRun(plan, "majority")
    run.start()
    run.wait()

    assert beside([("a", run.results)]) == run.results
    names = {row.engine for row in beside([("a", run.results), ("b", run.results)]).results}
    assert {"majority (a)", "majority (b)"} <= names
