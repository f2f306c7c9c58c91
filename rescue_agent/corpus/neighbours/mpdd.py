"""MPDD (Chen et al. 2020): Chinese multi-party dialogues; emotions and directed relations to each listener go to `meta`."""

import zipfile
from pathlib import Path
from typing import Any

from rescue_agent.corpus.neighbours.source import json_of, naming, text_of
from rescue_agent.errors import InputError
from rescue_agent.schema import Episode, Row


def read(path: Path) -> list[Episode]:
    """The dialogues of MPDD: dialogue.json, a folder that holds it, or the release's zip file.

    Raises:
        InputError: when there is no dialogue.json.
    """
    dialogues = json_of(_dialogue_json(path), str(path))
    with naming(str(path)):
        return [_episode(key, turns, str(path)) for key, turns in dialogues.items()]


def _dialogue_json(path: Path) -> str:
    if path.is_dir():
        files = sorted([*path.rglob("dialogue.json"), *path.glob("*.zip")])
        if not files:
            raise InputError.at(str(path), "holds no dialogue.json and no zip file", "give MPDD's folder")
        path = files[0]
    if path.suffix != ".zip":
        return text_of(path)
    try:
        with zipfile.ZipFile(path) as archive:
            name = next((n for n in archive.namelist() if n.endswith("dialogue.json")), None)
            if name is None:
                raise InputError.at(str(path), "the zip file holds no dialogue.json", "give MPDD's zip file")
            return archive.read(name).decode("utf-8-sig")
    except (zipfile.BadZipFile, OSError) as error:
        raise InputError.at(str(path), f"cannot be read ({error})", "give MPDD's zip file") from None


def _episode(key: str, turns: list[dict[str, Any]], place: str) -> Episode:
    with naming(f"{place}: dialogue {key}"):
        people = dict.fromkeys(name for turn in turns for name in (turn["speaker"], *(one["name"] for one in turn["listener"])))
        return Episode(
            sample_id=f"mpdd_{key}/1",
            scenario="family",
            participants=tuple(people),
            source_file=Path(place).name,
            rows=tuple(_row(turn, i) for i, turn in enumerate(turns, 1)),
            meta={"format": "mpdd"},
        )


def _row(turn: dict[str, Any], number: int) -> Row:
    return Row(
        row_index=number,
        primary_speaker=turn["speaker"],
        target=tuple(one["name"] for one in turn["listener"]),
        dialogue_cleaned=turn["utterance"],
        meta={"emotion": turn["emotion"], "relations": {one["name"]: one["relation"] for one in turn["listener"]}},
    )
