"""Answers of other systems: a small JSONL of instance ids and answers gets the same tables as an engine of our own.

A line is `{"instance_id": str, "answer": {...}}`. The answer is, by task: er {"description", "intensity"}; vp {"viewpoints":
[{"source", "target", "viewpoint"}]}; rpp, stp, ssp {"ranking": [labels, best first]}; itp {"speak": bool}. The ids of a data file are in
the predictions.jsonl that `rescue-agent score --predict-only` writes.
"""

import json
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from eval.instances import Instance, TaskName
from eval.plan import Plan
from eval.records import Prediction
from rescue_agent.errors import InputError


class _Er(BaseModel):
    description: str
    intensity: Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)]


class _View(BaseModel):
    source: str
    target: str
    viewpoint: str


class _Vp(BaseModel):
    viewpoints: list[_View]


class _Ranked(BaseModel):
    ranking: list[str]


class _Itp(BaseModel):
    model_config = ConfigDict(strict=True)
    speak: bool
    probability: Annotated[float, Field(ge=0, le=1)] | None = None


_ANSWERS: Final[dict[TaskName, type[BaseModel]]] = {
    TaskName.ER: _Er,
    TaskName.VP: _Vp,
    TaskName.RPP: _Ranked,
    TaskName.ITP: _Itp,
    TaskName.STP: _Ranked,
    TaskName.SSP: _Ranked,
}


def outside_predictions(path: Path, name: str, plan: Plan) -> list[Prediction]:
    """The answers in `path` to instances of the plan, as predictions of the engine `name`.

    An instance without an answer is unscored; an answer that is not of its task's form counts as one that cannot be read.

    Raises:
        InputError: for a line that is no JSON object with an id, an id that these data don't have, or one that stands twice.
    """
    answers: dict[str, Any] = {}
    for number, line in enumerate(_lines(path), 1):
        if line.strip():
            key, answer = _read(line, f"{path}:{number}", plan.known_ids)
            if key in answers:
                raise InputError.at(f"{path}:{number}", f"instance {key!r} stands twice", "keep one answer")
            answers[key] = answer
    asked = {instance.instance_id: instance for instance in plan.instances}
    return [_prediction(asked[key], answer, name, plan.protocol.name) for key, answer in answers.items() if key in asked]


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError.at(str(path), f"cannot be read ({error})", "check the path") from None


def _read(line: str, place: str, known: frozenset[str]) -> tuple[str, Any]:
    try:
        document = json.loads(line)
        key, answer = document["instance_id"], document["answer"]
    except (ValueError, KeyError, TypeError):
        raise InputError.at(place, 'not of the form {"instance_id": ..., "answer": ...}', "see docs/benchmark.md") from None
    if key not in known:
        raise InputError.at(place, f"there is no instance {key!r} in these data", "list the ids with --predict-only")
    return key, answer


def _prediction(instance: Instance, answer: object, name: str, protocol: str) -> Prediction:
    try:
        given: dict[str, Any] | None = _ANSWERS[instance.task].model_validate(answer).model_dump()
    except ValidationError:
        given = None
    if given and "ranking" in given:
        given["ranking"] = [[label, None] for label in given["ranking"]]
    return Prediction.model_validate(
        {
            "engine": name,
            "task": instance.task,
            "protocol": protocol,
            "instance_id": instance.instance_id,
            "input_hash": instance.input_hash(name),
            "gold": instance.gold,
            "prediction": given,
            "status": "ok" if given is not None else "parse_failed",
        }
    )
