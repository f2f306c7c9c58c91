"""The statistics table, counted by hand on a short episode."""

import pytest

from rescue_agent.corpus.rescue import read_episodes
from rescue_agent.corpus.screenplay import parse
from rescue_agent.corpus.splits import OPEN
from rescue_agent.corpus.stats import PUBLISHED, statistics

FAMILY = """=== kin/1
scenario: family
people: Ada, Ben, Cyr

[0 .. 20] Ada > Ben: One two three four.
  type request | feels sad @4
[20 .. 30] Therapist > Family: One two.
  move boundary > Family: draws a line | cycle repair_softening (1): she asks
[30 .. 90] Ben > Ada: One two.
  type validation | feels glad @8 | sees Ada: she is kind ~ warm
"""


@pytest.fixture
def figures(couple):
    return {(f.scenario, f.measure): f for f in statistics([couple, parse(FAMILY)[0]])}


@pytest.mark.parametrize(
    ("scenario", "measure", "value"),
    [
        ("couple", "samples", 1),
        ("couple", "turns", 7),
        ("couple", "speakers a sample", 3),
        ("couple", "minutes", None),
        ("couple", "turns by the supporter", 100 * 2 / 7),
        ("couple", "turns with a relation state", 2),
        ("couple", "turns with a move", 2),
        ("couple", "pattern pursue_withdraw", 50),
        ("couple", "pattern attack_attack", 0),
        ("couple", "moves reframe, evoke, track, goal_align", 50),
        ("family", "minutes", 1.5),
        ("family", "words a turn, participants", 3),
        ("family", "words a turn, the supporter", 2),
        ("family", "participants' turns with a viewpoint", 50),
        ("family", "participants' turns with an emotion", 100),
        ("family", "mean intensity", 6),
        ("family", "move boundary", 100),
        ("family", "type request", 50),
    ],
)
def test_a_figure_is_what_one_counts_by_hand(figures, scenario, measure, value):
    assert figures[scenario, measure].value == (value if value is None else pytest.approx(value))


def test_every_published_figure_stands_beside_a_measured_one(figures):
    for published in PUBLISHED:
        figure = figures[published.scenario, published.measure]
        assert (figure.published, figure.source) == (published.value, published.source)


def test_label_shares_of_the_bundled_corpus_sum_to_a_hundred():
    figures = statistics(read_episodes(OPEN / "open.jsonl").episodes)
    for scenario in ("couple", "family"):
        for kind in ("pattern ", "move ", "type "):
            shares = [f.value for f in figures if f.scenario == scenario and f.measure.startswith(kind)]
            assert sum(shares) == pytest.approx(100)


def test_a_scenario_that_is_not_there_has_no_figures(couple):
    assert {figure.scenario for figure in statistics([couple])} == {"couple"}
