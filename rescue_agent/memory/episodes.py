"""Memory of episodes in embedded Chroma: moments before a supporter's turn, and the participants' rows one by one.

The index is a cache. It can be rebuilt from the episodes at any time by `rescue-agent index`. Every build has a folder of its own,
and the card that names the current one is replaced at the end: a killed build leaves the old index, or none, and never half of one.
"""

import logging
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import numpy as np
from numpy.typing import NDArray

from rescue_agent.decisions import RecalledMoment, RecalledRow
from rescue_agent.errors import IndexMismatch, IndexUnusable
from rescue_agent.files import replacing
from rescue_agent.schema import Record
from rescue_agent.taxonomy import Scenario

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection
    from chromadb.api.types import Where

logger = logging.getLogger(__name__)

FORMAT: Final = 1
_MOMENTS, _ROWS = "moments", "rows"
_BATCH: Final = 1000
_REMEDY: Final = "run `rescue-agent index`"


@dataclass(frozen=True)
class Stored:
    """Something to remember: its vector, its group (for exclusion) and what is recalled of it."""

    group: str
    scenario: Scenario
    vector: NDArray[np.float32]
    recalled: RecalledMoment | RecalledRow


class IndexCard(Record):
    """What the index was made of: checked when it is opened."""

    format: int = FORMAT
    build: str
    embedding_model: str
    dimension: int
    data_sha256: str
    moments: int
    rows: int
    built_at: float


class EpisodeMemory:
    """An open index: `EpisodeMemory.open(folder, ...)`."""

    def __init__(self, folder: Path, card: IndexCard, moments: "Collection", rows: "Collection") -> None:
        self.folder, self.card, self._moments, self._rows = folder, card, moments, rows

    @classmethod
    def open(cls, folder: Path, embedding_model: str, dimension: int) -> "EpisodeMemory":
        """Open the index in `folder`.

        Raises:
            IndexUnusable: when it is missing or broken.
            IndexMismatch: when it was made with another embedding model; says how to re-index.
        """
        card = _read_card(folder)
        if (card.embedding_model, card.dimension) != (embedding_model, dimension):
            made = f"{card.embedding_model} ({card.dimension} dimensions)"
            raise IndexMismatch(f"{folder}: made with {made}, in use is {embedding_model} ({dimension}); {_REMEDY}")
        return cls(folder, card, _open(folder, card, _MOMENTS, card.moments), _open(folder, card, _ROWS, card.rows))

    def recall(self, vector: NDArray[np.float32], scenario: Scenario, k: int, exclude_group: str | None) -> tuple[RecalledMoment, ...]:
        """The `k` moments of `scenario` nearest to `vector`, nearest first.

        Args:
            vector: shape (dimension,), L2-normalised.
            exclude_group: the couple or family under test, none of whose moments may come back; None in a live room.
        """
        found = _query(self._moments, vector, scenario, k, exclude_group)
        return tuple(RecalledMoment.model_validate_json(document).model_copy(update={"distance": d}) for document, d in found)

    def recall_rows(self, vector: NDArray[np.float32], scenario: Scenario, k: int, exclude_group: str | None) -> tuple[RecalledRow, ...]:
        """The `k` participants' rows of `scenario` nearest to `vector`; arguments as for `recall`."""
        found = _query(self._rows, vector, scenario, k, exclude_group)
        return tuple(RecalledRow.model_validate_json(document).model_copy(update={"distance": d}) for document, d in found)


def _open(folder: Path, card: IndexCard, name: str, expected: int) -> "Collection":
    try:
        collection = _client(folder / card.build).get_collection(name, embedding_function=None)
        count = collection.count()
    except Exception as error:  # chromadb raises its Rust layer's errors, too
        raise IndexUnusable(f"{folder}: the index cannot be read ({type(error).__name__}); {_REMEDY}") from error
    if count != expected:
        raise IndexUnusable(f"{folder}: holds {count} {name}, its card says {expected}; {_REMEDY}")
    return collection


