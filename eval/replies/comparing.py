"""A blind comparison of two writers on the same moments, each pair in both orders, by a judge endpoint or a person.

A pair counts for a writer only when both orders agree; where they don't, the judge went by the place, and the pair is a tie that is
counted as inconsistent.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel

from eval.metrics.additive import Interval, interval, mean_metric
from eval.replies.material import Asked, Writer, transcript
from rescue_agent.engines.llm.answers import strict_schema
from rescue_agent.engines.llm.asking import Asker
from rescue_agent.errors import UnparsedReply
from rescue_agent.prompts import load_prompt
from rescue_agent.taxonomy import STRATEGIES, Scenario

Choice = Literal["1", "2", "tie"]
Judge = Callable[[Asked, str, str], Choice | None]
"""(moment, first reply, second reply) -> the better one; None when the answer could not be read."""


@dataclass(frozen=True)
class Pair:
    """One moment judged in both orders.

    Attributes:
        points: 1 when the first writer won in both orders, 0 when the second did, 0.5 for a tie; None when an answer was unread.
        consistent: whether both orders said the same.
    """

    moment_id: str
    group: str
    points: float | None
    consistent: bool


def compare(moments: Iterable[Asked], first: Writer, second: Writer, judge: Judge) -> list[Pair]:
    """Judge every moment twice, the replies swapped the second time."""
    return [_pair(one, first(one), second(one), judge) for one in moments]


def _pair(one: Asked, first: str, second: str, judge: Judge) -> Pair:
    if first == second:
        return Pair(one.moment_id, one.group, 0.5, consistent=True)
    straight, swapped = judge(one, first, second), judge(one, second, first)
    if straight is None or swapped is None:
        return Pair(one.moment_id, one.group, None, consistent=False)
    turned = {"1": "2", "2": "1", "tie": "tie"}[swapped]
    agreed = straight == turned
    return Pair(one.moment_id, one.group, {"1": 1.0, "2": 0.0, "tie": 0.5}[straight] if agreed else 0.5, agreed)


@dataclass(frozen=True)
class Outcome:
    """The share of points of the first writer (0.5 is level) with its interval, and what stands behind it."""

    share: Interval
    n: int
    ties: int
    inconsistent: int
    unread: int


def outcome(pairs: Sequence[Pair]) -> Outcome:
    """The sum of a comparison."""
    points = mean_metric("points", [pair.points for pair in pairs])
    read = [pair for pair in pairs if pair.points is not None]
    return Outcome(
        interval(points, [pair.group for pair in pairs]),
        len(read),
        sum(pair.points == 0.5 and pair.consistent for pair in read),
        sum(not pair.consistent for pair in read),
        len(pairs) - len(read),
    )


class _Preference(BaseModel):
    reason: str = ""
    better: Choice


def endpoint_judge(asker: Asker) -> Judge:
    """A language model as judge. The conversation and the replies travel as JSON beside the rubric."""
    rubric = load_prompt("judge_replies")

    def judge(one: Asked, first: str, second: str) -> Choice | None:
        material = {**_question(one), "reply_1": first, "reply_2": second}
        try:
            return asker.answer(rubric.name, rubric.text, material, _Preference, strict_schema(_Preference)).better
        except UnparsedReply:
            return None

    return judge


def _question(one: Asked) -> dict[str, str]:
    return {
        "conversation": "\n".join(transcript(one.moment)),
        "addressee": one.target,
        "move": f"{one.strategy}: {definition(one.moment.scenario, one.strategy)}",
    }


def definition(scenario: Scenario, strategy: str) -> str:
    """What a move is."""
    return next(label.definition for label in STRATEGIES[scenario] if label.name == strategy)


def person_judge(show: Callable[[str], None], ask: Callable[[], str]) -> Judge:
    """A person at the terminal: sees no names of writers, and answers 1, 2 or = for level; anything else is asked again."""

    def judge(one: Asked, first: str, second: str) -> Choice | None:
        question = _question(one)
        show(f"\n{question['conversation']}\n\nTo {question['addressee']}, {question['move']}\n\n  1: {first}\n  2: {second}")
        while (said := ask().strip()) not in ("1", "2", "="):
            show("1, 2, or = for level")
        return "tie" if said == "=" else "1" if said == "1" else "2"

    return judge
