"""The files of a run: predictions.jsonl and results.json (contract, version 1)."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from pydantic import ConfigDict, Field, JsonValue, ValidationError

from eval.instances import ProtocolName, TaskName
from rescue_agent.errors import InputError
from rescue_agent.files import replacing
from rescue_agent.schema import Record

Status = Literal["ok", "parse_failed", "unscored"]
Setting = Literal["zero-shot", "supervised"]


class Prediction(Record):
    """One engine's answer to one instance. `prediction` is None unless `status` is ok; `scores` are filled by the score phase."""

    engine: str
    task: TaskName
    protocol: ProtocolName
    instance_id: str
    input_hash: str
    gold: dict[str, JsonValue]
    prediction: dict[str, JsonValue] | None
    scores: dict[str, float | None] = Field(default_factory=dict)
    status: Status = "ok"


class Result(Record):
    """One score. `value` is None, never 0, where nothing could be scored; `n + unscored` is every instance of the task."""

    engine: str
    task: TaskName
    protocol: ProtocolName
    setting: Setting
    scenario: Literal["all", "couple", "family"]
    metric: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    unscored: int
    parse_failed: int


class Results(Record):
    """What results.json holds. `run` says with what: versions, git, seeds, data hash, prompts, timings, tokens."""

    model_config = ConfigDict(frozen=True, extra="forbid", serialize_by_alias=True, validate_by_name=True)

    schema_version: Literal[1] = Field(default=1, alias="schema")
    run: dict[str, JsonValue]
    results: tuple[Result, ...]


def read_predictions(path: Path) -> tuple[list[Prediction], list[str]]:
    """The predictions in `path` and, by line, what could not be read (a line cut by a crash, for one). Nothing for a missing file."""
    good: list[Prediction] = []
    bad: list[str] = []
    if not path.exists():
        return good, bad
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").split("\n"), 1):
        if not line.strip():
            continue
        try:
            good.append(Prediction.model_validate_json(line.strip().removeprefix("\ufeff")))
        except ValidationError as error:
            bad.append(f"{path}:{number}: {error.errors()[0]['msg']}; the line is left out and asked again")
    return good, bad


def write_predictions(path: Path, predictions: Iterable[Prediction]) -> None:
    """Write predictions.jsonl, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text("".join(f"{p.model_dump_json()}\n" for p in predictions), encoding="utf-8")


def read_results(path: Path) -> Results:
    """Read a results.json (or the one in a folder).

    Raises:
        InputError: when it is missing or of another form.
    """
    file = path / "results.json" if path.is_dir() else path
    try:
        return Results.model_validate(json.loads(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise InputError.at(
            str(file), f"cannot be read ({error.strerror})", "give the folder that `rescue-agent score --out` wrote"
        ) from None
    except (ValueError, ValidationError) as error:
        raise InputError.at(str(file), f"is no results.json ({str(error).splitlines()[0]})", "score again") from None


def write_results(path: Path, results: Results) -> None:
    """Write results.json, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(results.model_dump_json(indent=1) + "\n", encoding="utf-8")


def by_engine(predictions: Sequence[Prediction]) -> Iterator[tuple[str, list[Prediction]]]:
    """Yield (engine, its predictions), engines in order of appearance."""
    for engine in dict.fromkeys(p.engine for p in predictions):
        yield engine, [p for p in predictions if p.engine == engine]
