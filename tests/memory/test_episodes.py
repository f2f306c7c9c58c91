import numpy as np
import pytest

from rescue_agent.decisions import RecalledMoment, RecalledRow
from rescue_agent.errors import IndexMismatch, IndexUnusable
from rescue_agent.memory.episodes import EpisodeMemory, Stored, build_index


def vector(*values):
    v = np.zeros(8, dtype=np.float32)
    v[: len(values)] = values
    return v / np.linalg.norm(v)


def stored(group, scenario, where, strategy="track"):
    sample = f"{group}/1"
    return Stored(group, scenario, vector(*where), RecalledMoment(sample_id=sample, row_index=len(where), distance=0, strategy=strategy))


ITEMS = [
    stored("one", "couple", (1, 0, 0)),
    stored("two", "couple", (1, 1, 0), "evoke"),
    stored("three", "couple", (0, 0, 1)),
    stored("four", "family", (1, 0, 0)),
    Stored("one", "couple", vector(1, 0), RecalledRow(sample_id="one/1", row_index=2, distance=0, emotion="glad", intensity=3)),
]


@pytest.fixture
def folder(tmp_path):
    build_index(tmp_path / "index", ITEMS, embedding_model="m", data_sha256="d")
    return tmp_path / "index"


def test_nearest_first_and_of_the_scenario_only(folder):
    found = EpisodeMemory.open(folder, "m", 8).recall(vector(1), "couple", 5, None)

    assert [m.sample_id for m in found] == ["one/1", "two/1", "three/1"]
    assert found[0].distance == pytest.approx(0, abs=1e-5)
    assert found[1].distance == pytest.approx(1 - 2**-0.5, abs=1e-4)


def test_the_excluded_group_never_comes_back(folder):
    memory = EpisodeMemory.open(folder, "m", 8)

    assert [m.sample_id for m in memory.recall(vector(1), "couple", 5, "one")] == ["two/1", "three/1"]
    assert memory.recall_rows(vector(1), "couple", 5, "one") == ()
    assert [r.emotion for r in memory.recall_rows(vector(1), "couple", 5, None)] == ["glad"]


def test_another_embedding_model_is_refused_with_the_remedy(folder):
    with pytest.raises(IndexMismatch, match=r"made with m \(8 dimensions\), in use is n \(8\); run `rescue-agent index`"):
        EpisodeMemory.open(folder, "n", 8)


def test_a_missing_index_says_how_to_make_one(tmp_path):
    with pytest.raises(IndexUnusable, match="there is no index; run `rescue-agent index`"):
        EpisodeMemory.open(tmp_path, "m", 8)


def test_a_new_build_takes_the_place_of_the_old_one(folder):
    build_index(folder, ITEMS[1:4], embedding_model="m", data_sha256="new")
    memory = EpisodeMemory.open(folder, "m", 8)

    assert memory.card.data_sha256 == "new"
    assert [m.sample_id for m in memory.recall(vector(1), "couple", 5, None)] == ["two/1", "three/1"]
    assert len(list(folder.glob("build-*"))) == 1


def test_nothing_to_remember_is_an_error(tmp_path):
    with pytest.raises(IndexUnusable, match="no episode has a supporter's turn"):
        build_index(tmp_path / "index", [], embedding_model="m", data_sha256="d")


def test_nobody_else_may_read_the_index(folder):
    assert all(path.stat().st_mode & 0o077 == 0 for path in folder.rglob("*"))
