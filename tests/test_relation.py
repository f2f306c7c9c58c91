import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rescue_agent.decisions import Edge
from rescue_agent.relation import RATE, filter_step, move_edge
from rescue_agent.taxonomy import UTTERANCE_TYPE_NAMES


def test_an_accusation_cools_the_edge_and_tightens_it():
    edge = move_edge(Edge(source="A", target="B"), {"accusation": 1.0}, intensity=10)

    assert edge.warmth == pytest.approx(-0.8 * RATE)
    assert edge.tension == pytest.approx(RATE)
    assert edge.alignment == pytest.approx(-0.7 * RATE)


def test_a_low_voice_tightens_the_edge_half_as_much():
    edge = move_edge(Edge(source="A", target="B"), {"accusation": 1.0}, intensity=0)

    assert edge.tension == pytest.approx(0.5 * RATE)


def test_an_unknown_viewpoint_leaves_the_earlier_one():
    edge = Edge(source="A", target="B", viewpoint="B listens")

    assert move_edge(edge, {}, 0).viewpoint == "B listens"


@given(st.lists(st.tuples(st.sampled_from(UTTERANCE_TYPE_NAMES), st.floats(0, 10)), max_size=60))
def test_edges_stay_in_their_ranges(moves):
    edge = Edge(source="A", target="B")
    for kind, intensity in moves:
        edge = move_edge(edge, {kind: 1.0}, intensity)

    assert -1 <= edge.warmth <= 1
    assert 0 <= edge.tension <= 1
    assert -1 <= edge.alignment <= 1


def test_the_filter_by_hand():
    belief = np.array([0.5, 0.5], dtype=np.float32)
    transition = np.array([[0.9, 0.1], [0.2, 0.8]], dtype=np.float32)
    posterior, shares = np.array([0.6, 0.4], dtype=np.float32), np.array([0.3, 0.7], dtype=np.float32)

    predicted = np.array([0.55, 0.45])
    weighed = predicted * (np.array([0.6 / 0.3, 0.4 / 0.7]) ** 0.5)

    assert filter_step(belief, transition, posterior, shares, 0.5) == pytest.approx(weighed / weighed.sum(), abs=1e-6)


def test_without_evidence_the_filter_only_follows_the_transitions():
    belief, shares = np.array([1.0, 0.0], dtype=np.float32), np.array([0.5, 0.5], dtype=np.float32)
    transition = np.array([[0.9, 0.1], [0.2, 0.8]], dtype=np.float32)

    assert filter_step(belief, transition, shares, shares, 1.0) == pytest.approx([0.9, 0.1])
