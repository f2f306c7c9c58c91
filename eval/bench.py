"""`make bench`: how long the embedded engine takes for a file of the full benchmark's size and for a live turn; what load rooms hold.

The file is resampled from the open corpus to 191 samples; each text gets a word of its own, so that no embedding is known beforehand.
"""

import json
import os
import platform
import resource
import sys
import tempfile
import time
from collections.abc import Generator, Iterator, Sequence
from itertools import chain, cycle, islice
from pathlib import Path
from statistics import median
from typing import Final

from pydantic import JsonValue

from eval.engines import shipped
from eval.instances import SOUND, TaskName
from eval.load import memory, page, rooms
from eval.plan import Plan
from eval.run import answer, entrant, score
from graphs.replay import run_turn
from rescue_agent.corpus.splits import bundled_episodes
from rescue_agent.embedding import default_embedder
from rescue_agent.engines.llm.asking import Asker
from rescue_agent.engines.llm.engine import JointEngine
from rescue_agent.engines.llm.protocol import Completion, Request
from rescue_agent.engines.protocol import Engine
from rescue_agent.engines.registry import make_engine
from rescue_agent.moment import Mode, Moment, Utterance
from rescue_agent.schema import Episode
from rescue_agent.settings import settings

SAMPLES: Final = 191
ROWS: Final = 7079
"""Size of the full benchmark."""
_TURNS: Final = 200
_EARLY, _LONG, _AROUND = 10, 500, 20


def resampled(count: int) -> list[Episode]:
    """`count` episodes of groups of their own, each text with a word of its own."""
    return _cut_to(ROWS * count // SAMPLES, [_renamed(e, i) for i, e in enumerate(islice(cycle(bundled_episodes("all")), count))])


def _cut_to(rows: int, episodes: list[Episode]) -> list[Episode]:
    """`episodes` with rows taken off the ends of the longest until `rows` are left (all, where there are fewer)."""
    longest = max(len(episode.rows) for episode in episodes)
    while sum(min(len(episode.rows), longest) for episode in episodes) > rows:
        longest -= 1
    return [episode.model_copy(update={"rows": episode.rows[:longest]}) for episode in episodes]


def _renamed(episode: Episode, i: int) -> Episode:
    rows = tuple(row.model_copy(update={"dialogue_cleaned": f"{row.dialogue_cleaned} {i}"}) for row in episode.rows)
    return episode.model_copy(update={"sample_id": f"bench_{i}/1", "rows": rows, "meta": {}})


def time_scoring(episodes: Sequence[Episode], folder: Path) -> float:
    """Seconds for predicting and scoring all six tasks with the embedded engine, model loaded before."""
    contender = shipped("embedded", episodes)
    plan = Plan(episodes, list(TaskName), SOUND, Mode.DIALOGUE, seed=0)
    started = time.perf_counter()
    answer(plan, [contender], folder)
    score([(plan, [entrant(plan, contender)])], folder)
    return time.perf_counter() - started


def time_turns(engine: Engine, episodes: Sequence[Episode]) -> list[float]:
    """Seconds of each of `_TURNS` live turns (all six decisions and the reply through the graph), sorted."""
    return sorted(islice(_turn_times(engine, episodes), _TURNS))


def _turn_times(engine: Engine, episodes: Sequence[Episode]) -> Iterator[float]:
    for episode in episodes:
        state = None
        for position in range(len(episode.rows)):
            moment = Moment.at(episode, position, with_current=True, window=20, prior=state)
            started = time.perf_counter()
            if not episode.rows[position].by_supporter:
                run_turn(moment, engine)
                yield time.perf_counter() - started
            state = engine.follow_relation(moment)


class _Measured:
    """A model that gives one fixed answer and notes how many tokens (of the embedding model's tokenizer) it was shown."""

    identity = "measured"

    def __init__(self) -> None:
        self.shown: list[int] = []

    def ask(self, request: Request) -> Generator[str, None, Completion]:
        """The fixed answer."""
        text = "\n".join(str(message.content) for message in request.messages)
        self.shown.append(default_embedder().count_tokens(text))
        yield from ()
        return Completion(json.dumps(_ANSWER))


_ANSWER: Final[JsonValue] = {
    "evidence": "what was said last",
    "emotion": {"description": "hurt and left alone with it", "intensity": 5},
    "viewpoints": [],
    "pattern": [{"label": "pursue_withdraw", "probability": 0.6}],
    "intervention": {"speak": True, "probability": 0.7},
    "target": [{"label": "GROUP", "probability": 0.6}],
    "strategy": [{"label": "track", "probability": 0.5}],
    "toward": [],
    "summary": " ".join(["P1 wants an answer about the house and P2 wants time;"] * 6),
}


def prompt_tokens(turns: int) -> list[int]:
    """Tokens that a language model is shown for the decisions of each of `turns` turns of one long room (window and summary)."""
    model = _Measured()
    engine = JointEngine(Asker(model), settings().llm_window)
    script = [Utterance.of(row) for episode in bundled_episodes("all") if episode.scenario == "couple" for _, row in episode.client_rows()]
    said = [
        line.model_copy(update={"speaker": "AB"[i % 2], "target": ("BA"[i % 2],)}) for i, line in enumerate(islice(cycle(script), turns))
    ]
    state = None
    for i, current in enumerate(said):
        moment = Moment(scenario="couple", participants=("A", "B"), context=tuple(said[max(0, i - 20) : i]), current=current, prior=state)
        state = engine.follow_relation(moment)
    return model.shown


def main() -> None:
    """Print the figures, with the machine they were measured on."""
    write = sys.stdout.write
    write(f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}\n")
    episodes = resampled(SAMPLES)
    with tempfile.TemporaryDirectory() as folder:
        seconds = time_scoring(episodes, Path(folder))
    rows = sum(len(episode.rows) for episode in episodes)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    write(f"scoring six tasks, embedded engine, {len(episodes)} samples, {rows} rows: {seconds:.1f} s, peak memory {peak:.0f} MB\n")
    times = time_turns(shipped("embedded", episodes).for_group("bench_0"), resampled(SAMPLES * 2)[SAMPLES:])
    p50, p95 = median(times), times[int(0.95 * len(times))]
    write(f"a live turn with decisions and reply, {len(times)} turns: p50 {p50 * 1000:.0f} ms, p95 {p95 * 1000:.0f} ms\n")
    for line in chain(rooms.report(make_engine("majority")), page.report(), memory.report()):
        write(f"{line}\n")
    shown = prompt_tokens(_LONG)
    early, late = (median(shown[at : at + _AROUND]) for at in (_EARLY, _LONG - _AROUND))
    write(f"tokens shown to a language model for a turn's decisions: {early:.0f} around turn {_EARLY}, {late:.0f} around turn {_LONG}\n")


if __name__ == "__main__":
    main()
