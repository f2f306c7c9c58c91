import pytest

from rescue_agent.moment import Mode, Moment, Utterance


def test_a_moment_never_shows_a_later_row(couple):
    moment = Moment.at(couple, 3, with_current=True)

    assert [u.text for u in moment.utterances] == [row.dialogue_cleaned for row in couple.rows[:4]]


def test_corrupting_the_future_and_every_annotation_leaves_the_moment_as_it_is(couple):
    later = [row.model_copy(update={"dialogue_cleaned": "changed", "primary_speaker": "Nobody"}) for row in couple.rows[4:]]
    bare = [
        row.model_copy(
            update={
                "utterance_type": "other",
                "internal_emotion": (),
                "viewpoints_attitudes": (),
                "support_strategy": (),
                "relation_cycle_state": "attack_attack",
                "relation_cycle_reason": "changed",
                "start_time": 99.0,
                "row_index": 77,
                "meta": {"gold": "changed"},
            }
        )
        for row in couple.rows[:4]
    ]
    corrupted = couple.model_copy(update={"rows": (*bare, *later), "sample_id": "other/9", "meta": {"x": 1}})

    for with_current, window in ((True, -1), (False, -1), (True, 3), (False, 3)):
        before = Moment.at(couple, 3, with_current=with_current, window=window)
        after = Moment.at(corrupted, 3, with_current=with_current, window=window)
        assert before.model_dump_json() == after.model_dump_json()


@pytest.mark.parametrize(("mode", "tone"), [("dialogue", ""), ("audio", "sharp"), ("visual", ""), ("audiovisual", "sharp")])
def test_a_mode_shows_its_cues_only(couple, mode, tone):
    assert Utterance.of(couple.rows[0], Mode(mode)).tone == tone


def test_the_window_counts_rows_before_the_current_one(couple):
    moment = Moment.at(couple, 5, with_current=True, window=3)

    assert len(moment.context) == 3
    assert moment.current is not None
    assert moment.context[-1].text == couple.rows[4].dialogue_cleaned


def test_whoever_has_spoken_is_known_though_the_list_misses_them(couple):
    visitor = couple.rows[0].model_copy(update={"primary_speaker": "Aunt"})
    episode = couple.model_copy(update={"rows": (*couple.rows[:2], visitor, *couple.rows[3:])})

    assert "Aunt" not in Moment.at(episode, 2, with_current=False).participants
    assert Moment.at(episode, 2, with_current=True).candidates == ("Orla", "Pavel", "Aunt", "Couple")


def test_a_position_outside_the_episode_is_an_error(couple):
    with pytest.raises(IndexError, match="outside 'test_couple/1' with 7 rows"):
        Moment.at(couple, 7, with_current=True)
