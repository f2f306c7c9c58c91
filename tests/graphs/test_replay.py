"""Replay over invented episodes with the real engine."""

import json

import pytest

from graphs.replay import replay
from rescue_agent.taxonomy import pattern_names, strategy_names

CORRUPTED = {"dialogue_cleaned": "something else entirely", "utterance_type": "other", "support_strategy": (), "relation_cycle_state": ""}


def test_every_participants_row_gets_a_whole_decision(engine, dev_episodes):
    for episode in dev_episodes[:3]:
        records = list(replay(episode, engine))
        assert [r.row_index for r in records] == [row.row_index for _, row in episode.client_rows()]
        for record in records:
            assert sum(record.pattern.probabilities.values()) == pytest.approx(1, abs=1e-6)
            assert set(record.pattern.probabilities) == set(pattern_names(episode.scenario))
            assert {label for label, _ in record.strategy.ranking} == set(strategy_names(episode.scenario))
            assert sum(p for _, p in record.target.ranking) == pytest.approx(1, abs=1e-6)


def test_the_record_is_the_contract(engine, couple):
    record = json.loads(next(replay(couple, engine)).model_dump_json())

    assert list(record) == [
        "schema", "sample_id", "row_index", "speaker", "engine", "emotion", "viewpoints", "pattern", "relation", "intervene", "target",
        "strategy", "reply", "safety", "human",
    ]  # fmt: skip
    assert record["schema"] == 1
    assert set(record["emotion"]) == {"person", "description", "intensity", "reason"}
    assert set(record["viewpoints"][0]) == {"source", "target", "viewpoint", "attitude", "probability"}
    assert set(record["pattern"]) == {"label", "probabilities", "reason"}
    assert set(record["relation"][0]) == {"source", "target", "warmth", "tension", "alignment", "viewpoint"}
    assert set(record["intervene"]) == {"speak", "probability", "reason"}
    assert set(record["target"]) == {"ranking", "reason"}
    assert set(record["safety"]) == {"level", "families"}
    assert record["human"] == {"spoke": False, "target": None, "strategy": None, "text": None}


def test_a_corrupted_future_changes_nothing_before_it(engine, dev_episodes):
    episode = dev_episodes[1]
    cut = len(episode.rows) // 2
    future = tuple(row.model_copy(update=CORRUPTED) for row in episode.rows[cut:])
    corrupted = episode.model_copy(update={"rows": (*episode.rows[:cut], *future)})
    # the human supporter's move right behind a row is shown beside the decision, and only there
    mine, theirs = ([r.model_copy(update={"human": None}) for r in replay(e, engine)] for e in (episode, corrupted))
    before = [r for r in mine if r.row_index < episode.rows[cut].row_index]

    assert before
    assert before == theirs[: len(before)]


def test_what_the_human_supporter_did_stands_beside_the_decision(engine, couple):
    records = list(replay(couple, engine))

    assert [r.human.spoke for r in records] == [False, True, False, True, False]
    assert (records[1].human.strategy, records[1].human.target) == ("track", "Couple")
    assert records[3].human.text.startswith("Would you tell Orla")


def test_the_agent_speaks_instead_of_the_human_supporter(engine, dev_episodes):
    episode = dev_episodes[0]
    records = list(replay(episode, engine, follow="agent"))
    spoken = [r.reply for r in records if r.reply]

    assert spoken
    assert not any(r.human.spoke for r in records)
    supporter = {row.dialogue_cleaned for row in episode.rows if row.by_supporter}
    assert not supporter & set(spoken)


def test_a_hold_says_nothing_but_names_what_it_would_have_done(engine, dev_episodes):
    holds = [r for e in dev_episodes[:3] for r in replay(e, engine) if not r.intervene.speak and r.safety.level == "none"]

    assert holds
    for record in holds:
        assert record.reply is None
        assert record.intervene.reason.startswith("hold: ")
        assert record.target.ranking
        assert record.strategy.ranking


def test_no_reply_repeats_one_of_the_last_five(engine, dev_episodes):
    for episode in dev_episodes[:4]:
        spoken = [r.reply for r in replay(episode, engine) if r.reply and r.safety.level == "none"]
        for i, text in enumerate(spoken):
            assert text not in spoken[max(0, i - 5) : i]
