"""Swap consistency: does an engine decide the same when two participants are swapped? (Definitions: `rescue_agent.safety.fairness`.)"""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Final

from rescue_agent.engines.protocol import Engine
from rescue_agent.errors import EndpointError, UnparsedReply
from rescue_agent.moment import Moment
from rescue_agent.safety.fairness import with_gender_swapped, with_names_swapped, with_order_reversed
from rescue_agent.schema import Record

SWAPS: Final = ("names", "order", "gender")
Decisions = Mapping[str, object]


class SwapConsistency(Record):
    """How many of `n` swapped moments were decided alike, by swap; `failed` could not be asked."""

    alike: dict[str, int]
    n: dict[str, int]
    failed: int = 0

    @property
    def share(self) -> float | None:
        """Of all swaps together, 0-1; None when none was asked."""
        total = sum(self.n.values())
        return sum(self.alike.values()) / total if total else None


def swap_consistency(questions: Iterable[tuple[Engine, Moment]]) -> SwapConsistency:
    """Ask each engine about its moment (with a participant's current turn), and again with names, order and gender swapped."""
    alike, n, failed = dict.fromkeys(SWAPS, 0), dict.fromkeys(SWAPS, 0), 0
    for engine, moment in questions:
        try:
            before = _decisions(engine, moment, {})
            for swap, (swapped, names) in _swapped(moment).items():
                after = _decisions(engine, swapped, names)
                n[swap] += 1
                alike[swap] += after == before
        except (EndpointError, UnparsedReply):
            failed += 1
    return SwapConsistency(alike=alike, n=n, failed=failed)


def _swapped(moment: Moment) -> dict[str, tuple[Moment, dict[str, str]]]:
    """Swap -> the moment, and how its names lead back."""
    one, other = next(combinations(moment.participants, 2))
    return {
        "names": (with_names_swapped(moment, one, other), {one: other, other: one}),
        "order": (with_order_reversed(moment), {}),
        "gender": (with_gender_swapped(moment), {}),
    }


def _decisions(engine: Engine, moment: Moment, names: Mapping[str, str]) -> Decisions:
    """All six decisions, without their wording, about the people as they were called before the swap."""

    def back(name: str) -> str:
        return names.get(name, name)

    target = engine.rank_targets(moment, moment.candidates).best
    return {
        "emotion": round(engine.recognise_emotion(moment).intensity),
        "viewpoints": {(back(v.source), back(v.target)) for v in engine.predict_viewpoints(moment)},
        "pattern": engine.predict_pattern(moment).best,
        "speak": engine.decide_intervention(moment).speak,
        "target": back(target),
        "strategy": engine.rank_strategies(moment, target).best,
    }
