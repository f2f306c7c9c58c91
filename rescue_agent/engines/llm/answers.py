"""What a model is asked to answer: one shape a decision, with the labels of the moment as a closed set, and its strict JSON schema."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, Field, JsonValue, create_model

Share = Annotated[float, Field(ge=0, le=1)]
Balance = Annotated[float, Field(ge=-1, le=1)]
Phrase = Annotated[str, Field(min_length=1, max_length=120)]
Evidence = Annotated[str, Field(max_length=300)]
Kind: TypeAlias = type[BaseModel]

_NOISE: Final = ("title", "default", "description", "$defs")
_BOUNDS: Final = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems")
"""Keywords that not every server's strict schemas know; the answer is checked against them here, too."""
_RANKED: Final = 4
"""How many labels a ranking names at most."""


class EmotionAnswer(BaseModel):
    """ER."""

    evidence: Evidence
    description: Phrase
    intensity: Annotated[float, Field(ge=0, le=10)]


class InterventionAnswer(BaseModel):
    """ITP."""

    evidence: Evidence
    speak: bool
    probability: Share


def one_of(labels: tuple[str, ...]) -> Any:  # noqa: ANN401  (a type made at run time)
    """The type of one of `labels`; a spelling that differs by case or blanks only is taken for the label."""
    folded = {_fold(label): label for label in labels}
    closed: Any = Literal
    return Annotated[closed[labels], BeforeValidator(lambda value: folded.get(_fold(str(value)), value))]


def _fold(text: str) -> str:
    return text.strip().casefold().replace(" ", "_").replace("-", "_")


def list_of(item: Any, longest: int) -> Any:  # noqa: ANN401
    """The type of a list of at most `longest` `item`s."""
    return Annotated[list.__class_getitem__(item), Field(max_length=longest)]


def _ranked(labels: tuple[str, ...]) -> Any:  # noqa: ANN401
    item = create_model("Labelled", label=(one_of(labels), ...), probability=(Share, ...))
    return Annotated[list_of(item, min(_RANKED, len(labels))), Field(min_length=1)]


def _view(people: tuple[str, ...]) -> Any:  # noqa: ANN401
    return create_model(
        "View",
        target=(one_of(people), ...),
        viewpoint=(Phrase, ...),
        attitude=(Annotated[str, Field(max_length=60)], ...),
        probability=(Share, ...),
    )


@lru_cache(maxsize=64)
def ranking_kind(labels: tuple[str, ...]) -> Kind:
    """RPP, STP, SSP: `ranking` of `labels`."""
    kind: Kind = create_model("RankingAnswer", evidence=(Evidence, ...), ranking=(_ranked(labels), ...))
    return kind


@lru_cache(maxsize=64)
def viewpoints_kind(others: tuple[str, ...]) -> Kind:
    """VP: `viewpoints` of `others`."""
    kind: Kind = create_model("ViewpointsAnswer", evidence=(Evidence, ...), viewpoints=(list_of(_view(others), len(others)), ...))
    return kind


@lru_cache(maxsize=64)
def joint_kind(others: tuple[str, ...], candidates: tuple[str, ...], patterns: tuple[str, ...], strategies: tuple[str, ...]) -> Kind:
    """All six decisions, the edges of the speaker, and a summary."""
    emotion = create_model("Emotion", description=(Phrase, ...), intensity=(Annotated[float, Field(ge=0, le=10)], ...))
    intervention = create_model("Intervention", speak=(bool, ...), probability=(Share, ...))
    edge = create_model("Toward", target=(one_of(others), ...), warmth=(Balance, ...), tension=(Share, ...), alignment=(Balance, ...))
    kind: Kind = create_model(
        "JointAnswer",
        evidence=(Evidence, ...),
        emotion=(emotion, ...),
        viewpoints=(list_of(_view(others), len(others)), ...),
        pattern=(_ranked(patterns), ...),
        intervention=(intervention, ...),
        target=(_ranked(candidates), ...),
        strategy=(_ranked(strategies), ...),
        toward=(list_of(edge, len(others)), ...),
        summary=(Annotated[str, Field(max_length=1000)], ...),
    )
    return kind


def strict_schema(kind: Kind) -> dict[str, JsonValue]:
    """The JSON schema of `kind` as strict servers take it: every field required, none beside them, no defaults, no references."""
    whole = kind.model_json_schema()
    schema: dict[str, JsonValue] = _strict(whole, whole.get("$defs", {}))
    return schema


def _strict(node: Any, definitions: dict[str, Any]) -> Any:  # noqa: ANN401  (JSON)
    if isinstance(node, list):
        return [_strict(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _strict(definitions[node["$ref"].rsplit("/", 1)[-1]], definitions)
    if "properties" in node:  # it maps field names, which may be called like keywords
        fields = {name: _strict(value, definitions) for name, value in node["properties"].items()}
        return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    return {key: _strict(value, definitions) for key, value in node.items() if key not in _NOISE}


def without_bounds(schema: Any) -> Any:  # noqa: ANN401  (JSON)
    """`schema` without lengths and ranges, for servers that know none."""
    if isinstance(schema, list):
        return [without_bounds(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "properties" in schema:
        return {**schema, "properties": {name: without_bounds(value) for name, value in schema["properties"].items()}}
    return {key: without_bounds(value) for key, value in schema.items() if key not in _BOUNDS}


def shares(ranked: Sequence[Any], labels: Sequence[str]) -> dict[str, float]:
    """Scores of all `labels` from the few that a model ranked: what it left over, at least 5 %, goes to the others in equal parts."""
    named: dict[str, float] = {}
    for place, item in enumerate(ranked):
        # a model that gives no mass at all has still given an order
        named.setdefault(item.label, max(item.probability, 0.01 / (place + 1)))
    others = [label for label in labels if label not in named]
    rest = max(1 - sum(named.values()), 0.05) / max(len(others), 1)
    return {**named, **dict.fromkeys(others, min(rest, *named.values()))}
