"""A replay row by row: the same decisions as the whole replay, worked out as far as somebody looked."""

import pytest

from graphs.record import DecisionRecord, HumanEntry
from graphs.replay import replay
from graphs.stepping import Stepping, differences


@pytest.fixture
def stepping(engine, couple):
    return Stepping(couple, engine)


def test_it_decides_what_the_replay_decides_in_whatever_order_rows_are_looked_at(engine, couple, stepping):
    whole = {record.row_index: record for record in replay(couple, engine)}
    for position in (4, 0, 6, 3, 1, 2, 5):
        assert stepping.at(position) == whole.get(couple.rows[position].row_index)


def test_nothing_is_decided_beyond_the_row_that_was_looked_at(stepping):
    stepping.at(1)

    assert list(stepping.known) == [0, 1]


def test_the_supporters_own_row_has_no_decision(couple, stepping):
    assert couple.rows[2].by_supporter
    assert stepping.at(2) is None


def changed(record: DecisionRecord, speak: bool, **human) -> DecisionRecord:
    intervene = record.intervene.model_copy(update={"speak": speak})
    return record.model_copy(update={"intervene": intervene, "human": HumanEntry(**human)})


def test_what_counts_as_a_difference(stepping):
    record = stepping.at(0)
    target, strategy = record.target.best, record.strategy.best
    other = record.strategy.ranking[-1][0]

    assert differences(changed(record, True, spoke=False)) == ("when",)
    assert differences(changed(record, False, spoke=True, target="Pavel", strategy=other)) == ("when",)
    assert differences(changed(record, False, spoke=False)) == ()
    assert differences(changed(record, True, spoke=True, target=target, strategy=strategy)) == ()
    assert differences(changed(record, True, spoke=True, target="Zed", strategy=strategy)) == ("whom",)
    assert differences(changed(record, True, spoke=True, target="Zed", strategy=other)) == ("whom", "how")
    assert differences(changed(record, True, spoke=True, target=target, strategy=None)) == ()


def test_the_next_difference_is_the_next_one_of_its_kind(engine, dev_episodes):
    stepping = Stepping(dev_episodes[0], engine)
    found, position = [], -1
    while (position := stepping.next_difference(position, ("when",))) is not None:
        found.append(position)

    assert found == [p for p, record in stepping.known.items() if record.intervene.speak != record.human.spoke]
    assert found
