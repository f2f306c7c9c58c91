"""Agreement of two readers: the annotations of a corpus beside those of a second pass that saw no labels.

A second pass is a JSONL file, a line a row: `{"sample_id", "row_index", "pattern", "strategy", "target", "utterance_type",
"intensity"}`; what the reader left empty is null. A row counts for a field where both readers filled it; how often only one did is
reported beside it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from pydantic import ValidationError

from rescue_agent.corpus.moves import supporter_move
from rescue_agent.errors import InputError
from rescue_agent.schema import Episode, Record, Row

T = TypeVar("T")

SECOND_PASS: Final = Path(__file__).parent / "open" / "second_pass.jsonl"
"""The second pass over the bundled corpus."""


class SecondReading(Record):
    """What a second reader wrote on one row."""

    sample_id: str
    row_index: int
    pattern: str | None = None
    strategy: str | None = None
    target: str | None = None
    utterance_type: str | None = None
    intensity: float | None = None


@dataclass(frozen=True)
class Agreement:
    """Agreement on one field: accuracy and Cohen's kappa for labels, mean absolute difference (0-10) for intensity.

    `n` rows were filled by both readers, `one_sided` by one of them only.
    """

    field: str
    n: int
    one_sided: int
    accuracy: float | None = None
    kappa: float | None = None
    mean_difference: float | None = None


def read_second_pass(path: Path = SECOND_PASS) -> list[SecondReading]:
    """The second pass in `path`.

    Raises:
        InputError: naming the line that cannot be read.
    """
    readings = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError.at(str(path), f"cannot be read ({error.strerror})", "check the path") from None
    for number, line in enumerate(lines, 1):
        try:
            readings.append(SecondReading.model_validate_json(line))
        except ValidationError as error:
            raise InputError.at(f"{path}:{number}", error.errors()[0]["msg"], "mend the line") from None
    return readings


def agreement(episodes: Sequence[Episode], readings: Sequence[SecondReading]) -> list[Agreement]:
    """Agreement on every field, over the rows of the second pass.

    Raises:
        InputError: when it names a row that the corpus doesn't hold.
    """
    rows = {(e.sample_id, r.row_index): (e, r) for e in episodes for r in e.rows}
    pairs = []
    for reading in readings:
        key = (reading.sample_id, reading.row_index)
        if key not in rows:
            raise InputError(f"second pass: {reading.sample_id} has no row {reading.row_index}; was the corpus changed since?")
        pairs.append((reading, _first_reading(*rows[key])))
    labels = [_labels(name, [(getattr(second, name), first[name]) for second, first in pairs]) for name in _LABELS]
    return [*labels, _intensity([(second.intensity, first["intensity"]) for second, first in pairs])]


_LABELS: Final = ("pattern", "strategy", "target", "utterance_type")


def _first_reading(episode: Episode, row: Row) -> Mapping[str, str | float | None]:
    move = supporter_move(episode, row)
    own = next((e for e in row.internal_emotion if e.person == row.primary_speaker), None)
    return {
        "pattern": row.relation_cycle_state or None,
        "strategy": move[0] if move else None,
        "target": move[1] if move else None,
        "utterance_type": row.utterance_type or None,
        "intensity": own.intensity if own else None,
    }


def _labels(field: str, pairs: Sequence[tuple[object, object]]) -> Agreement:
    from sklearn.metrics import accuracy_score, cohen_kappa_score

    second, first, one_sided = _both(pairs, str)
    if not first:
        return Agreement(field, 0, one_sided)
    return Agreement(field, len(first), one_sided, float(accuracy_score(first, second)), float(cohen_kappa_score(first, second)))


def _intensity(pairs: Sequence[tuple[object, object]]) -> Agreement:
    second, first, one_sided = _both(pairs, lambda value: float(str(value)))
    apart = [abs(a - b) for a, b in zip(second, first, strict=True)]
    return Agreement("intensity", len(apart), one_sided, mean_difference=sum(apart) / len(apart) if apart else None)


def _both(pairs: Sequence[tuple[object, object]], kind: Callable[[object], T]) -> tuple[list[T], list[T], int]:
    """Values of both readers where both filled the field, and how many rows only one of them filled."""
    filled = [(kind(a), kind(b)) for a, b in pairs if a is not None and b is not None]
    return [a for a, _ in filled], [b for _, b in filled], sum((a is None) != (b is None) for a, b in pairs)
