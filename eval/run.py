"""One scoring run from data to files: predict, score, write."""

import os
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from eval.about import about
from eval.engines import Contender
from eval.fairness import target_balance
from eval.judge import Judge
from eval.outside import outside_predictions
from eval.plan import Plan
from eval.records import Prediction, Result, Results, Setting, read_predictions, write_predictions, write_results
from eval.runner import Key, Predicted, Progress, key_of, no_progress, predict, wanted_key
from eval.scoring import Column, results_of, score_one
from rescue_agent.engines.swaps import SwapConsistency
from rescue_agent.errors import InputError

PREDICTIONS: Final = "predictions.jsonl"
JUDGEMENTS: Final = "judgements.jsonl"
RESULTS: Final = "results.json"


@dataclass(frozen=True)
class Entrant:
    """Whose answers are scored: a name, how its scores must be called, and the keys of the answers that are its own now."""

    name: str
    setting: Setting
    keys: frozenset[Key]


def entrant(plan: Plan, contender: Contender) -> Entrant:
    """A contender in a plan. Answers that it gave under another configuration are not its own."""
    keys = frozenset(wanted_key(contender, instance, plan.protocol.name) for instance in plan.instances)
    return Entrant(contender.name, contender.setting, keys)


def answer(
    plan: Plan,
    contenders: Sequence[Contender],
    out: Path,
    *,
    concurrency: int = 1,
    progress: Progress = no_progress,
) -> Predicted:
    """The predict phase.

    Raises:
        InputError: when the data hold no instance of any task.
    """
    if not plan.instances:
        raise InputError(f"the data hold no instance of {', '.join(plan.tasks)}; are they annotated?")
    name = plan.protocol.name
    return predict(contenders, plan.instances, out / PREDICTIONS, protocol=name, concurrency=concurrency, progress=progress)


def add_outside(plan: Plan, path: Path, out: Path) -> Entrant:
    """Put another system's answers beside the engines' own, under the name of its file.

    Raises:
        InputError: as `outside_predictions`.
    """
    known, _ = read_predictions(out / PREDICTIONS)
    others = [p for p in known if (p.engine, p.protocol) != (path.stem, plan.protocol.name)]
    theirs = outside_predictions(path, path.stem, plan)
    out.mkdir(parents=True, exist_ok=True)
    write_predictions(out / PREDICTIONS, [*others, *theirs])
    return Entrant(path.stem, "zero-shot", frozenset(key_of(p) for p in theirs))


def score(
    entries: Sequence[tuple[Plan, Sequence[Entrant]]],
    out: Path,
    *,
    judge: Judge | None = None,
    asked: Sequence[Predicted] = (),
    swaps: Mapping[str, SwapConsistency] | None = None,
    progress: Progress = no_progress,
) -> Results:
    """Score the entrants' answers in `out`, and write predictions.jsonl (with scores) and results.json.

    Args:
        entries: a plan for each protocol, with its entrants.
        judge: grades ER and VP; without one `judge`, `s_emo` and `s_er` are unscored.
        asked: what the predict phase of this process did, for the record.
        swaps: swap consistency by engine.
    """
    started = time.monotonic()
    known, _ = read_predictions(out / PREDICTIONS)
    mine = frozenset().union(*(e.keys for _, entrants in entries for e in entrants))
    grades = judge.grade([p for p in known if key_of(p) in mine], out / JUDGEMENTS, progress) if judge else {}
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        done = workers.map(lambda p: score_one(p, grades.get(key_of(p))) if key_of(p) in mine else p, known)
        scored = {key_of(p): p for p in done}
    write_predictions(out / PREDICTIONS, scored.values())
    rows = [row for plan, entrants in entries for e in entrants for row in _rows(plan, e, [scored[k] for k in scored if k in e.keys])]
    seconds = time.monotonic() - started
    run = about([plan for plan, _ in entries], judge, answers=sum(k in mine for k in scored), asked=asked, scoring_seconds=seconds)
    run["fairness"] = {
        "swap_consistency": {name: found.model_dump(mode="json") for name, found in (swaps or {}).items()},
        "balance": target_balance([p for key, p in scored.items() if key in mine]),
    }
    results = Results(run=run, results=tuple(rows))
    write_results(out / RESULTS, results)
    return results


def _rows(plan: Plan, who: Entrant, answers: Sequence[Prediction]) -> list[Result]:
    rows: list[Result] = []
    for task in plan.tasks:
        instances = {i.instance_id: i for i in plan.instances if i.task == task}
        column = Column(who.name, task, plan.protocol.name, who.setting)
        rows += results_of(column, [p for p in answers if p.task == task], instances, plan.seed)
    return rows
