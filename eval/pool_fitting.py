"""Fitting the weights of the hybrid pool: how much a language model is worth beside the heads, decision by decision.

For each of RPP, STP, SSP and ITP, the weight on a grid over 0..1 with the least mean negative log-likelihood of the gold label under
the pooled distribution (`rescue_agent.engines.hybrid`), on episodes that neither learned from.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from eval.instances import SOUND, Instance, Protocol, TaskName
from eval.plan import Plan
from eval.runner import Progress, no_progress
from rescue_agent.engines.hybrid import HybridEngine, PoolWeights, pooled
from rescue_agent.engines.protocol import Engine
from rescue_agent.errors import InputError, UnparsedReply
from rescue_agent.moment import Mode
from rescue_agent.schema import Episode

GRID: Final = tuple(i / 20 for i in range(21))
FITTED_TASKS: Final = {TaskName.RPP: "pattern", TaskName.STP: "target", TaskName.SSP: "strategy", TaskName.ITP: "intervene"}
_FLOOR: Final = 1e-6


@dataclass(frozen=True)
class Case:
    """One question answered by both, and the gold label."""

    model: Mapping[str, float]
    heads: Mapping[str, float]
    gold: str


@dataclass(frozen=True)
class Fitted:
    """A weight, and the mean negative log-likelihood with it, with the heads alone, and with the model alone.

    `n` questions were answered; `parse_failed` could not be read.
    """

    decision: str
    weight: float
    loss: float
    heads_alone: float
    model_alone: float
    n: int
    parse_failed: int


def fit_pool(
    engine: HybridEngine, episodes: Sequence[Episode], limit: int, *, protocol: Protocol = SOUND, progress: Progress = no_progress
) -> list[Fitted]:
    """Fit a weight for each decision on at most `limit` questions of each.

    Raises:
        EndpointError: when the model doesn't answer.
        InputError: when no answer of a decision can be read.
    """
    plan = Plan(episodes, tuple(FITTED_TASKS), protocol, Mode.DIALOGUE, 0, limit)
    cases: dict[TaskName, list[Case | None]] = {task: [] for task in FITTED_TASKS}
    for instance in progress(plan.instances, len(plan.instances), "fitting the pool"):
        cases[instance.task].append(_case(engine, instance))
    return [_fitted(FITTED_TASKS[task], found) for task, found in cases.items()]


def weights_of(fitted: Sequence[Fitted]) -> PoolWeights:
    """The weights as the engine takes them."""
    return PoolWeights.model_validate({one.decision: one.weight for one in fitted})


def _case(engine: HybridEngine, instance: Instance) -> Case | None:
    try:
        model, heads = (_distribution(side, instance) for side in (engine.model, engine.embedded.for_group(instance.group)))
    except UnparsedReply:
        return None
    gold = instance.gold.get("label", "speak" if instance.gold.get("speak") else "hold")
    return Case(model, heads, str(gold))


def _distribution(engine: Engine, instance: Instance) -> Mapping[str, float]:
    if instance.task is TaskName.RPP:
        return engine.predict_pattern(instance.moment).probabilities
    if instance.task is TaskName.STP:
        return engine.rank_targets(instance.moment, instance.candidates).probabilities
    if instance.task is TaskName.SSP:
        return engine.rank_strategies(instance.moment, instance.target).probabilities
    speak = engine.decide_intervention(instance.moment).probability
    return {"speak": speak, "hold": 1 - speak}


def _fitted(decision: str, found: Sequence[Case | None]) -> Fitted:
    cases = [case for case in found if case is not None]
    if not cases:
        raise InputError(f"{decision}: none of {len(found)} answers of the model could be read; try a more able model")
    losses = {weight: _loss(cases, weight) for weight in GRID}
    best = min(losses, key=lambda weight: losses[weight])
    return Fitted(decision, best, losses[best], losses[0.0], losses[1.0], len(cases), len(found) - len(cases))


def _loss(cases: Sequence[Case], weight: float) -> float:
    def of(case: Case) -> float:
        scores = pooled(case.model, case.heads, weight)
        return -math.log(max(scores.get(case.gold, 0.0) / sum(scores.values()), _FLOOR))

    return sum(map(of, cases)) / len(cases)
