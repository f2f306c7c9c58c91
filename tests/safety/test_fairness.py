"""Swaps and balance: what is swapped in a conversation swaps every figure and every decision with it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.fairness import session_notes
from graphs.replay import replay
from rescue_agent.engines.registry import make_engine
from rescue_agent.engines.swaps import swap_consistency
from rescue_agent.moment import Mode, Moment, Utterance
from rescue_agent.safety.fairness import balance, with_gender_swapped, with_names_swapped, with_order_reversed

PEOPLE = ("Ann", "Ann-Marie", "Jo")
SAID = Utterance(speaker="Ann", target=("Jo",), text="Ann-Marie said he took her keys, Jo. His, I mean.")
MOMENT = Moment(scenario="family", participants=PEOPLE, current=SAID)


def test_names_are_swapped_everywhere_and_places_with_them():
    swapped = with_names_swapped(MOMENT, "Ann", "Ann-Marie")

    assert swapped.participants == ("Ann-Marie", "Ann", "Jo")
    assert (swapped.current.speaker, swapped.current.text) == ("Ann-Marie", "Ann said he took her keys, Jo. His, I mean.")
    assert with_names_swapped(swapped, "Ann", "Ann-Marie") == MOMENT


def test_gender_and_order():
    assert with_gender_swapped(MOMENT).current.text == "Ann-Marie said she took his keys, Jo. Her, I mean."
    assert with_order_reversed(MOMENT).participants == PEOPLE[::-1]


def turn(speaker, *target, text="one two three"):
    return Utterance(speaker=speaker, target=target, text=text)


def test_even_attention_is_zero_and_one_sided_attention_is_not():
    even = [turn("Therapist", "A", text="What now?"), turn("Therapist", "B", text="What then?"), turn("Therapist", "Couple")]
    assert balance(("A", "B"), even).index == 0

    sided = [turn("Therapist", "A", text="What now?")] * 6 + [turn("A", "B")]
    found = balance(("A", "B"), sided, ["evoke"] * 6)
    assert (found.index, found.alarm) == (0.5, True)
    assert found.attention[0].validations == 6
    assert found.attention[0].talk_share == 1
    assert not balance(("A", "B"), sided[:5]).alarm
    assert balance(("A", "B"), [turn("A", "B")]).index is None


TURNS = st.lists(
    st.tuples(
        st.sampled_from(["A", "B", "C", "Therapist"]),
        st.sampled_from(["A", "B", "C", "Family"]),
        st.sampled_from(["yes", "why now?", "a b c"]),
    )
)


@given(TURNS)
def test_swapping_two_people_swaps_every_figure(turns):
    names = {"A": "B", "B": "A"}
    people = ("A", "B", "C")
    before = balance(people, [turn(s, t, text=w) for s, t, w in turns])
    after = balance(people, [turn(names.get(s, s), names.get(t, t), text=w) for s, t, w in turns])

    figures = {one.person: one.model_copy(update={"person": ""}) for one in before.attention}
    swapped = {names.get(one.person, one.person): one.model_copy(update={"person": ""}) for one in after.attention}
    assert figures == swapped
    assert after.index == pytest.approx(before.index) if before.index is not None else after.index is None


def test_the_embedded_engine_decides_alike_whoever_is_swapped(engine, dev_episodes):
    moments = [Moment.at(e, i, with_current=True, window=20) for e in dev_episodes for i, _ in e.client_rows()][::4]
    found = swap_consistency((engine, moment) for moment in moments)

    assert sum(found.n.values()) == 3 * len(moments)
    assert found.share == 1


def test_an_engine_that_looks_at_names_is_found(dev_episodes):
    moments = [Moment.at(dev_episodes[0], i, with_current=True) for i, _ in dev_episodes[0].client_rows()][:5]
    found = swap_consistency((make_engine("random"), moment) for moment in moments)

    assert found.share < 0.5


def test_a_replay_ends_with_its_fairness(engine, couple):
    records = list(replay(couple, engine))
    notes = list(session_notes(couple, records, engine, Mode.DIALOGUE, follows_script=True))

    assert notes[0] == "swap consistency: names 5/5, order 5/5, gender 5/5"
    assert notes[1].startswith("balance index, human supporter: ")
    assert notes[2].startswith("balance index, agent: ")
