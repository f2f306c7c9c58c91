"""Read and write files of the RESCUE schema: a benchmark JSONL, a folder of per-sample JSON, flattened task files, screenplays.

Real files are odd in many ways (rescue-benchmark, section 2 of the release). The reader loses no row: what it can mend it mends and
counts; a line that is no row at all is named with its file and line, and the rest goes on.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from rescue_agent.corpus import screenplay
from rescue_agent.corpus.mending import Mend, Mender
from rescue_agent.errors import InputError
from rescue_agent.files import replacing
from rescue_agent.schema import Episode

SAME_ID: Final = "sample id that was there already (numbered)"
_CONTEXT_KEYS: Final = ("prior_context", "context")


@dataclass(frozen=True)
class Reading:
    """What was read.

    Attributes:
        episodes: in the file's order.
        mended: each thing that was mended, with its sample and row.
        rejected: a line `FILE:LINE: why` for each line or row that could not be used.
        places: sample_id -> `FILE:LINE` that it was read from.
    """

    episodes: list[Episode]
    mended: tuple[Mend, ...] = ()
    rejected: tuple[str, ...] = ()
    places: dict[str, str] = field(default_factory=dict)

    @property
    def mends(self) -> Counter[str]:
        """How often each kind of oddity was mended."""
        return Counter(mend.kind for mend in self.mended)

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
    files = _Files(strict)
    files.read(path)
    return Reading(files.episodes, tuple(files.mends), tuple(files.rejected), files.places)


class _Files:
    """Goes through files; one bad line is named, the others go on."""

    def __init__(self, strict: bool) -> None:
        self.strict = strict
        self.episodes: list[Episode] = []
        self.mends: list[Mend] = []
        self.rejected: list[str] = []
        self.places: dict[str, str] = {}

    def read(self, path: Path) -> None:
        if path.is_dir():
            self._folder(path)
        elif path.suffix == ".screenplay":
            self._screenplay(path)
        elif path.suffix == ".json":
            self._whole(path, path.stem)
        else:
            self._lines(path, self._text(path))

    def _folder(self, folder: Path) -> None:
        files = sorted(p for p in folder.rglob("*") if p.suffix in (".json", ".jsonl", ".screenplay"))
        if not files:
            raise InputError.at(str(folder), "holds no .json, .jsonl or .screenplay file", "give a RESCUE file or a folder of them")
        for file in files:
            if file.suffix == ".json":
                self._whole(file, file.relative_to(folder).with_suffix("").as_posix())
            elif file.suffix == ".screenplay":
                with self._naming(str(file)):
                    self._screenplay(file)
            else:
                self.read(file)

    def _screenplay(self, path: Path) -> None:
        for episode in screenplay.read(path):
            self._keep(str(path), episode)

    def _whole(self, path: Path, sample_id: str) -> None:
        """One sample, or a list of them, in a JSON file; an id comes from the path where the file has none."""
        text = self._text(path)
        if _is_lines(text):
            self._lines(path, text)
            return
        with self._naming(f"{path}:1"):
            document = json.loads(text)
            for i, sample in enumerate(document if isinstance(document, list) else [document], 1):
                suffix = f"-{i}" if isinstance(document, list) else ""
                self._sample(f"{path}:1", {"sample_id": sample_id + suffix, "source_file": path.name, **_object(sample)})

    def _lines(self, path: Path, text: str) -> None:
        flat: dict[str, list[dict[str, Any]]] = {}
        for number, line in enumerate(text.split("\n"), 1):
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
                self.mends.append(Mend("sample put together from flattened task rows", sample_id))
                self._sample(str(path), _unflattened(sample_id, rows))

    def _sample(self, place: str, document: dict[str, Any]) -> None:
        mends: list[Mend] = []
        episode = Mender(mends).episode(document, lambda problem: self._reject(f"{place}: {problem}"))
        kept = self._keep(place, episode)
        self.mends += [replace(mend, sample_id=kept) for mend in mends]

    def _keep(self, place: str, episode: Episode) -> str:
        """Keep the episode, and return its id. Samples of one id are told apart by a number behind it; the group stays the same."""
        sample_id = episode.sample_id
        if sample_id in self.places:
            stem = sample_id if "/" in sample_id else f"{sample_id}/"
            sample_id = next(name for n in count(2) if (name := f"{stem}~{n}") not in self.places)
            episode = episode.model_copy(update={"sample_id": sample_id})
            self.mends.append(Mend(SAME_ID, sample_id))
        self.places[sample_id] = place
        self.episodes.append(episode)
        return sample_id

    def _text(self, path: Path) -> str:
        try:
            raw = path.read_bytes()
        except OSError as error:
            raise InputError.at(str(path), f"cannot be read ({error.strerror})", "check the path") from None
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = raw.decode("utf-8-sig", "replace")
            self.mends.append(Mend("bytes that are no UTF-8 (replaced)", str(path)))
        return text.replace("\r\n", "\n")

    def _naming(self, place: str) -> "_Naming":
        return _Naming(place, self._reject)

    def _reject(self, message: str) -> None:
        if self.strict:
            raise InputError(message)
        self.rejected.append(message)


@dataclass
class _Naming:
    """Turns any failure inside into one line that names the place."""

    place: str
    reject: Callable[[str], None]

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> bool:
        if isinstance(error, json.JSONDecodeError):
            self.reject(f"{self.place}: not JSON ({error.msg} at column {error.colno}); left out")
        elif isinstance(error, ValidationError):
            first = error.errors()[0]
            self.reject(f"{self.place}: {'.'.join(map(str, first['loc']))}: {first['msg']}; left out")
        elif isinstance(error, InputError):
            self.reject(str(error))
        elif isinstance(error, (ValueError, RecursionError)):
            self.reject(f"{self.place}: {error}; left out")
        else:
            return False
        return True


def _is_lines(text: str) -> bool:
    """Whether a file named .json holds JSON lines: its first line is an object of its own, and more follow."""
    first, _, rest = text.strip().partition("\n")
    return bool(rest) and first.startswith("{") and first.rstrip().endswith("}")


def _object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"a JSON object is expected, not {type(value).__name__}")
    return value


def _unflattened(sample_id: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """A sample out of task rows: the rows themselves, and what their contexts show of the others."""
    found: dict[int | str, dict[str, Any]] = {}
    for row in rows:
        context: list[Any] = next((row[key] for key in _CONTEXT_KEYS if isinstance(row.get(key), list)), [])
        for earlier in context:
            if isinstance(earlier, dict) and "primary_speaker" in earlier:
                found.setdefault(_row_key(earlier), earlier)
        found[_row_key(row)] = row
    if all(isinstance(key, int) for key in found):
        found = dict(sorted(found.items(), key=lambda item: item[0]))
    about: dict[str, Any] = {key: rows[0][key] for key in ("scenario", "participants", "source_file") if key in rows[0]}
    return about | {"sample_id": sample_id, "rows": [_own_fields(row) for row in found.values()]}


def _row_key(row: dict[str, Any]) -> int | str:
    """What tells rows apart: the number, or everything where there is none."""
    index = row.get("row_index")
    return index if isinstance(index, int) else json.dumps(_own_fields(row), sort_keys=True)


def _own_fields(row: dict[str, Any]) -> dict[str, Any]:
    """A task row without what the task added: the context, the sample's fields, and the gold answers, which the row's labels hold."""
    added = {*_CONTEXT_KEYS, *Episode.model_fields} - {"meta"}
    return {key: value for key, value in row.items() if key not in added and not key.startswith("gold_")}


def to_json(episode: Episode) -> str:
    """One line of a RESCUE JSONL."""
    return episode.model_dump_json()


def write_episodes(episodes: Iterable[Episode], path: Path) -> None:
    """Write a RESCUE JSONL, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text("".join(f"{to_json(episode)}\n" for episode in episodes), encoding="utf-8")
