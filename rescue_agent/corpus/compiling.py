"""Compile screenplays into RESCUE JSON. The bundled corpus is kept as screenplays; open.jsonl and splits.json are made from them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rescue_agent.corpus.rescue import write_episodes
from rescue_agent.corpus.screenplay import read
from rescue_agent.corpus.splits import assign
from rescue_agent.errors import InputError
from rescue_agent.files import replacing
from rescue_agent.schema import Episode

WORDS_PER_SECOND: Final = 2.5
PAUSE: Final = 0.6
"""Seconds between two rows, and the length of a row without words."""
OPEN_META: Final = {"synthetic": True, "corpus": "rescue-agent open corpus", "version": "1.0", "license": "CC-BY-4.0", "times": "estimated"}


def read_screenplays(folder: Path) -> list[Episode]:
    """All episodes of the screenplays in `folder` and below, by sample_id.

    Raises:
        InputError: with file, line and column of a mistake, for an empty folder, or for an id that stands twice.
    """
    files = sorted(folder.rglob("*.screenplay")) if folder.is_dir() else [folder]
    episodes = [episode for file in files for episode in read(file)]
    if not episodes:
        raise InputError.at(str(folder), "holds no screenplay", "give a .screenplay file or a folder of them")
    ids = [episode.sample_id for episode in episodes]
    if twice := next((name for name in ids if ids.count(name) > 1), None):
        raise InputError.at(str(folder), f"the id {twice!r} stands twice", "give each episode an id of its own")
    return sorted(episodes, key=lambda episode: episode.sample_id)


def with_times(episode: Episode) -> Episode:
    """The episode with times estimated from the number of words, where it has none."""
    clock, rows = 0.0, []
    for row in episode.rows:
        if row.start_time is None and row.end_time is None:
            end = clock + max(PAUSE, len(row.dialogue_cleaned.split()) / WORDS_PER_SECOND)
            row = row.model_copy(update={"start_time": round(clock, 2), "end_time": round(end, 2)})
        clock = (row.end_time or clock) + PAUSE
        rows.append(row)
    return episode.model_copy(update={"rows": tuple(rows)})


def marked_open(episode: Episode) -> Episode:
    """The episode marked as synthetic, in its own `meta` and in every row's."""
    rows = tuple(row.model_copy(update={"meta": {**row.meta, "synthetic": True}}) for row in episode.rows)
    return episode.model_copy(update={"meta": {**episode.meta, **OPEN_META}, "rows": rows})


def compile_open(folder: Path, out: Path) -> Sequence[Episode]:
    """Compile the open corpus: `out`/open.jsonl and `out`/splits.json from the screenplays in `folder`.

    Raises:
        InputError: as `read_screenplays`.
    """
    episodes = [marked_open(with_times(episode)) for episode in read_screenplays(folder)]
    write_episodes(episodes, out / "open.jsonl")
    with replacing(out / "splits.json") as temporary:
        temporary.write_text(json.dumps(assign(episode.group for episode in episodes), indent=1) + "\n", encoding="utf-8")
    return episodes
