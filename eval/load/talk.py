"""One room in which two people talk, turn after turn, each turn with its time."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from graphs.room import Room
from rescue_agent.corpus.splits import bundled_episodes
from rescue_agent.embedding import default_embedder
from rescue_agent.engines.protocol import Engine
from rescue_agent.rooms.log import RoomLog
from rescue_agent.safety.head import sentences

PEOPLE: Final = ("Orla", "Pavel")


@dataclass(frozen=True)
class Talk:
    """What became of a room.

    Attributes:
        seconds: how long each turn took, in order.
        lost: turns of which the log knows nothing.
        stored: the bytes of what was said.
    """

    seconds: Sequence[float]
    lost: int
    stored: int


def opened(engine: Engine, folder: Path) -> Room:
    """A new room over the log in `folder`."""
    return Room.create("couple", PEOPLE, log=RoomLog(folder / "rooms.sqlite"), engine=engine, folder=folder)


@cache
def words() -> list[str]:
    """What people say: the turns of the corpus's development episodes."""
    return [row.dialogue_cleaned for episode in bundled_episodes("dev") for _, row in episode.client_rows()]


@cache
def known_words() -> list[str]:
    """The same, embedded before they are said: the model's work is not the room's."""
    default_embedder().encode([sentence for text in words() for sentence in sentences(text)])
    return words()


def talk(engine: Engine, folder: Path, turns: int, pause: float = 0.0) -> Talk:
    """Open a room and say `turns` things in it, each after the answer to the one before and `pause` seconds."""
    said, room, seconds = known_words(), opened(engine, folder), []
    for i in range(turns):
        seconds.append(_timed_turn(room, i, said[i % len(said)]))
        time.sleep(pause)
    kept = [turn.text for turn in room.transcript() if turn.speaker in PEOPLE]
    return Talk(seconds, turns - len(kept), sum(len(text.encode()) for text in kept))


def _timed_turn(room: Room, i: int, text: str) -> float:
    started = time.perf_counter()
    room.say(PEOPLE[i % 2], text, f"m{i}")
    return time.perf_counter() - started
