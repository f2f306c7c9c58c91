# ruff: noqa: E501  (a table of patterns)
"""The last look at a reply: no side taken, no invented phone number, no label on a person, no secret, no words put into a mouth."""

import re
from collections.abc import Sequence
from typing import Final

from rescue_agent.moment import Utterance
from rescue_agent.safety.resources import known_numbers
from rescue_agent.taxonomy import SUPPORTER

MAX_SENTENCES: Final = 3
_SENTENCE: Final = re.compile(r"(?<=[.?!…])\s+")
_NUMBER: Final = re.compile(r"(?<![\w.])\+?\d[\d\s()/.-]{1,18}\d(?!\w)")
_PHONE_DIGITS: Final = 3
_LABELS: Final = re.compile(
    r"\b(narcissis\w+|borderline|bipolar|psychopath\w*|sociopath\w*|abusive|abuser|gaslight\w*|co-?dependent|toxic|clinically|disorder|diagnos\w+|depress(ive|ion) (episode|disorder))\b",
    re.IGNORECASE,
)
_SECRET: Final = re.compile(
    r"\b(our (little )?secret|(won't|will not|never) tell (anyone|anybody)|between (just )?(you and me|us two)|keep (this|it) (a )?secret)\b",
    re.IGNORECASE,
)
_SIDES: Final = r"\b({names})\b,? (is|was|are|were|'s)( \w+)? (right|wrong|to blame|at fault|the problem|guilty)\b|\b(i agree with|i'm on the side of|i side with) ({names})\b|\bit('s| is| was) ({names})('s)? fault\b"


_SPEAKS_AS: Final = r"^[\s\"'“„*_(\[]*({names}|supporter|{role})[*_\])]*\s*:"
_QUOTE: Final = re.compile(r"[\"“„«]([^\"“”„«»]{3,}?)[\"”“»]")
_QUOTED_WORDS: Final = 3
"""A shorter quotation is a single word taken up, not somebody's speech."""


def problems(reply: str, participants: Sequence[str], heard: Sequence[Utterance] = ()) -> tuple[str, ...]:
    """What breaks a rule in `reply`, in words for the log; empty when it may leave.

    Args:
        heard: what was said so far; quotations are compared with it.
    """
    names = "|".join(map(re.escape, participants)) or r"(?!)"
    found = {
        "takes a side": re.search(_SIDES.format(names=names), reply, re.IGNORECASE),
        "puts a label on somebody": _LABELS.search(reply),
        "promises a secret": _SECRET.search(reply),
        "gives a phone number that no resource has": without_unknown_numbers(reply) != reply,
        "puts words into somebody's mouth": any(_misquotes(sentence, participants, heard) for sentence in _SENTENCE.split(reply)),
        "speaks as somebody": re.search(_SPEAKS_AS.format(names=names, role=SUPPORTER), reply, re.IGNORECASE | re.MULTILINE),
        "is empty": not reply.strip(),
        "has more than three sentences": len(_SENTENCE.split(reply.strip())) > MAX_SENTENCES,
    }
    return tuple(name for name, broken in found.items() if broken)


def whole_sentences(draft: str) -> str:
    """The sentences of an unfinished reply that are complete: something follows each of them."""
    ends = list(_SENTENCE.finditer(draft))
    return draft[: ends[-1].start()].strip() if ends else ""


def without_unknown_numbers(reply: str) -> str:
    """`reply` without phone numbers that stand in no resource; years, ages and sums of fewer than three digits are no phone numbers."""

    def keep(match: re.Match[str]) -> str:
        digits = re.sub(r"\D", "", match[0])
        return match[0] if len(digits) < _PHONE_DIGITS or digits in known_numbers() or _is_plain_year(match[0]) else "(number removed)"

    return _NUMBER.sub(keep, reply)


def _is_plain_year(text: str) -> bool:
    return re.fullmatch(r"(19|20)\d\d", text) is not None


def _misquotes(sentence: str, participants: Sequence[str], heard: Sequence[Utterance]) -> bool:
    """Whether `sentence` quotes words that nobody said, or names only people who did not say them."""
    named = {name for name in participants if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", _QUOTE.sub("", sentence))}
    for quoted in (_plain(quote) for quote in _QUOTE.findall(sentence)):
        speakers = {said.speaker for said in heard if quoted in _plain(said.text)}
        if len(quoted.split()) >= _QUOTED_WORDS and heard and (not speakers or (named and not named & speakers)):
            return True
    return False


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def mended(reply: str, participants: Sequence[str], heard: Sequence[Utterance] = ()) -> str | None:
    """The reply without what can be cut out of it (reasoning, numbers, sentences too many); None when the rest still breaks a rule."""
    said = without_unknown_numbers(reply.rsplit("</think>", 1)[-1]).strip()
    shorter = " ".join(_SENTENCE.split(said)[:MAX_SENTENCES])
    return None if problems(shorter, participants, heard) else shorter
