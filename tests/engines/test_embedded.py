"""The embedded engine as a user has it: shipped heads, real index, real embeddings."""

import pytest

from rescue_agent.decisions import ReplyPlan
from rescue_agent.engines.protocol import Engine
from rescue_agent.moment import Mode, Moment, Utterance
from rescue_agent.taxonomy import pattern_names, strategy_names


def moments(episode, window=-1):
    return [Moment.at(episode, i, with_current=True, window=window) for i, _ in episode.client_rows()]


def decisions(engine, moment):
    """Everything the engine says of a moment, as text: for comparing to the last bit."""
    target = engine.rank_targets(moment, moment.candidates)
    strategy = engine.rank_strategies(moment, target.best)
    emotion, views, pattern = engine.recognise_emotion(moment), engine.predict_viewpoints(moment), engine.predict_pattern(moment)
    plan = ReplyPlan(target=target.best, strategy=strategy.best, pattern=pattern.best, emotions=(emotion,), viewpoints=views)
    said = "".join(engine.write_reply(moment, plan))
    parts = (emotion, *views, pattern, engine.follow_relation(moment), engine.decide_intervention(moment), target, strategy)
    return "\n".join([*(part.model_dump_json() for part in parts), said])


def test_it_is_an_engine(engine):
    assert isinstance(engine, Engine)


def test_every_label_of_the_scenario_is_ranked(engine, dev_episodes):
    for episode in dev_episodes[:4]:
        moment = moments(episode)[-1]
        assert set(engine.predict_pattern(moment).probabilities) == set(pattern_names(episode.scenario))
        assert set(engine.rank_strategies(moment, moment.group_label).probabilities) == set(strategy_names(episode.scenario))
        assert set(engine.rank_targets(moment, moment.candidates).probabilities) == set(moment.candidates)


def test_the_same_moment_gets_the_same_answer_byte_for_byte(engine, dev_episodes):
    from rescue_agent.embedding import Embedder
    from rescue_agent.engines.embedded.engine import EmbeddedEngine

    fresh = EmbeddedEngine(Embedder(), engine.heads, engine.memory)
    episode = dev_episodes[0]
    in_order = [decisions(engine, moment) for moment in moments(episode)]
    # another process would meet the rows in another order, with nothing embedded yet
    backwards = [decisions(fresh, moment) for moment in reversed(moments(episode))]

    assert in_order == list(reversed(backwards))


def swapped(episode, first, second):
    """The episode with two people's names exchanged, in the list, the heads, the targets and the texts."""
    names = {first: second, second: first}
    text = episode.model_dump_json().replace(f"{first}", "\ue000").replace(second, first).replace("\ue000", second)
    other = type(episode).model_validate_json(text)
    return other.model_copy(update={"participants": tuple(reversed(other.participants))}), names


def test_swapping_two_names_swaps_every_decision(engine, dev_episodes):
    for episode in [e for e in dev_episodes if len(e.participants) == 2][:3]:
        first, second = episode.participants
        other, names = swapped(episode, first, second)
        for mine, theirs in zip(moments(episode)[::3], moments(other)[::3], strict=True):
            assert engine.recognise_emotion(mine).intensity == engine.recognise_emotion(theirs).intensity
            assert engine.decide_intervention(mine).probability == engine.decide_intervention(theirs).probability
            assert engine.predict_pattern(mine).ranking == engine.predict_pattern(theirs).ranking
            ranked = engine.rank_targets(mine, mine.candidates).probabilities
            expected = engine.rank_targets(theirs, theirs.candidates).probabilities
            assert {names.get(name, name): p for name, p in ranked.items()} == pytest.approx(expected, abs=1e-7)


def test_following_turn_by_turn_equals_reading_the_whole(engine, dev_episodes):
    episode = dev_episodes[0]
    state = None
    for i in range(len(episode.rows)):
        state = engine.follow_relation(Moment.at(episode, i, with_current=True, prior=state))

    whole = engine.follow_relation(Moment.at(episode, len(episode.rows), with_current=False))
    assert state == whole


def test_memory_never_recalls_the_group_under_test(engine, training_episodes):
    for episode in training_episodes[:6]:
        moment = moments(episode)[-1]
        assert any(r.sample_id == episode.sample_id for m in moments(episode) for r in engine.recall(m))
        assert all(r.sample_id != episode.sample_id for r in engine.for_group(episode.group).recall(moment))


def test_a_viewpoint_is_about_another_person_present(engine, dev_episodes):
    for episode in dev_episodes[:5]:
        for moment in moments(episode):
            for view in engine.predict_viewpoints(moment):
                assert view.source == moment.current.speaker
                assert view.target in set(moment.participants) - {view.source}
                assert view.viewpoint.startswith(view.target)


def test_cues_of_the_voice_change_what_is_read_only_where_they_are_heard(engine, couple):
    episode = couple
    heard = [Moment.at(episode, 0, with_current=True, mode=mode) for mode in (Mode.DIALOGUE, Mode.AUDIO)]
    intensities = [engine.recognise_emotion(moment).intensity for moment in heard]

    assert intensities[0] != intensities[1]
    assert engine.recognise_emotion(Moment.at(episode, 0, with_current=True, mode=Mode.VISUAL)).intensity == intensities[0]


def test_a_room_in_which_nobody_has_spoken_is_held(engine):
    moment = Moment(scenario="couple", participants=("Orla", "Pavel"))

    assert engine.decide_intervention(moment).speak is False
    assert engine.recall(moment) == ()


@pytest.mark.parametrize("text", ["", "...", "\u200b", "🙂🙂🙂", "x" * 5000, "こんにちは", "{name} %s {0}", "\\N{BELL}"])
def test_odd_text_is_read_like_any_other(engine, text):
    moment = Moment(scenario="family", participants=("Ada", "Ben", "Cyr"), current=Utterance(speaker="Ada", target=("Ben",), text=text))

    assert 0 <= engine.recognise_emotion(moment).intensity <= 10
    assert sum(engine.predict_pattern(moment).probabilities.values()) == pytest.approx(1, abs=1e-6)
