"""Mend what real RESCUE files get wrong, one oddity a function, and count each kind. No row is lost for any of them."""

import math
import re
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import ftfy

from rescue_agent.schema import Episode, Row
from rescue_agent.taxonomy import GROUP_LABEL, SCENARIOS, SUPPORTER, UTTERANCE_TYPE_NAMES, Scenario, pattern_names, strategy_names

_CYCLE: Final = ("relation_cycle_state", "relation_cycle_reason", "relation_cycle_evidence_rows")
_PATTERN: Final = ("relation_pattern", "relation_pattern_reason", "relation_pattern_evidence_rows")
_CUES: Final = ("body_posture", "facial_expressions", "self_directed_behavior")
_MOJIBAKE: Final = re.compile(r"[ÃÂâ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]")
"""UTF-8 that was read as Latin-1 or Windows-1252: a lead byte followed by a continuation byte. Good typography has no such pair."""
_MAX_EVIDENCE: Final = 100_000


class Mender:
    """Turns a raw sample into an episode, counting in `mends` what it had to change."""

    def __init__(self, mends: Counter[str]) -> None:
        self.mends = mends

    def episode(self, raw: dict[str, Any], reject: Callable[[str], None]) -> Episode:
        """The episode; rows that are no rows are handed to `reject` with what is wrong.

        Raises:
            ValueError: when the sample itself cannot be used.
        """
        raw = self._without_mojibake(raw)
        rows = raw.get("rows")
        if not isinstance(rows, list):
            raise ValueError("'rows' must be a list")
        participants = self._names(raw.get("participants"))
        scenario = self._scenario(raw, participants)
        rows = self._with_cycle_state([row for row in rows if self._is_row(row, reject)], scenario)
        read = [self._row(row, number, scenario) for number, row in enumerate(rows, 1)]
        return Episode(
            sample_id=str(raw.get("sample_id") or "sample"),
            scenario=scenario,
            participants=self._all_participants(participants, read, scenario),
            source_file=str(raw.get("source_file") or ""),
            rows=tuple(read),
            meta=raw["meta"] if isinstance(raw.get("meta"), dict) else {},
        )

    def _count(self, kind: str, times: int = 1) -> None:
        if times:
            self.mends[kind] += times

    # The sample ------------------------------------------------------------------------------------------------------

    def _without_mojibake(self, value: Any) -> Any:  # noqa: ANN401 (any JSON)
        if isinstance(value, str) and _MOJIBAKE.search(value):
            self._count("text with broken encoding")
            return ftfy.fix_encoding(value)
        if isinstance(value, list):
            return [self._without_mojibake(item) for item in value]
        if isinstance(value, dict):
            return {key: self._without_mojibake(item) for key, item in value.items()}
        return value

    def _scenario(self, raw: dict[str, Any], participants: tuple[str, ...]) -> Scenario:
        if raw.get("scenario") in SCENARIOS:
            return raw["scenario"]  # type: ignore[no-any-return]
        self._count("scenario missing (by the id and the number of participants)")
        return "family" if str(raw.get("sample_id")).startswith("family") or len(participants) > 2 else "couple"

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
        if scenario != "family" or any("relation_cycle_state" in row for row in rows):
            return rows
        self._count("relation_pattern read as relation_cycle_state", sum(bool(row.get("relation_pattern")) for row in rows))
        return [{**row, **{cycle: row.get(pattern) for cycle, pattern in zip(_CYCLE, _PATTERN, strict=True)}} for row in rows]

    def _all_participants(self, listed: tuple[str, ...], rows: list[Row], scenario: Scenario) -> tuple[str, ...]:
        """The list as it stands. Who speaks without being on it is only counted: the list is known from the start, a speaker is not."""
        speakers = dict.fromkeys(row.primary_speaker for row in rows if not row.by_supporter)
        self._count("speaker missing from the participants", sum(name not in listed for name in speakers))
        people = tuple(name for name in dict.fromkeys(listed) if name not in (SUPPORTER, GROUP_LABEL[scenario]))
        return people or tuple(speakers)

    # A row -----------------------------------------------------------------------------------------------------------

    def _row(self, raw: dict[str, Any], number: int, scenario: Scenario) -> Row:
        speaker = raw["primary_speaker"].strip()
        unknown = sorted(raw.keys() - Row.model_fields.keys())
        self._count("field that the schema does not know (kept in meta)", len(unknown))
        row = Row(
            row_index=self._index(raw.get("row_index"), number),
            start_time=self._seconds(raw.get("start_time")),
            end_time=self._seconds(raw.get("end_time")),
            primary_speaker=speaker,
            target=self._names(raw.get("target")),
            dialogue_cleaned=self._words(raw.get("dialogue_cleaned")),
            utterance_type=self._words(raw.get("utterance_type")),
            background_dialogue=self._dicts(raw, "background_dialogue", {"speaker": speaker, "target": (), "content": ""}),
            tone_of_voice=self._words(raw.get("tone_of_voice")),
            interaction_behavior=self._dicts(raw, "interaction_behavior", {"initiator": speaker, "target": (), "description": ""}),
            internal_emotion=self._dicts(raw, "internal_emotion", {"person": speaker, "emotion_description": "", "intensity": None}),
            viewpoints_attitudes=self._dicts(
                raw, "viewpoints_attitudes", {"source": speaker, "target": "", "viewpoint": "", "attitude": ""}
            ),
            support_strategy=self._dicts(
                raw, "support_strategy", {"provider": SUPPORTER, "target": (), "strategy_type": "", "strategy_content": ""}
            ),
            **{cue: self._dicts(raw, cue, {"person": speaker, "description": ""}) for cue in _CUES},
            **{key: self._words(raw.get(key)) for key in (*_CYCLE[:2], *_PATTERN[:2])},
            **{key: self._numbers(raw.get(key)) for key in (_CYCLE[2], _PATTERN[2])},
            meta={**(raw["meta"] if isinstance(raw.get("meta"), dict) else {}), **{key: raw[key] for key in unknown}},
        )
        self._count_unknown_labels(row, scenario)
        return row

    def _index(self, value: object, number: int) -> int:
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        self._count("row_index missing or no whole number (by position)")
        return number

    def _seconds(self, value: object) -> float | None:
        number = self._float(value)
        if number is None and value not in (None, ""):
            self._count("time that is no number (left empty)")
        return number

    def _float(self, value: object) -> float | None:
        try:
            number = float(value)  # type: ignore[arg-type]
        except (TypeError, ValueError, OverflowError):
            return None
        return number if math.isfinite(number) else None

    def _words(self, value: object) -> str:
        if isinstance(value, str):
            # a lone surrogate cannot be written back
            return value.encode("utf-8", "replace").decode("utf-8") if not value.isascii() else value
        if value is not None:
            self._count("text field that held no text")
        return "" if value is None else str(value)

    def _names(self, value: object) -> tuple[str, ...]:
        if isinstance(value, str):
            self._count("name where a list of names belongs")
            return (value.strip(),) if value.strip() else ()
        return tuple(name.strip() for name in value if isinstance(name, str) and name.strip()) if isinstance(value, list) else ()

    def _numbers(self, value: object) -> tuple[int, ...]:
        if not isinstance(value, list):
            return ()
        numbers = (self._float(item) for item in value)
        return tuple(int(n) for n in numbers if n is not None and abs(n) < _MAX_EVIDENCE)

    def _dicts(self, raw: dict[str, Any], field: str, defaults: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """A list of records: a bare string becomes one record about the speaker, null none, missing keys are filled."""
        value = raw.get(field)
        if isinstance(value, (str, dict)):
            self._count(f"{field} that was no list")
            value = [value] if value else []
        items = [item for item in value or () if item] if isinstance(value, (list, tuple)) else []
        return tuple(self._record(item, defaults) for item in items)

    def _record(self, item: object, defaults: dict[str, Any]) -> dict[str, Any]:
        if not isinstance(item, dict):
            self._count("bare text where a record belongs")
            words = next(reversed([key for key, value in defaults.items() if value == ""]), "")
            if "emotion_description" in defaults:
                words = "emotion_description"
            item = {words: str(item)}
        return {key: self._value(key, item.get(key), default) for key, default in defaults.items()}

    def _value(self, key: str, value: object, default: object) -> object:
        if key == "intensity":
            number = self._float(value)
            if value is not None and number is None:
                self._count("intensity that is no number (left empty)")
            elif isinstance(value, float) and not value.is_integer():
                self._count("intensity with a fraction (kept)")
            return number
        if key == "target" and default == ():
            return self._names(value)
        return self._words(value) if value not in (None, "") else default

    def _count_unknown_labels(self, row: Row, scenario: Scenario) -> None:
        """Labels outside the taxonomy are kept, and counted."""
        if row.utterance_type and row.utterance_type not in UTTERANCE_TYPE_NAMES:
            self._count("utterance_type outside the taxonomy (kept)")
        if row.relation_cycle_state and row.relation_cycle_state not in pattern_names(scenario):
            self._count("relation_cycle_state outside the taxonomy (kept)")
        for move in row.support_strategy:
            if move.strategy_type not in strategy_names(scenario):
                self._count("strategy_type outside the taxonomy (kept)")
