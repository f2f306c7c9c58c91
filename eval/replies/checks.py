"""The automatic check of a reply, like a linter's: each check is one question with yes or no. No score of quality comes of it."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from eval.metrics.additive import Interval, interval, mean_metric
from eval.replies.material import Asked, Writer, recent_replies
from eval.replies.recogniser import Recogniser
from rescue_agent.neutral import neutral_text
from rescue_agent.safety.reply_check import problems
from rescue_agent.taxonomy import GROUP_LABEL

MAX_WORDS: Final = 60
_SENTENCE: Final = re.compile(r"(?<=[.?!…])\s+")
_ADVICE: Final = re.compile(
    r"\b(you (should|ought to|need to|have to|must)|you could try|try to|i('d)? (suggest|recommend|advise)|why don't you|my advice)\b",
    re.IGNORECASE,
)
_ASKS_ADVICE: Final = re.compile(r"\b(what (should|can|do) (i|we) do|advice|what would you do|tell (me|us) what to)\b", re.IGNORECASE)
_TO_ALL: Final = re.compile(
    r"\b(you (two|both|all|three|four)|(both|all|each) of you|everybody|everyone|together|between you|we|us)\b", re.IGNORECASE
)


def check(one: Asked, reply: str, recogniser: Recogniser, strangers: Sequence[str]) -> dict[str, bool]:
    """Every check, by name; True is good.

    Args:
        strangers: names of people of other episodes, none of whom may be named here.
    """
    moment, names = one.moment, one.moment.participants
    ranking = recogniser.ranking(moment.scenario, reply, names)
    asked_for = any(_ASKS_ADVICE.search(u.text) for u in moment.utterances[-2:])
    return {
        "says something": bool(reply),
        "names nobody who is not there": not any(_names(name, reply) for name in strangers if name not in names),
        "addresses the target": _addresses(one, reply),
        "on the move (recogniser's first)": ranking[0] == one.strategy,
        "on the move (recogniser's first three)": one.strategy in ranking[:3],
        "repeats no recent sentence": not _repeats(reply, recent_replies(moment), names),
        f"at most {MAX_WORDS} words": len(reply.split()) <= MAX_WORDS,
        "no advice unless asked": bool(asked_for or not _ADVICE.search(reply)),
        "breaks no rule of the guard": not problems(reply, names, moment.utterances),
    }


def _names(name: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _addresses(one: Asked, reply: str) -> bool:
    """A person by name, or with nobody else's name beside a "you"; the group by a word for all, by two names, or by none."""
    named = [name for name in one.moment.participants if _names(name, reply)]
    if one.target in GROUP_LABEL.values():
        return len(named) != 1 or _TO_ALL.search(reply) is not None
    return one.target in named or (not named and re.search(r"\byou(r|'\w+)?\b", reply, re.IGNORECASE) is not None)


def _repeats(reply: str, recent: Sequence[str], names: Sequence[str]) -> bool:
    said = {neutral_text(sentence, names).casefold() for text in recent for sentence in _SENTENCE.split(text)}
    return any(neutral_text(sentence, names).casefold() in said for sentence in _SENTENCE.split(reply))


def check_all(moments: Sequence[Asked], write: Writer, recogniser: Recogniser, strangers: Sequence[str]) -> Mapping[str, Interval]:
    """Share of the replies that pass each check, with its interval over couples and families."""
    found = [check(one, write(one), recogniser, strangers) for one in moments]
    groups = [one.group for one in moments]
    return {name: interval(mean_metric(name, [float(each[name]) for each in found]), groups) for name in found[0]} if found else {}
