"""Mend what real RESCUE files get wrong, one oddity a function, and note each. No row is lost for any of them."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from rescue_agent.corpus.encoding import repaired
from rescue_agent.schema import Episode, Row
from rescue_agent.taxonomy import GROUP_LABEL, SCENARIOS, SUPPORTER, UTTERANCE_TYPE_NAMES, Scenario, pattern_names, strategy_names

CYCLE: Final = ("relation_cycle_state", "relation_cycle_reason", "relation_cycle_evidence_rows")
PATTERN: Final = ("relation_pattern", "relation_pattern_reason", "relation_pattern_evidence_rows")
KEPT_LABEL: Final = "outside the taxonomy (kept)"
_CUES: Final = ("body_posture", "facial_expressions", "self_directed_behavior")
_RECORDS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    # field -> (key of the words, defaults); the key whose default is None takes the row's speaker
    "background_dialogue": ("content", {"speaker": None, "target": (), "content": ""}),
    **{cue: ("description", {"person": None, "description": ""}) for cue in _CUES},
    "interaction_behavior": ("description", {"initiator": None, "target": (), "description": ""}),
    "internal_emotion": ("emotion_description", {"person": None, "emotion_description": "", "intensity": ""}),
    "viewpoints_attitudes": ("viewpoint", {"source": None, "target": "", "viewpoint": "", "attitude": ""}),
    "support_strategy": ("strategy_type", {"provider": SUPPORTER, "target": (), "strategy_type": "", "strategy_content": ""}),
}
_TEXTS: Final = ("dialogue_cleaned", "utterance_type", "tone_of_voice", *CYCLE[:2], *PATTERN[:2])
_MAX_ROW: Final = 100_000
"""No sample has a row of such a number: a larger one is damage."""


@dataclass(frozen=True)
class Mend:
    """One thing that was mended: its kind, the sample, and the row's number when it concerns a row."""

    kind: str
    sample_id: str
    row: int | None = None


