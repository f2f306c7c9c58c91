"""The labelled phrases: their make-up, and what the guard finds of those that it was tuned on. SAFETY.md has the held-back figures."""

from collections import Counter

import numpy as np

from eval.gates import gates
from rescue_agent.corpus.splits import bundled_episodes
from rescue_agent.embedding import default_embedder
from rescue_agent.safety.head import BUNDLED, RiskHead, sentences, train_bundled
from rescue_agent.safety.levels import Family, Level
from rescue_agent.safety.phrases import KINDS, phrases
from rescue_agent.safety.screen import screen, screen_by_rules


def test_the_set_is_large_mixed_and_partly_held_back():
    counts = Counter(phrase.kind for phrase in phrases())

    assert len(phrases()) >= 600
    assert all(counts[kind] >= 140 for kind in KINDS)
    assert {phrase.language for phrase in phrases()} == {"en", "de"}
    assert {p.family for p in phrases()} == {*(family.value for family in Family), "none"}
    assert {p.level for p in phrases()} <= {level.name.lower() for level in Level}
    assert len({phrase.text for phrase in phrases()}) == len(phrases())
    assert 0.25 < sum(phrase.held_back for phrase in phrases()) / len(phrases()) < 0.35


def test_the_guard_does_not_fall_behind_what_it_found():
    """The gates of the policy are missed (SAFETY.md says by how much); these are floors against getting worse."""
    shares = {(gate.kind, gate.part): gate.share for gate in gates()}

    assert shares["explicit", "held back"] >= 0.65
    assert shares["indirect", "held back"] >= 0.35
    assert shares["negative", "held back"] <= 0.13
    assert shares["explicit", "used for tuning"] >= 0.75
    assert shares["negative", "used for tuning"] <= 0.05


def test_the_head_is_what_the_command_makes():
    made, shipped = train_bundled(default_embedder()), RiskHead.load(BUNDLED)

    assert made.data_sha256 == shipped.data_sha256
    assert made.classes == shipped.classes
    assert np.allclose(made.weights, shipped.weights, atol=1e-3)


def test_the_head_never_lowers_what_the_rules_found():
    for phrase in phrases()[:200]:
        ruled, both = screen_by_rules(phrase.text), screen(phrase.text)
        assert both.level >= ruled.level
        assert not ruled.families or both.families == ruled.families


def test_added_sentences_only_add_to_what_the_head_finds():
    head, embedder = RiskHead.load(BUNDLED), default_embedder()
    found = [p.text for p in phrases() if not head.screen(embedder, p.text).clear][:20]

    assert len(found) == 20
    for text in found:
        assert not head.screen(embedder, f"We had soup again.\n{text}\nThe bus was late, the number nine.").clear
    assert sentences("Yes. I see what you mean!\nGo on") == ["I see what you mean!", "Go on"]


def test_ordinary_quarrels_of_the_corpus_are_seldom_taken_for_danger():
    rows = [row for episode in bundled_episodes("all") for _, row in episode.client_rows()]
    chosen = rows[::4]
    found = sum(not screen(row.dialogue_cleaned).clear for row in chosen)

    assert found / len(chosen) <= 0.03
