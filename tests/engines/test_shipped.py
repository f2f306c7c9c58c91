"""What ships is what the repository's own commands make of what it holds."""

import json

import numpy as np

from rescue_agent.corpus.compiling import compile_open
from rescue_agent.corpus.splits import OPEN, SPLITS, bundled_episodes, split_of
from rescue_agent.engines.embedded.training import data_hash, fit
from rescue_agent.engines.registry import BUNDLED_HEADS, HeadSet


def test_the_compiled_corpus_is_made_of_the_screenplays(tmp_path):
    compile_open(OPEN / "screenplays", tmp_path)

    for name in ("open.jsonl", "splits.json"):
        assert (tmp_path / name).read_bytes() == (OPEN / name).read_bytes()


def test_splits_hold_every_group_once(tmp_path):
    fixed = json.loads((OPEN / "splits.json").read_text(encoding="utf-8"))
    groups = [group for split in SPLITS for group in fixed[split]]

    assert sorted(groups) == sorted({e.group for e in bundled_episodes("all")})
    assert all(split_of(group) == split for split in SPLITS for group in fixed[split])


def test_every_record_says_that_it_is_synthetic():
    for episode in bundled_episodes("all"):
        assert episode.meta["synthetic"] is True
        assert episode.meta["license"] == "CC-BY-4.0"
        assert all(row.meta["synthetic"] is True for row in episode.rows)


def test_the_shipped_heads_are_what_fit_makes_of_the_training_split(training_episodes, embedder, tmp_path):
    shipped = HeadSet.load(BUNDLED_HEADS)
    assert shipped.provenance.data_sha256 == data_hash(training_episodes)
    fit(training_episodes, embedder).save(tmp_path)
    made = HeadSet.load(tmp_path)

    assert made.provenance == shipped.provenance
    for name, head in shipped.linear.items():
        assert made.linear[name].labels == head.labels
        np.testing.assert_allclose(made.linear[name].weights, head.weights, atol=2e-2, err_msg=name)
    for name, book in shipped.phrases.items():
        assert made.phrases[name].phrases == book.phrases
        np.testing.assert_allclose(made.phrases[name].weights, book.weights, atol=2e-2, err_msg=name)
    for name, parameters in shipped.filters.items():
        np.testing.assert_allclose(made.filters[name].transition, parameters.transition, atol=1e-6, err_msg=name)
