"""MELD (Poria et al. 2019): multi-party dialogues with an emotion and a sentiment for each utterance, kept in `meta`."""

import re
from itertools import groupby
from pathlib import Path
from typing import Final

from rescue_agent.corpus.neighbours.source import csv_rows, naming
from rescue_agent.schema import Episode, Row

_COLUMNS: Final = {"Utterance", "Speaker", "Emotion", "Sentiment", "Dialogue_ID", "Utterance_ID"}
_SPLIT: Final = re.compile(r"(train|dev|test)_")
"""The release names a file by its split: `dev_sent_emo.csv`."""
_TIME: Final = re.compile(r"(\d+):(\d+):(\d+)[,.](\d+)")


def read(path: Path) -> list[Episode]:
    """The dialogues of a MELD csv file, in the file's order of dialogue ids.

    Raises:
        InputError: when a column is missing, or an id is no number.
    """
    rows = list(csv_rows(path, _COLUMNS))
    with naming(str(path)):
        rows.sort(key=lambda item: (int(item[1]["Dialogue_ID"]), int(item[1]["Utterance_ID"])))
    return [_episode(path, number, [row for _, row in rows]) for number, rows in groupby(rows, key=lambda item: item[1]["Dialogue_ID"])]


def _episode(path: Path, number: str, rows: list[dict[str, str]]) -> Episode:
    place = {key.lower(): rows[0][key] for key in ("Season", "Episode") if rows[0].get(key)}
    split = _SPLIT.match(path.name)
    return Episode(
        sample_id=f"meld_{path.stem}_{number}/1",
        scenario="family",
        participants=tuple(dict.fromkeys(row["Speaker"] for row in rows)),
        source_file=path.name,
        rows=tuple(_row(row, i) for i, row in enumerate(rows, 1)),
        meta={"format": "meld", **place} | ({"split": split[1]} if split else {}),
    )


def _row(row: dict[str, str], number: int) -> Row:
    return Row(
        row_index=number,
        start_time=_seconds(row.get("StartTime")),
        end_time=_seconds(row.get("EndTime")),
        primary_speaker=row["Speaker"],
        dialogue_cleaned=row["Utterance"],
        meta={"emotion": row["Emotion"], "sentiment": row["Sentiment"]},
    )


def _seconds(text: str | None) -> float | None:
    found = _TIME.fullmatch((text or "").strip())
    if not found:
        return None
    hours, minutes, seconds, thousandths = found.groups()
    return int(hours) * 3600 + int(minutes) * 60 + float(f"{seconds}.{thousandths}")