class Mender:
    """Turns a raw sample into an episode, noting in `mends` what it had to change."""

    def __init__(self, mends: list[Mend]) -> None:
        self.mends = mends
        self._sample_id = ""
        self._row_index: int | None = None

    def episode(self, raw: dict[str, Any], reject: Callable[[str], None]) -> Episode:
        """The episode; rows that are no rows are handed to `reject` with what is wrong.

        Raises:
            ValueError: when the sample itself cannot be used.
        """
        rows = raw.get("rows")
        if not isinstance(rows, list):
            raise ValueError("'rows' must be a list")
        self._sample_id, self._row_index = str(raw.get("sample_id") or "sample"), None
        raw = repaired({key: value for key, value in raw.items() if key != "rows"}, self._note)
        rows = [row for row in rows if self._is_row(row, reject)]
        participants = self._names(raw.get("participants"))
        scenario = self._scenario(raw, participants, rows)
        read = [self._row(row, number, scenario) for number, row in enumerate(self._with_cycle_state(rows, scenario), 1)]
        self._row_index = None
        return Episode(
            sample_id=str(raw.get("sample_id") or "sample"),
            scenario=scenario,
            participants=self._people(participants, read, scenario),
            source_file=self._words(raw.get("source_file")),
            rows=tuple(read),
            meta=self._meta(raw, Episode.model_fields.keys()),
        )

    def _note(self, kind: str, row: int | None = None) -> None:
        self.mends.append(Mend(kind, self._sample_id, row or self._row_index))

    # The sample ------------------------------------------------------------------------------------------------------

    def _scenario(self, raw: dict[str, Any], participants: tuple[str, ...], rows: list[dict[str, Any]]) -> Scenario:
        given = raw.get("scenario")
        if isinstance(given, str) and (plain := given.strip().lower()) in SCENARIOS:
            return plain
        self._note("scenario missing or unknown (by whom the rows address, the id, and the number of people)")
        addressed = {name for row in rows if isinstance(row.get("target"), list) for name in row["target"] if isinstance(name, str)}
        if found := next((scenario for scenario in SCENARIOS if GROUP_LABEL[scenario] in addressed), None):
            return found
        people = {*participants, *(row["primary_speaker"].strip() for row in rows)} - {SUPPORTER}
        return "family" if str(raw.get("sample_id")).startswith("family") or len(people) > 2 else "couple"

    def _is_row(self, row: object, reject: Callable[[str], None]) -> bool:
        if not isinstance(row, dict):
            reject(f"a row must be an object, not {type(row).__name__}; left out")
        elif not isinstance(row.get("primary_speaker"), str) or not row["primary_speaker"].strip():
            reject(f"row {row.get('row_index')} has no primary_speaker; left out")
        else:
            return True
        return False

    def _with_cycle_state(self, rows: list[dict[str, Any]], scenario: Scenario) -> list[dict[str, Any]]:
        """In a family sample without any `relation_cycle_state`, `relation_pattern` is it. Never in a couple's: it leaks there."""
        if scenario != "family" or any(CYCLE[0] in row for row in rows):
            return rows
        for number, row in enumerate(rows, 1):
            if row.get(PATTERN[0]):
                self._note("relation_pattern read as relation_cycle_state", number)
        return [{**row, **{cycle: row.get(pattern) for cycle, pattern in zip(CYCLE, PATTERN, strict=True)}} for row in rows]

    def _people(self, listed: tuple[str, ...], rows: list[Row], scenario: Scenario) -> tuple[str, ...]:
        """The list as it stands. Who speaks without being on it is only noted: the list is known from the start, a speaker is not."""
        speakers = dict.fromkeys(row.primary_speaker for row in rows if not row.by_supporter)
        people = tuple(name for name in dict.fromkeys(listed) if name not in (SUPPORTER, GROUP_LABEL[scenario]))
        if not people and speakers:
            self._note("participants missing (taken from who speaks)")
            return tuple(speakers)
        for _ in speakers.keys() - set(people):
            self._note("speaker missing from the participants")
        return people

    def _meta(self, raw: dict[str, Any], known: Any) -> dict[str, Any]:  # noqa: ANN401 (a view of field names)
        unknown = {key: value for key, value in raw.items() if key not in known}
        for _ in unknown:
            self._note("field that the schema does not know (kept in meta)")
        given = raw.get("meta")
        if given is not None and not isinstance(given, dict):
            unknown["meta"] = given
        return {key: self._finite(value) for key, value in {**(given if isinstance(given, dict) else {}), **unknown}.items()}

    def _finite(self, value: Any) -> Any:  # noqa: ANN401 (any JSON)
        """JSON has no NaN and no infinity."""
        if isinstance(value, list):
            return [self._finite(item) for item in value]
        if isinstance(value, dict):
            return {key: self._finite(item) for key, item in value.items()}
        return None if isinstance(value, float) and not math.isfinite(value) else value

    # A row -----------------------------------------------------------------------------------------------------------

    def _row(self, raw: dict[str, Any], number: int, scenario: Scenario) -> Row:
        self._row_index = number
        self._row_index = index = self._index(raw.get("row_index"), number)
        raw = repaired(raw, self._note)
        speaker = raw["primary_speaker"].strip()
        row = Row(
            row_index=index,
            start_time=self._seconds(raw.get("start_time")),
            end_time=self._seconds(raw.get("end_time")),
            primary_speaker=speaker,
            target=self._names(raw.get("target")),
            **{field: self._words(raw.get(field)) for field in _TEXTS},
            **{field: self._records(raw.get(field), field, speaker) for field in _RECORDS},
            **{field: self._numbers(raw.get(field)) for field in (CYCLE[2], PATTERN[2])},
            meta=self._meta(raw, Row.model_fields.keys()),
        )
        self._note_unknown_labels(row, scenario)
        return row

    def _index(self, value: object, number: int) -> int:
        found = self._float(value) if not isinstance(value, bool) else None
        if found is not None and found.is_integer() and abs(found) < _MAX_ROW:
            return int(found)
        self._note("row_index missing or no usable whole number (by position)")
        return number

    def _seconds(self, value: object) -> float | None:
        number = self._float(value)
        if number is None and value not in (None, ""):
            self._note("time that is no number (left empty)")
        return number

    def _float(self, value: object) -> float | None:
        try:
            number = float(value)  # type: ignore[arg-type]
        except (TypeError, ValueError, OverflowError):
            return None
        return number if math.isfinite(number) else None

    def _words(self, value: object) -> str:
        if isinstance(value, str) or value is None:
            return value or ""
        self._note("text field that held no text")
        return str(value)

    def _names(self, value: object) -> tuple[str, ...]:
        if value in (None, "", []):
            return ()
        if not isinstance(value, list):
            self._note("name where a list of names belongs")
            value = [value]
        names = tuple(name.strip() for name in value if isinstance(name, str) and name.strip())
        if len(names) < len(value):
            self._note("name that is no text (left out)")
        return names

    def _numbers(self, value: object) -> tuple[int, ...]:
        if value in (None, "", []):
            return ()
        given = value if isinstance(value, list) else [value]
        numbers = [self._float(item) for item in given]
        kept = tuple(int(n) for n in numbers if n is not None and abs(n) < _MAX_ROW)
        if len(kept) < len(given):
            self._note("evidence row that is no row number (left out)")
        return kept

    def _records(self, value: object, field: str, speaker: str) -> tuple[dict[str, Any], ...]:
        """A list of records: a bare string becomes one record about the speaker, null none, missing keys are filled."""
        if value in (None, "", []):
            return ()
        if not isinstance(value, list):
            self._note(f"{field} that was no list")
            value = [value]
        return tuple(self._record(item, field, speaker) for item in value if item)

    def _record(self, item: object, field: str, speaker: str) -> dict[str, Any]:
        words, defaults = _RECORDS[field]
        if not isinstance(item, dict):
            self._note("bare text where a record belongs")
            item = {words: str(item)}
        if item.keys() - defaults.keys():
            self._note(f"{field} with a key that the schema does not know (left out)")
        return {key: self._value(key, item.get(key), speaker if default is None else default) for key, default in defaults.items()}

    def _value(self, key: str, value: object, default: object) -> object:
        if key == "intensity":
            return self._intensity(value)
        if default == ():
            return self._names(value)
        words = self._words(value)
        return words or default

    def _intensity(self, value: object) -> float | None:
        number = self._float(value)
        if value not in (None, "") and number is None:
            self._note("intensity that is no number (left empty)")
        elif number is not None and not number.is_integer():
            self._note("intensity with a fraction (kept)")
        return number

    def _note_unknown_labels(self, row: Row, scenario: Scenario) -> None:
        if row.utterance_type and row.utterance_type not in UTTERANCE_TYPE_NAMES:
            self._note(f"utterance_type {KEPT_LABEL}")
        if row.relation_cycle_state and row.relation_cycle_state not in pattern_names(scenario):
            self._note(f"relation_cycle_state {KEPT_LABEL}")
        for move in row.support_strategy:
            if move.strategy_type not in strategy_names(scenario):
                self._note(f"strategy_type {KEPT_LABEL}")
