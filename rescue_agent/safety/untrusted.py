# ruff: noqa: E501  (a table of patterns)
"""What in a turn is aimed at the machine, not at a person: it is shown and stored like everything else, but no engine reads it.

By sentence: role tags and chat markup, JSON and code, encoded text, orders about instructions, prompts, labels and roles, lines in somebody else's
name, and facts that are to be remembered. Whatever an engine reads of it all the same is still only something that a person said.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from rescue_agent.moment import Moment, Utterance
from rescue_agent.taxonomy import PATTERNS, STRATEGIES

_LABELS: Final = "|".join(
    sorted({label.name for labels in (*PATTERNS.values(), *STRATEGIES.values()) for label in labels if "_" in label.name})
)
_PARTS: Final = (
    r"<\|.*?\|>|</?\s*(system|turn|user|assistant|instructions?)\b[^>]*>|\[/?(INST|SYS|SYSTEM)\]|^\s*#{2,}|#{2,}\s*$|-{3,}|={3,}",
    r"\b(system|assistant|developer|admin|supervisor|tool|function)\b( result| message| prompt| mode)?\s*[:>]|\b(begin|end|enter|leave) (admin|developer|debug|god|test) ?mode\b",
    r"\{[^{}]*\"[^{}]*:[^{}]*\}|\w+\.\w+\([^)]*\)|\bprint\(|!\[[^\]]*\]\(|https?://\S+[?&=]\S*",
    r"\b[A-Za-z0-9+/]{24,}={0,2}(?![A-Za-z0-9])|\bbase64\b|\brot13\b",
    r"\b(ignore|disregard|forget|override|bypass)\b.{0,30}\b(instructions?|rules?|prompts?|guidelines?|above|previous(ly)?|before|everything)\b|\bnew instructions?\b|\b(system|initial|hidden|your) prompt\b|\bword for word\b.{0,20}\bprompt\b|\bprompt\b.{0,40}\bword for word\b",
    r"\bfrom now on\b.{0,60}\b(address|label|participants?|supporter|(take|on) \w+('s)? side)\b|\btake \w+('s)? side from now on\b|\byou are (no longer|not) neutral\b|\byou are now (a|an|in|the)\b|\bpretend (to be|you are|you're) (a|an|the)\b|\bthe supporter (must|will|only|always|has to)\b|\byou only (address|speak to|answer|agree with)\b|\byou must (always |only |never )?(address|side|agree|label|output|hold)\b",
    r"\b(the )?(strategy|pattern|target|relation pattern|label|taxonomy|intensity)\b.{0,30}\b(is now|is|has changed|means|to \d+|now)\b|\blabel(l?ing)? (this|me|us|it) as\b|\boutput\b.{0,20}[\"'“]\w+[\"'”]|\banswer with the (single )?word\b|\b(set|change) (the )?(intensity|target|label|strategy)\b",
    r"\b(as|i am|i'm) (the|a|your) (developer|administrator|admin|programmer|creator|operator)\b|\bsupervisor of this session\b|\b(only a |just a )?test by the (research )?(team|developers?)\b|\breply accordingly\b|\bstep 1\b.{0,80}\bstep 2\b|\b(hold|wait|stay silent) until i say\b",
    r"\b(end|start|beginning) of (the )?conversation\b|\bnew conversation\s*:|\bis the supporter and\b|\beverything before this (line|message)\b|\bis not a participant\b|\bhas left the room\b|\bnever address\b",
    r"\bremember\b.{0,40}\b(rest of|forever|from now|permanently|as a fact)\b|\btranslate (the following|this) and\b|\bdecode (this|the)\b|\brepeat everything that\b.{0,40}\b(private|secret|told you)\b|\bpass a sentence on\b|\b(do|say) what it says\b|\bact on it\b",
    rf"\b({_LABELS})\b",
)
_COMMAND: Final = re.compile("|".join(f"(?:{part})" for part in _PARTS), re.IGNORECASE | re.MULTILINE)
_SENTENCE: Final = re.compile(r"(?<=[.!?…])\s+|[\n\r\u2028\u2029]+")


def spoken(text: str, names: Sequence[str]) -> str:
    """`text` without the sentences that are aimed at the machine; empty when there is nothing else.

    Args:
        names: of all who could be made to speak by a line that starts with their name.
    """
    if not _COMMAND.search(text) and ":" not in text:
        return text
    forged = re.compile(rf"^\W*({'|'.join(map(re.escape, (*names, 'supporter')))})\W*:", re.IGNORECASE)
    return " ".join(s for s in _SENTENCE.split(text) if s and not _COMMAND.search(s) and not forged.match(s))


@lru_cache(maxsize=20_000)
def _as_read(utterance: Utterance, names: tuple[str, ...]) -> Utterance:
    text = spoken(utterance.text, names)
    told = utterance.corrected
    if told and spoken(told.description, names) != told.description:
        utterance = utterance.model_copy(update={"corrected": None})
    return utterance if text == utterance.text else utterance.model_copy(update={"text": text or "..."})


def as_read(moment: Moment) -> Moment:
    """`moment` as engines read it: in what participants say, nothing is left that is aimed at the machine."""

    def read(utterance: Utterance) -> Utterance:
        return utterance if utterance.by_supporter else _as_read(utterance, moment.participants)

    current = read(moment.current) if moment.current else None
    return moment.model_copy(update={"context": tuple(map(read, moment.context)), "current": current})
