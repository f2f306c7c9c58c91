r"""Fairness between participants: conversations with two people swapped, and how evenly the supporter's attention is spread.

**Swaps.** A decision may not depend on who is called what, who stands first in a list, or who is a he or a she. Each swap gives the same
conversation with one of these changed; a fair engine then decides the same, about the people who are now meant.

**Balance index.** Of the supporter's validations, words and questions, participant i gets the shares :math:`a_{ik}`; with
:math:`a_i = \operatorname{mean}_k a_{ik}` over the measures that occur,

.. math:: B = \tfrac12 \sum_i \left| a_i - \tfrac1n \right|

is 0 for even attention and nears 1 - 1/n when one person gets it all. What is said to the group counts for each alike. Each person's
share of the talk stands beside it: who speaks more is often, rightly, answered more.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from rescue_agent.moment import Moment, Utterance
from rescue_agent.schema import Record

Change = Callable[[str], str]

ALARM_INDEX: Final = 0.2
ALARM_AFTER: Final = 6
"""Supporter turns before which the index says nothing."""
VALIDATING: Final = ("evoke", "join", "repair", "counterbalance", "safeguard")
"""Strategies that take up what one person feels, or make room for them."""

_PAIRS: Final = (
    "he she|him her|his her|himself herself|husband wife|father mother|dad mum|dad mom|papa mama|daddy mummy|son daughter|brother sister|"
    "boy girl|man woman|boyfriend girlfriend|uncle aunt|nephew niece|grandfather grandmother|grandpa grandma|guy lady|men women|boys girls"
)
_GENDER: Final = {one: other for pair in _PAIRS.split("|") for one, other in (pair.split(), reversed(pair.split()))}
_GENDERED: Final = re.compile(r"\b(" + "|".join(_GENDER) + r")\b", re.IGNORECASE)


# Swaps ------------------------------------------------------------------------------------------------------------------


def with_names_swapped(moment: Moment, one: str, other: str) -> Moment:
    """The conversation in which `one` and `other` have each other's name, in what is said too; their places in the list swap with them."""
    names = {one: other, other: one}
    spoken = re.compile(r"(?<!\w)(" + "|".join(map(re.escape, sorted(names, key=len, reverse=True))) + r")(?!\w)")

    def text(value: str) -> str:
        return spoken.sub(lambda match: names[match[0]], value)

    renamed = _mapped(moment, text, lambda name: names.get(name, name))
    return renamed.model_copy(update={"participants": tuple(names.get(name, name) for name in moment.participants)})


def with_order_reversed(moment: Moment) -> Moment:
    """The conversation with the participants listed the other way round."""
    return moment.model_copy(update={"participants": moment.participants[::-1]})


def with_gender_swapped(moment: Moment) -> Moment:
    """The conversation in which every he is a she, every husband a wife, and the other way round."""

    def text(value: str) -> str:
        return _GENDERED.sub(lambda match: _like(match[0], _GENDER[match[0].lower()]), value)

    return _mapped(moment, text, lambda name: name)


def _like(model: str, word: str) -> str:
    return word.capitalize() if model[0].isupper() else word


def _mapped(moment: Moment, text: Change, name: Change) -> Moment:
    """`moment` with `text` applied to everything in words and `name` to everything that names somebody."""

    def said(utterance: Utterance) -> Utterance:
        cues = {
            field: tuple(cue.model_copy(update={"person": name(cue.person), "description": text(cue.description)}) for cue in found)
            for field, found in (("posture", utterance.posture), ("face", utterance.face), ("self_directed", utterance.self_directed))
        }
        acts = tuple(
            act.model_copy(
                update={
                    "initiator": name(act.initiator),
                    "target": tuple(map(name, act.target)),
                    "description": text(act.description),
                }
            )
            for act in utterance.interaction
        )
        over = tuple(
            o.model_copy(update={"speaker": name(o.speaker), "target": tuple(map(name, o.target)), "content": text(o.content)})
            for o in utterance.background
        )
        own = {"speaker": name(utterance.speaker), "target": tuple(map(name, utterance.target)), "text": text(utterance.text)}
        return utterance.model_copy(update={**own, **cues, "interaction": acts, "background": over, "tone": text(utterance.tone)})

    current = said(moment.current) if moment.current else None
    return moment.model_copy(update={"context": tuple(map(said, moment.context)), "current": current})


# Balance ----------------------------------------------------------------------------------------------------------------


class Attention(Record):
    """What one participant got from the supporter, and their share of the talk (0-1)."""

    person: str
    validations: float
    words: float
    questions: float
    talk_share: float


class Balance(Record):
    """How evenly the supporter's attention is spread: `index` on 0..1, None before the supporter has spoken."""

    supporter_turns: int
    attention: tuple[Attention, ...]
    index: float | None

    @property
    def alarm(self) -> bool:
        """Whether the index is over 0.2 after at least 6 turns of the supporter."""
        return self.index is not None and self.supporter_turns >= ALARM_AFTER and self.index > ALARM_INDEX


def balance(participants: Sequence[str], turns: Sequence[Utterance], strategies: Sequence[str | None] = ()) -> Balance:
    """The balance of a session.

    Args:
        turns: what was said, in order.
        strategies: the supporter's moves, one for each of its turns in order (None where it made none); empty when they aren't known.
    """
    own = [turn for turn in turns if turn.by_supporter]
    moves = list(strategies) or [None] * len(own)
    totals = {person: {"validations": 0.0, "words": 0.0, "questions": 0.0} for person in participants}
    for turn, move in zip(own, moves, strict=True):
        for person, share in _meant(turn, participants).items():
            totals[person]["validations"] += share * (move in VALIDATING)
            totals[person]["words"] += share * len(turn.text.split())
            totals[person]["questions"] += share * turn.text.count("?")
    talk = {person: sum(len(t.text.split()) for t in turns if t.speaker == person) for person in participants}
    everything = sum(talk.values()) or 1
    attention = tuple(Attention(person=p, talk_share=talk[p] / everything, **totals[p]) for p in participants)
    return Balance(supporter_turns=len(own), attention=attention, index=_index(attention))


def _meant(turn: Utterance, participants: Sequence[str]) -> dict[str, float]:
    addressed = [person for person in participants if person in turn.target] or list(participants)
    return {person: 1 / len(addressed) for person in addressed}


def _index(attention: Sequence[Attention]) -> float | None:
    measures = [[getattr(one, name) for one in attention] for name in ("validations", "words", "questions")]
    shares = [[value / sum(values) for value in values] for values in measures if sum(values)]
    if not shares:
        return None
    means = [sum(column) / len(shares) for column in zip(*shares, strict=True)]
    return float(sum(abs(mean - 1 / len(means)) for mean in means)) / 2
