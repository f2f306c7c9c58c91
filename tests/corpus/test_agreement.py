"""Agreement of a second reader, on hand-worked cases and on the bundled second pass."""

import pytest

from rescue_agent.corpus.agreement import SecondReading, agreement, read_second_pass
from rescue_agent.corpus.splits import bundled_episodes
from rescue_agent.errors import InputError

SAMPLE = "test_couple/1"


def test_hand_worked(couple):
    readings = [
        SecondReading(sample_id=SAMPLE, row_index=1, utterance_type="accusation", intensity=5),
        SecondReading(sample_id=SAMPLE, row_index=2, utterance_type="withdrawal"),
        SecondReading(sample_id=SAMPLE, row_index=3, pattern="pursue_withdraw", strategy="reframe", target="Couple"),
        SecondReading(sample_id=SAMPLE, row_index=6, pattern="repair_softening", strategy="enact", target="Pavel"),
    ]
    found = {one.field: one for one in agreement([couple], readings)}

    assert (found["pattern"].n, found["pattern"].accuracy, found["pattern"].kappa) == (2, 1.0, 1.0)
    assert (found["strategy"].n, found["strategy"].accuracy, found["strategy"].kappa) == (2, 0.5, pytest.approx(1 / 3))
    assert found["utterance_type"].accuracy == 0.5
    assert (found["intensity"].n, found["intensity"].one_sided, found["intensity"].mean_difference) == (1, 1, 2.0)


def test_a_row_that_is_not_there_is_named(couple):
    with pytest.raises(InputError, match="test_couple/1 has no row 99"):
        agreement([couple], [SecondReading(sample_id=SAMPLE, row_index=99)])


def test_a_broken_line_is_named(tmp_path):
    path = tmp_path / "second.jsonl"
    path.write_text('{"sample_id": "a/1", "row_index": 1}\n{"sample_id": 3}\n')

    with pytest.raises(InputError, match=r"second.jsonl:2"):
        read_second_pass(path)


def test_the_bundled_second_pass_covers_its_share_of_the_corpus():
    episodes, readings = bundled_episodes("all"), read_second_pass()

    assert len(readings) >= 0.15 * sum(len(episode.rows) for episode in episodes)
    assert {one.field: one.n for one in agreement(episodes, readings)}["pattern"] > 200
