"""Instances by the rules, counted by hand on a small episode that holds every edge; and what may not leak into an input."""

import pytest

from eval.instances import PAPER, PROTOCOLS, SOUND, Source, TaskName, evenly_spaced
from eval.runner import build_instances
from eval.tasks import TASKS
from rescue_agent.corpus.screenplay import parse
from rescue_agent.moment import Mode

EDGES = """=== edge/1
scenario: couple
people: Ada, Ben

Ada > Ben: First words of the first row here.
  feels glad @3 | sees Ben: he listens ~ warm
Therapist > Ada: Before anybody has a label.
  move track: no target of its own, so the row's
Ada > Ben: Another row with enough words in it.
  feels(Ben) cross @4
Ben > Ada: Two words.
  feels cross @4.6
Ben > Ada: A third client row in one go.
  feels cross | sees(Ada) Ben: he sulks ~ cross
Therapist > Ada, Ben: To both of them by name.
  move hug > Ada: no label of the taxonomy | move evoke > Ada, Ben: two people are the group
  cycle pursue_withdraw (3): as it is
Ben > Therapist: The last but one row, by a client.
  feels calm @10.4 | sees Ada: she waits ~ calm
Therapist > Zed: To somebody who never speaks.
  move reframe > Zed: does not resolve | cycle odd_label (3): not of the taxonomy
Ada > Ben: The last row has no next one.
  feels calm @11 | sees Ada: herself ~ odd
"""


@pytest.fixture
def edges():
    return parse(EDGES)[0]


def rows_of(task, episode, protocol):
    source = Source(episode, "edge", protocol, Mode.DIALOGUE)
    return [int(i.instance_id.rsplit("@", 1)[1]) + 1 for i in TASKS[task].build(source)]


@pytest.mark.parametrize(
    ("task", "paper", "sound"),
    [
        # 9 rows: the paper drops row_index < ceil(2.7) + 1 = 4. Row 3's emotion is Ben's, row 4 has two words, row 5 no number,
        # row 9's 11 is out of range; 10.4 rounds to 10 and counts
        (TaskName.ER, [7], [1, 7]),
        # row 5's viewpoint is Ada's while Ben speaks; row 9's is of its speaker (about herself: still an instance)
        (TaskName.VP, [1, 7, 9], [1, 7, 9]),
        # row 8's label is not of the taxonomy
        (TaskName.RPP, [6], [6]),
        # client rows with a next one: 1 speaks, 3 holds, 4 holds, 5 speaks, 7 speaks; the paper keeps two of each, evenly spaced
        (TaskName.ITP, [1, 3, 4, 7], [1, 3, 4, 5, 7]),
        # row 8's target never speaks and is not listed
        (TaskName.STP, [2, 6], [2, 6]),
        (TaskName.SSP, [2, 6], [2, 6]),
    ],
)
def test_instances_counted_by_hand(edges, task, paper, sound):
    assert rows_of(task, edges, PAPER) == paper
    assert rows_of(task, edges, SOUND) == sound


def test_gold_by_hand(edges):
    source = Source(edges, "edge", SOUND, Mode.DIALOGUE)
    gold = {task: [i.gold for i in TASKS[task].build(source)] for task in TaskName}

    assert gold[TaskName.STP] == [{"label": "Ada"}, {"label": "Couple"}]
    assert gold[TaskName.SSP] == [{"label": "track"}, {"label": "evoke"}]
    assert gold[TaskName.ITP] == [{"speak": s} for s in (True, False, False, True, True)]
    assert gold[TaskName.ER][1] == {"description": "calm", "intensity": 10.4}


@pytest.mark.parametrize(
    ("n", "count", "expected"), [(9, 5, [0, 2, 4, 6, 8]), (6, 5, [0, 1, 2, 4, 5]), (3, 5, [0, 1, 2]), (4, 1, [0]), (4, 2, [0, 3])]
)
def test_checkpoints_are_evenly_spaced(n, count, expected):
    assert evenly_spaced(list(range(n)), count) == expected


