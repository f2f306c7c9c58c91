"""Fairness of a scoring run: swap consistency of the engines, and how evenly the targets that they predict are spread."""

from collections.abc import Sequence
from typing import Final, cast

from pydantic import JsonValue

from eval.engines import Contender
from eval.instances import TaskName, sample_of
from eval.plan import Plan
from eval.records import Prediction
from rescue_agent.engines.swaps import SwapConsistency, swap_consistency
from rescue_agent.moment import Utterance
from rescue_agent.safety.fairness import ALARM_AFTER, balance
from rescue_agent.taxonomy import GROUP_LABEL, SUPPORTER

_SWAPPED: Final = {True: 60, False: 3}
"""Moments asked again with people swapped: of an engine that computes, and of a language model."""


def swaps_of(plan: Plan, contenders: Sequence[Contender]) -> dict[str, SwapConsistency]:
    """Swap consistency of each engine, on moments spread over the data."""
    instances = [i for i in plan.instances if i.task in (TaskName.ER, TaskName.ITP) and len(i.moment.participants) > 1]
    found = {}
    for contender in contenders:
        chosen = instances[:: max(1, -(-len(instances) // _SWAPPED[contender.ledger is None]))]
        found[contender.name] = swap_consistency((contender.for_group(i.group), i.moment) for i in chosen)
    return found


def target_balance(predictions: Sequence[Prediction]) -> dict[str, JsonValue]:
    """Engine -> mean balance index of the targets that it predicts (STP), over samples in which the supporter speaks often enough."""
    sessions: dict[tuple[str, str], list[Prediction]] = {}
    for p in predictions:
        if p.task is TaskName.STP and p.status == "ok":
            sessions.setdefault((p.engine, sample_of(p.instance_id)), []).append(p)
    indices: dict[str, list[float]] = {}
    for (engine, _), answers in sessions.items():
        index = _index(answers)
        if len(answers) >= ALARM_AFTER and index is not None:
            indices.setdefault(engine, []).append(index)
    return {engine: {"mean_index": sum(found) / len(found), "sessions": len(found)} for engine, found in indices.items()}


def _index(answers: Sequence[Prediction]) -> float | None:
    rankings = [_labels(answer) for answer in answers]
    people = sorted({label for ranking in rankings for label in ranking} - set(GROUP_LABEL.values()))
    return balance(people, [Utterance(speaker=SUPPORTER, target=tuple(ranking[:1]), text="said") for ranking in rankings]).index


def _labels(answer: Prediction) -> list[str]:
    ranking = cast(list[tuple[str, float | None]], (answer.prediction or {}).get("ranking", []))
    return [label for label, _ in ranking]
