"""The labelled phrases: their make-up, and what the guard finds of those that it was tuned on. SAFETY.md has the held-back figures."""

from collections import Counter

from eval.gates import KINDS, gates, phrases
from rescue_agent.safety.levels import Family, Level


def test_the_set_is_large_mixed_and_partly_held_back():
    counts = Counter(phrase.kind for phrase in phrases())

    assert len(phrases()) >= 600
    assert all(counts[kind] >= 140 for kind in KINDS)
    assert {phrase.language for phrase in phrases()} == {"en", "de"}
    assert {p.family for p in phrases()} == {*(family.value for family in Family), "none"}
    assert {p.level for p in phrases()} <= {level.name.lower() for level in Level}
    assert len({phrase.text for phrase in phrases()}) == len(phrases())
    assert 0.25 < sum(phrase.held_back for phrase in phrases()) / len(phrases()) < 0.35


def test_explicit_risk_and_hard_negatives_of_the_tuning_part_pass_their_gates():
    tuned = {gate.kind: gate for gate in gates() if gate.part == "used for tuning"}

    assert tuned["explicit"].passed, str(tuned["explicit"])
    assert tuned["negative"].passed, str(tuned["negative"])


def test_ordinary_quarrels_of_the_corpus_are_seldom_taken_for_danger():
    from rescue_agent.corpus.splits import bundled_episodes
    from rescue_agent.safety.screen import screen

    rows = [row for episode in bundled_episodes("all") for _, row in episode.client_rows()]
    found = sum(not screen(row.dialogue_cleaned).clear for row in rows)

    assert found / len(rows) <= 0.03