def test_the_paper_takes_at_most_five_of_er_and_vp(dev_episodes):
    for episode in dev_episodes:
        for task in (TaskName.ER, TaskName.VP):
            assert len(rows_of(task, episode, PAPER)) <= 5


def test_the_balanced_task_is_balanced(dev_episodes):
    for episode in dev_episodes:
        golds = [i.gold["speak"] for i in TASKS[TaskName.ITP].build(Source(episode, "g", PAPER, Mode.DIALOGUE))]
        assert golds.count(True) == golds.count(False)


def corrupted(episode, position, with_current):
    """Everything an engine must not see at `position`, changed: later rows, every annotation, times, indices, ids, meta."""
    visible = position + with_current
    rows = []
    for i, row in enumerate(episode.rows):
        changed = {
            "utterance_type": "other",
            "internal_emotion": (),
            "viewpoints_attitudes": (),
            "relation_cycle_state": "",
            "relation_pattern": "mixed_transition",
            "start_time": -1.0,
            "row_index": row.row_index + 1000,
            "meta": {"leak": "changed"},
        }
        if not (i == position and row.by_supporter):
            changed["support_strategy"] = ()
        if i >= visible:
            changed |= {"dialogue_cleaned": "changed", "tone_of_voice": "changed", "background_dialogue": ()}
        if i > position:
            changed |= {"primary_speaker": "Ada", "target": ()}
        rows.append(row.model_copy(update=changed))
    return episode.model_copy(update={"rows": tuple(rows), "sample_id": "other/2", "source_file": "other", "meta": {"leak": "changed"}})


@pytest.mark.parametrize("protocol", PROTOCOLS.values(), ids=list(PROTOCOLS))
@pytest.mark.parametrize("task", list(TaskName))
def test_nothing_that_an_engine_must_not_see_reaches_its_input(dev_episodes, task, protocol):
    """The moment at each instance is rebuilt from an episode in which everything hidden is changed, and is the same to the byte."""
    seen = 0
    for episode in dev_episodes[:4]:
        for instance in TASKS[task].build(Source(episode, "g", protocol, Mode.AUDIOVISUAL)):
            position = int(instance.instance_id.rsplit("@", 1)[1])
            current = instance.moment.current is not None
            source = Source(corrupted(episode, position, current), "h", protocol, Mode.AUDIOVISUAL)
            window = -1 if task is TaskName.RPP else None
            rebuilt = source.instance(task, position, {}, with_current=current, window=window)
            assert rebuilt.moment.model_dump_json() == instance.moment.model_dump_json()
            seen += 1
    assert seen > 10


def test_candidates_of_the_sound_protocol_are_known_by_then(edges):
    visitor = edges.rows[8].model_copy(update={"primary_speaker": "Late"})
    episode = edges.model_copy(update={"rows": (*edges.rows[:8], visitor)})
    sound = [i.candidates for i in TASKS[TaskName.STP].build(Source(episode, "g", SOUND, Mode.DIALOGUE))]
    paper = [i.candidates for i in TASKS[TaskName.STP].build(Source(episode, "g", PAPER, Mode.DIALOGUE))]

    assert sound == [("Ada", "Ben", "Couple")] * 2
    assert paper == [("Ada", "Ben", "Late", "Couple")] * 2


def test_ids_and_hashes_do_not_depend_on_the_order_or_the_gold(dev_episodes):
    sources = [Source(e, e.group, SOUND, Mode.DIALOGUE) for e in dev_episodes[:3]]
    forward = {i.instance_id: i.input_hash("c") for i in build_instances(sources, list(TaskName))}
    backward = {i.instance_id: i.input_hash("c") for i in build_instances(sources[::-1], list(TaskName)[::-1])}

    assert forward == backward
    assert len(forward) == len(build_instances(sources, list(TaskName)))


def test_an_id_tells_nothing_of_the_answer(dev_episodes):
    for task in TaskName:
        for instance in TASKS[task].build(Source(dev_episodes[0], "g", SOUND, Mode.DIALOGUE)):
            assert instance.instance_id == f"{task}:{dev_episodes[0].sample_id}:{instance.instance_id.split(':')[2]}"
