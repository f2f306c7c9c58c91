"""A two-speaker driver: language models play two people of a personas file in a room with the supporter; what comes out is an episode."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pydantic import JsonValue

from graphs.replay import run_turn
from graphs.state import RECENT_REPLIES
from rescue_agent.decisions import RelationState
from rescue_agent.engines.llm.asking import Asker
from rescue_agent.engines.protocol import Engine
from rescue_agent.errors import InputError
from rescue_agent.moment import Moment, Utterance
from rescue_agent.prompts import load_prompt
from rescue_agent.schema import Episode, Row
from rescue_agent.taxonomy import GROUP_LABEL, SUPPORTER

_WINDOW: Final = 20
_LONGEST: Final = 1_000
Persona = dict[str, str]


def read_personas(path: Path) -> list[Persona]:
    """The rows of a tab-separated personas file; `Name` is required, every other column describes the person.

    Raises:
        InputError: when it cannot be read, has no `Name`, or fewer than two people.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            people = [{k: (v or "").strip() for k, v in row.items() if k} for row in csv.DictReader(file, delimiter="\t")]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError.at(str(path), f"cannot be read ({error})", "check the path") from None
    named = [person for person in people if person.get("Name")]
    if len(named) < 2:
        raise InputError.at(str(path), f"{len(named)} people with a Name", "two are needed: one row each")
    return named


def drive(one: Persona, other: Persona, turns: int, engine: Engine, speaker: Asker, sample_id: str) -> Episode:
    """Let the two talk for `turns` turns in all, the supporter answering or holding after each.

    Raises:
        EndpointError: when the model that plays them doesn't answer.
    """
    people = (one["Name"], other["Name"])
    said = tuple(_talk(one, other, turns, engine, speaker))
    rows = tuple(Row(row_index=i, primary_speaker=u.speaker, target=u.target, dialogue_cleaned=u.text) for i, u in enumerate(said, 1))
    meta: dict[str, JsonValue] = {"synthetic": True, "personas": list(people), "engine": engine.name}
    return Episode(sample_id=sample_id, scenario="couple", participants=people, source_file="rescue-agent driver", rows=rows, meta=meta)


def _talk(one: Persona, other: Persona, turns: int, engine: Engine, speaker: Asker) -> Iterator[Utterance]:
    said: list[Utterance] = []
    replies: tuple[str, ...] = ()
    prior: RelationState | None = None
    paused = False
    for i in range(turns):
        me, you = (one, other) if i % 2 == 0 else (other, one)
        current = Utterance(speaker=me["Name"], target=(you["Name"],), text=_line(me, you, said, speaker))
        moment = Moment(
            scenario="couple", participants=(one["Name"], other["Name"]), context=tuple(said[-_WINDOW:]), current=current, prior=prior
        )
        state = run_turn(moment, engine, recent_replies=replies, paused=paused)
        prior, paused = state["relation"], paused or state.get("pauses", False)
        said.append(current)
        yield current
        if state["reply"]:
            scripted = not state["screening"].clear or paused
            target = GROUP_LABEL["couple"] if scripted else state["target"].best
            said.append(Utterance(speaker=SUPPORTER, target=(target,), text=state["reply"]))
            replies = (*replies, state["reply"])[-RECENT_REPLIES:]
            yield said[-1]


def _line(me: Persona, you: Persona, said: list[Utterance], speaker: Asker) -> str:
    turns: list[JsonValue] = [{"from": "SUPPORTER" if u.by_supporter else u.speaker, "said": u.text} for u in said[-_WINDOW:]]
    shown: dict[str, JsonValue] = {"you": dict(me), "others": [you["Name"]], "turns": turns}
    prompt = load_prompt("persona")
    text = "".join(speaker.pieces(prompt.name, prompt.text, shown)).strip()
    return text[:_LONGEST] or "..."
