"""Persona-conflicts: two-party conflict dialogues with turn-level ratings and labels of (non)violent communication, kept in `meta`."""

import ast
import json
from pathlib import Path
from typing import Any, Final

from rescue_agent.corpus.neighbours.source import csv_rows, naming
from rescue_agent.schema import Episode, Row

_COLUMNS: Final = {"transformed_conversation", "relationship_subtype"}
_FAMILY: Final = ("parent", "child", "sibling", "family")
_ABOUT: Final = ("condition", "convo_type", "relationship_subtype", "relationship_tag", "backstory", "believability_avg")
_A_TURN: Final = {
    "turn_problematic_avg": "problematic",
    "turn_feeling_avg": "feeling",
    "turn_vc_union": "violent_communication",
    "turn_nvc_union": "nonviolent_communication",
}


def read(path: Path) -> list[Episode]:
    """The dialogues of the annotation csv (a folder: its mturk_aggregate.csv).

    Raises:
        InputError: when a column is missing, or a dialogue is not of the format.
    """
    file = path / "mturk_aggregate.csv" if path.is_dir() else path
    return [_episode(row, i, file, line) for i, (line, row) in enumerate(csv_rows(file, _COLUMNS), 1)]


def _episode(row: dict[str, str], number: int, path: Path, line: int) -> Episode:
    with naming(f"{path}:{line}"):
        turns = json.loads(row["transformed_conversation"])
        names = tuple(dict.fromkeys(_name(turn["speaker"]) for turn in turns))
        labels = {name: _list(row.get(column)) for column, name in _A_TURN.items()}
        family = any(word in row["relationship_subtype"].lower() for word in _FAMILY)
        return Episode(
            sample_id=f"persona_conflicts_{row.get('id') or number}/{number}",
            scenario="family" if family else "couple",
            participants=names,
            source_file=path.name,
            rows=tuple(_row(turn, i, names, labels) for i, turn in enumerate(turns)),
            meta={key: row[key] for key in _ABOUT if row.get(key)} | {"format": "persona-conflicts"},
        )


def _name(speaker: str) -> str:
    return speaker.strip("() ")


def _list(text: str | None) -> list[Any]:
    value = ast.literal_eval(text) if text else []
    return value if isinstance(value, list) else []


def _row(turn: dict[str, Any], position: int, names: tuple[str, ...], labels: dict[str, list[Any]]) -> Row:
    speaker = _name(turn["speaker"])
    return Row(
        row_index=position + 1,
        primary_speaker=speaker,
        target=tuple(name for name in names if name != speaker),
        dialogue_cleaned=turn["text"],
        meta={name: values[position] for name, values in labels.items() if position < len(values)},
    )
