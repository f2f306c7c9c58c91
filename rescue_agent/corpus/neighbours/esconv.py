"""ESConv (Liu et al. 2021): one seeker, one supporter. Its eight strategies are kept in `meta`, never mapped to RESCUE's."""

from pathlib import Path
from typing import Any, Final

from rescue_agent.corpus.neighbours.source import json_of, naming, text_of
from rescue_agent.schema import Episode, Row
from rescue_agent.taxonomy import SUPPORTER

SEEKER: Final = "Seeker"
_SUPPORTER_ROLES: Final = {"supporter", "listener", "sys"}
_ABOUT: Final = ("split", "emotion_type", "problem_type", "situation", "experience_type", "survey_score")


def read(path: Path) -> list[Episode]:
    """The dialogues of an ESConv file: the original's JSON list, or JSON lines of dialogues.

    Raises:
        InputError: when it is neither.
    """
    text = text_of(path)
    if text.lstrip().startswith("["):
        return [_episode(dialogue, i, str(path)) for i, dialogue in enumerate(json_of(text, str(path)), 1)]
    lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    return [_episode(json_of(line, f"{path}:{n}"), i, f"{path}:{n}") for i, (n, line) in enumerate(lines, 1)]


def _episode(dialogue: dict[str, Any], number: int, place: str) -> Episode:
    with naming(f"{place}: dialogue {number}"):
        turns = dialogue["dialog"] if "dialog" in dialogue else dialogue["turns"]
        return Episode(
            sample_id=f"esconv_{number}/1",
            scenario="couple",
            participants=(SEEKER,),
            source_file=Path(place).name,
            rows=tuple(_row(turn, i) for i, turn in enumerate(turns, 1)),
            meta={key: dialogue[key] for key in _ABOUT if dialogue.get(key) is not None} | {"format": "esconv"},
        )


def _row(turn: dict[str, Any], number: int) -> Row:
    by_supporter = (turn.get("role") or turn["speaker"]) in _SUPPORTER_ROLES
    annotation = turn.get("annotation") or {}
    strategy = turn.get("strategy") or annotation.get("strategy")
    own = {"strategy": strategy} | {key: value for key, value in annotation.items() if key != "strategy"}
    return Row(
        row_index=number,
        primary_speaker=SUPPORTER if by_supporter else SEEKER,
        target=(SEEKER if by_supporter else SUPPORTER,),
        dialogue_cleaned=str(turn["text"] if "text" in turn else turn["content"]).strip(),
        meta={key: value for key, value in own.items() if value is not None},
    )
