"""Read and write files of the RESCUE schema: a benchmark JSONL, a folder of per-sample JSON, flattened task files, screenplays.

Real files are odd in many ways (rescue-benchmark, section 2 of the release). The reader loses no row: what it can mend it mends and
counts; a line that is no row at all is named with its file and line, and the rest goes on.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from rescue_agent.corpus import screenplay
from rescue_agent.corpus.mending import Mender
from rescue_agent.errors import InputError
from rescue_agent.files import replacing
from rescue_agent.schema import Episode, Row

_TASK_KEYS = ("prior_context", "context", "task")


@dataclass
class Reading:
    """What was read. `mends` counts what was mended by kind; `rejected` names each line that could not be used."""

    episodes: list[Episode] = field(default_factory=list)
    mends: Counter[str] = field(default_factory=Counter)
    rejected: list[str] = field(default_factory=list)

    def summary(self) -> Iterator[str]:
        """Lines for a person: what was rejected, and what was mended how often."""
        yield from self.rejected
        yield from (f"mended: {kind} ({count})" for kind, count in sorted(self.mends.items()))


def read_episodes(path: Path, strict: bool = False) -> Reading:
    """Read every episode in `path`, whatever kind of file or folder it is.

    Args:
        strict: stop at the first line that cannot be used.

    Raises:
        InputError: when the path cannot be read at all, or under `strict`.
    """
    reading = Reading()
    reader = _Files(reading, strict)
    reader.read(path)
    reading.episodes = _told_apart(reading.episodes, reading.mends)
    return reading


class _Files:
    """Goes through files; one bad line is named, the others go on."""

    def __init__(self, reading: Reading, strict: bool) -> None:
        self.reading, self.strict = reading, strict
        self.mender = Mender(reading.mends)

    def read(self, path: Path) -> None:
        if path.is_dir():
            self._folder(path)
        elif path.suffix == ".screenplay":
            self.reading.episodes += screenplay.read(path)
        elif path.suffix == ".json":
            self._whole(path, path.stem)
        else:
            self._lines(path)

    def _folder(self, folder: Path) -> None:
        files = sorted(p for p in folder.rglob("*") if p.suffix in (".json", ".jsonl", ".screenplay"))
        if not files:
            raise InputError.at(str(folder), "holds no .json, .jsonl or .screenplay file", "give a RESCUE file or a folder of them")
        for file in files:
            if file.suffix == ".json":
                self._whole(file, file.relative_to(folder).with_suffix("").as_posix())
            else:
                self.read(file)

    def _whole(self, path: Path, sample_id: str) -> None:
        """One sample in a JSON file; its id comes from the path where the file has none."""
        with self._naming(f"{path}:1"):
            document = json.loads(_text(path))
            for i, sample in enumerate(document if isinstance(document, list) else [document]):
                suffix = f"-{i + 1}" if isinstance(document, list) else ""
                self._sample(f"{path}:1", {"sample_id": sample_id + suffix, "source_file": path.name, **_object(sample)})

    def _lines(self, path: Path) -> None:
        flat: dict[str, list[dict[str, Any]]] = {}
        for number, line in enumerate(_text(path).split("\n"), 1):
            if not line.strip():
                continue
            with self._naming(f"{path}:{number}"):
                document = _object(json.loads(line))
                if "rows" in document:
                    self._sample(f"{path}:{number}", document)
                elif "primary_speaker" in document:
                    flat.setdefault(str(document.get("sample_id") or path.stem), []).append(document)
                else:
                    raise ValueError("neither a sample (no 'rows') nor a row (no 'primary_speaker')")
        for sample_id, rows in flat.items():
            with self._naming(f"{path}: sample {sample_id!r}"):
                self.reading.mends["sample put together from flattened task rows"] += 1
                self._sample(str(path), _unflattened(sample_id, rows))

    def _sample(self, place: str, document: dict[str, Any]) -> None:
        episode = self.mender.episode(document, lambda problem: self._reject(f"{place}: {problem}"))
        self.reading.episodes.append(episode)

    def _naming(self, place: str) -> "_Naming":
        return _Naming(place, self._reject)

    def _reject(self, message: str) -> None:
        if self.strict:
            raise InputError(message)
        self.reading.rejected.append(message)


@dataclass
class _Naming:
    """Turns any failure inside into one line that names the place."""

    place: str
    reject: Callable[[str], None]

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> bool:
        if isinstance(error, json.JSONDecodeError):
            self.reject(f"{self.place}: not JSON ({error.msg} at column {error.colno}); the line is left out")
        elif isinstance(error, ValidationError):
            first = error.errors()[0]
            self.reject(f"{self.place}: {'.'.join(map(str, first['loc']))}: {first['msg']}; left out")
        elif isinstance(error, (ValueError, RecursionError)):
            self.reject(f"{self.place}: {error}; left out")
        else:
            return False
        return True


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return path.read_bytes().decode("utf-8-sig", "replace").replace("\r\n", "\n")
    except OSError as error:
        raise InputError.at(str(path), f"cannot be read ({error.strerror})", "check the path") from None


def _object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"a JSON object is expected, not {type(value).__name__}")
    return value


def _unflattened(sample_id: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """A sample out of task rows: the rows themselves, and what their contexts show of the others."""
    by_index: dict[Any, dict[str, Any]] = {}
    for row in rows:
        context: list[Any] = next((row[key] for key in _TASK_KEYS if isinstance(row.get(key), list)), [])
        for earlier in context:
            if isinstance(earlier, dict) and "primary_speaker" in earlier:
                by_index.setdefault(earlier.get("row_index"), earlier)
    by_index |= {row.get("row_index"): row for row in rows}
    ordered = sorted(by_index.values(), key=lambda row: row.get("row_index") or 0)
    first = rows[0]
    return {
        "sample_id": sample_id,
        "scenario": first.get("scenario"),
        "participants": first.get("participants"),
        "source_file": first.get("source_file", ""),
        "rows": [{k: v for k, v in row.items() if k in Row.model_fields} for row in ordered],
    }


def _told_apart(episodes: Iterable[Episode], mends: Counter[str]) -> list[Episode]:
    """Samples of one id are kept apart by a number behind the id; the group stays the same."""
    seen: Counter[str] = Counter()
    kept = []
    for episode in episodes:
        seen[episode.sample_id] += 1
        if seen[episode.sample_id] > 1:
            mends["sample id that was there already (numbered)"] += 1
            episode = episode.model_copy(update={"sample_id": f"{episode.sample_id}~{seen[episode.sample_id]}"})
        kept.append(episode)
    return kept


def to_json(episode: Episode) -> str:
    """One line of a RESCUE JSONL."""
    return episode.model_dump_json()


def write_episodes(episodes: Iterable[Episode], path: Path) -> None:
    """Write a RESCUE JSONL, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text("".join(f"{to_json(episode)}\n" for episode in episodes), encoding="utf-8")
