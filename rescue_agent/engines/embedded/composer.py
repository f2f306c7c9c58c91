"""The composer: a reply of at most three sentences by the chosen strategy, to the chosen target, filled from this moment.

Sentence plans stand in plans.txt. Which one is taken depends on the neutral text of the moment, so that it is the same for the same
moment, and the same when two participants swap names; a plan whose sentences stand in the recent replies is passed over. Short replies
come from the plans of few words, or, where a strategy has no such plan left, from the shortest.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Final

from rescue_agent.decisions import ReplyPlan
from rescue_agent.engines.embedded.slots import fill_slots
from rescue_agent.moment import Moment
from rescue_agent.neutral import neutral_text
from rescue_agent.taxonomy import GROUP_LABEL

_SLOT: Final = re.compile(r"\{(\w+)\}")
SHORT_WORDS: Final = 14
"""A reply of so many words is short."""
_NAMED_ONCE: Final = ("cycle", "quote", "feeling")
_SENTENCE: Final = re.compile(r"(?<=[.?!])\s+")


@lru_cache(maxsize=1)
def sentence_plans() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """(strategy, "person" or "group") -> plans, as plans.txt has them."""
    plans: dict[tuple[str, str], list[str]] = {}
    section: list[str] = []
    for line in files(__package__).joinpath("plans.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            strategy, addressee = line.strip("[]").split()
            section = plans.setdefault((strategy, addressee), [])
        elif line and not line.startswith("#"):
            section.append(line)
    return {key: tuple(lines) for key, lines in plans.items()}


def compose(moment: Moment, plan: ReplyPlan) -> Iterator[str]:
    """Yield the reply piece by piece; joined they are the reply.

    Raises:
        ValueError: when `plan.strategy` has no plans.
    """
    slots = _unsaid(fill_slots(moment, plan), plan.recent_replies)
    candidates = [text for text in _in_order(_plans_for(moment, plan), moment) if _slot_names(text) <= slots.keys()]
    if plan.length == "short":
        candidates.sort(key=lambda text: max(SHORT_WORDS, _words(_fill(text, slots), moment.participants)))
    fresh = (text for text in candidates if not _said_lately(_fill(text, slots), plan.recent_replies, moment.participants))
    chosen = next(fresh, candidates[0])
    yield from _pieces(_fill(chosen, slots))


def _unsaid(slots: dict[str, str], recent: Sequence[str]) -> dict[str, str]:
    """The slots without a cycle, a quotation or a feeling that a recent reply has named already."""
    said = "\n".join(recent).casefold()
    return {name: text for name, text in slots.items() if name not in _NAMED_ONCE or text.casefold() not in said}


def _plans_for(moment: Moment, plan: ReplyPlan) -> tuple[str, ...]:
    addressee = "group" if plan.target in GROUP_LABEL.values() else "person"
    plans = sentence_plans().get((plan.strategy, addressee))
    if not plans:
        raise ValueError(f"no sentence plans for strategy {plan.strategy!r} to a {addressee}")
    return plans


def _slot_names(text: str) -> set[str]:
    return {name.lower() for name in _SLOT.findall(text)}


def _in_order(plans: Sequence[str], moment: Moment) -> Sequence[str]:
    """The plans, turned to start at a place that the neutral text of the last utterances decides."""
    recent = "\n".join(neutral_text(u.text, moment.participants) for u in moment.utterances[-4:])
    start = int.from_bytes(hashlib.sha256(recent.encode()).digest()[:4]) % len(plans)
    return (*plans[start:], *plans[:start])


def _fill(text: str, slots: Mapping[str, str]) -> str:
    """Fill the slots; a slot written with a capital starts a sentence."""

    def value(match: re.Match[str]) -> str:
        filled = slots[match[1].lower()]
        return filled[:1].upper() + filled[1:] if match[1][0].isupper() else filled

    return _SLOT.sub(value, text)


def _words(reply: str, names: Sequence[str]) -> int:
    """The words of `reply`; a name counts as one, so that two people who swap theirs get the same plan."""
    return len(neutral_text(reply, names).split())


def _said_lately(reply: str, recent: Sequence[str], names: Sequence[str]) -> bool:
    """Whether a sentence of `reply` stands in a recent reply, whoever it was said to then."""
    said = {neutral_text(sentence, names) for earlier in recent for sentence in _SENTENCE.split(earlier)}
    return any(neutral_text(sentence, names) in said for sentence in _SENTENCE.split(reply))


def _pieces(reply: str) -> Iterator[str]:
    sentences = _SENTENCE.split(reply)
    yield from (f"{sentence} " for sentence in sentences[:-1])
    yield sentences[-1]
