import pytest

from eval.compare import differences
from eval.engines import Contender
from eval.instances import SOUND, TaskName
from eval.plan import Plan
from eval.run import answer, entrant, score
from rescue_agent.engines.registry import make_engine
from rescue_agent.errors import InputError
from rescue_agent.moment import Mode


def scored(episodes, names, folder):
    plan = Plan(episodes, [TaskName.RPP, TaskName.ITP], SOUND, Mode.DIALOGUE, seed=0)
    contenders = [Contender(name, "zero-shot", name, make_engine(name).for_group) for name in names]
    answer(plan, contenders, folder)
    score([(plan, [entrant(plan, one) for one in contenders])], folder)
    return folder


def test_two_runs_are_compared_on_the_same_instances(dev_episodes, tmp_path):
    one = scored(dev_episodes[:3], ["majority"], tmp_path / "one")
    two = scored(dev_episodes[:3], ["majority", "random"], tmp_path / "two")
    found = {(d.one, d.task, d.metric): d for d in differences([one, two])}

    same = found["two/majority (zero-shot)", TaskName.RPP, "accuracy"].difference
    assert (same.value, same.low, same.high) == (0, 0, 0)
    other = found["two/random (zero-shot)", TaskName.RPP, "accuracy"]
    assert other.other == "one/majority (zero-shot)"
    assert other.n > 10
    assert other.difference.low <= other.difference.value <= other.difference.high


def test_runs_on_other_data_are_not_compared(dev_episodes, tmp_path):
    one, two = (scored([episode], ["majority"], tmp_path / episode.group) for episode in dev_episodes[:2])
    with pytest.raises(InputError, match="have no instance in common"):
        list(differences([one, two]))