def _query(
    collection: "Collection", vector: NDArray[np.float32], scenario: Scenario, k: int, exclude_group: str | None
) -> Iterator[tuple[str, float]]:
    """Yield (recalled document, distance), nearest first; nothing for an empty vector."""
    if not vector.any():
        return
    found = collection.query(
        query_embeddings=[vector.tolist()], n_results=k, where=_where(scenario, exclude_group), include=["metadatas", "distances"]
    )
    metadatas, distances = (found["metadatas"] or [[]])[0], (found["distances"] or [[]])[0]
    for metadata, distance in zip(metadatas, distances, strict=True):
        # a filter that failed must not become a leak
        if metadata["scenario"] == scenario and metadata["group"] != exclude_group:
            yield str(metadata["recalled"]), round(max(0.0, float(distance)), 6)


def _where(scenario: Scenario, exclude_group: str | None) -> "Where":
    return cast("Where", {"$and": [{"scenario": scenario}, {"group": {"$ne": exclude_group or ""}}]})


def _client(folder: Path) -> "Client":
    import chromadb
    from chromadb.config import Settings

    return cast("Client", chromadb.PersistentClient(path=str(folder), settings=Settings(anonymized_telemetry=False)))


def _read_card(folder: Path) -> IndexCard:
    path = folder / "card.json"
    if not path.exists():
        raise IndexUnusable(f"{folder}: there is no index; {_REMEDY}")
    try:
        return IndexCard.model_validate_json(path.read_text(encoding="utf-8"))
    except ValueError:
        raise IndexUnusable(f"{path}: cannot be read; {_REMEDY}") from None


Progress = Callable[[Iterable[Sequence[Stored]], int], Iterable[Sequence[Stored]]]
"""Wraps batches (and their number), to show a bar."""


def build_index(
    folder: Path,
    stored: Sequence[Stored],
    *,
    embedding_model: str,
    data_sha256: str,
    progress: Progress = lambda batches, _: batches,
) -> IndexCard:
    """Write the index of `stored` into `folder`, in the place of any old one.

    Raises:
        IndexUnusable: when there is no moment to remember.
    """
    moments = sum(isinstance(item.recalled, RecalledMoment) for item in stored)
    if not moments:
        raise IndexUnusable(f"{folder}: no episode has a supporter's turn to remember")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    card = IndexCard(
        build=f"build-{time.time_ns()}",
        embedding_model=embedding_model,
        dimension=len(stored[0].vector),
        data_sha256=data_sha256,
        moments=moments,
        rows=len(stored) - moments,
        built_at=time.time(),
    )
    _fill(folder / card.build, stored, progress)
    for file in (folder / card.build).rglob("*"):
        file.chmod(0o700 if file.is_dir() else 0o600)
    with replacing(folder / "card.json", mode=0o600) as path:
        path.write_text(card.model_dump_json() + "\n", encoding="utf-8")
    _remove_builds(folder, keep=card.build)
    return card


def _remove_builds(folder: Path, keep: str) -> None:
    for build in folder.glob("build-*"):
        if build.name != keep:
            shutil.rmtree(build, ignore_errors=True)


def _fill(folder: Path, stored: Sequence[Stored], progress: Progress) -> None:
    folder.mkdir(mode=0o700)
    client = _client(folder)
    names: dict[type[RecalledMoment | RecalledRow], str] = {RecalledMoment: _MOMENTS, RecalledRow: _ROWS}
    made = {
        kind: client.create_collection(name, embedding_function=None, metadata={"hnsw:space": "cosine"}) for kind, name in names.items()
    }
    by_kind = [[item for item in stored if isinstance(item.recalled, kind)] for kind in names]
    batches = [items[i : i + _BATCH] for items in by_kind for i in range(0, len(items), _BATCH)]
    for batch in progress(batches, len(batches)):
        made[type(batch[0].recalled)].upsert(
            ids=[f"{item.recalled.sample_id}#{item.recalled.row_index}" for item in batch],
            embeddings=[item.vector.tolist() for item in batch],
            metadatas=[{"group": m.group, "scenario": m.scenario, "recalled": m.recalled.model_dump_json()} for m in batch],
        )
    client.close()
