# ruff: noqa: E501  (a table: one cue a line)
"""Cues in the words of one utterance that a sentence embedding blurs: blame, hedges, apology, withdrawal, and the like."""

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

_CUES: Final[dict[str, str]] = {
    "blame": r"\byou (always|never|only|just|don't even|didn't even|can't even|couldn't even|people)\b|\byour fault\b|because of you|\bof course you\b|that's so you",
    "demand": r"\byou (should|have to|need to|must|could have|might have)\b|\bwhy (can't|don't|didn't|won't) you\b",
    "hedge": r"\b(maybe|perhaps|i guess|kind of|sort of|i suppose|i think|not sure|might)\b",
    "apology": r"\b(sorry|apologi[sz]e|my fault|i was wrong|forgive|i shouldn't have|i take (it|that) back)\b",
    "withdrawal": r"\b(whatever|forget it|never ?mind|leave it|drop it|doesn't matter|nothing|i don't know|no comment|can we not|it's fine|i'm fine)\b|^\W*(fine|okay|ok|sure)?\W*$",
    "validation": r"\b(makes sense|you're right|you are right|thank you|thanks|i appreciate|i understand|fair enough|i see that|good point|i believe you|i know you)\b",
    "feeling": r"\bi('m| am| was| feel| felt| got)\b.{0,20}\b(scared|afraid|hurt|lonely|alone|sad|ashamed|angry|tired|lost|small|useless|worried|jealous|guilty|stupid|relieved|proud|happy)\b|\bi (feel|felt|miss|missed|cried|fear|wish|long)\b",
    "request": r"\b(could you|can you|would you|will you|please|i need you|i want you|i'd like|let's|can we|could we)\b",
    "past": r"\b(said|told|went|came|was|were|had|did|yesterday|last (week|night|year|month|time)|when (i|we|you|they)|ago)\b",
    "plan": r"\b(next|tomorrow|tonight|monday|tuesday|wednesday|thursday|friday|saturday|sunday|we'll|we will|we could|try|agree|deal|plan|from now on|i'll|i can)\b",
    "reflection": r"\b(i notice|i realise|i realize|i see now|i used to|part of me|the thing is|i wonder|it's like|we keep|we both|i do that|that's what i do)\b",
    "denial": r"\b(i didn't|i don't|i never|that's not|it's not|it wasn't|i wasn't|i'm not|not true|i was only|i was just|i only)\b",
    "negation": r"\b(no|not|never|nothing|nobody|none|n't)\b|n't\b",
    "laughter": r"\b(haha|laughs?|funny|joke|kidding)\b|ha\b",
    "question": r"\?",
    "exclamation": r"!",
    "broken_off": r"(—|–|-|\.\.\.|…)\s*$",
    "silence": r"^\W*(\(.*(silence|pause|silent|says nothing|nods|shrugs).*\)|\.\.\.|…)?\W*$",
}
_PATTERNS: Final = tuple(re.compile(pattern, re.IGNORECASE) for pattern in _CUES.values())
_FIRST, _SECOND, _PLURAL = (
    re.compile(words, re.IGNORECASE)
    for words in (
        r"\b(i|me|my|mine|myself|i'm|i've|i'd|i'll)\b",
        r"\b(you|your|yours|yourself|you're|you've)\b",
        r"\b(we|us|our|ours|we're|we've)\b",
    )
)
LEXICAL: Final[tuple[str, ...]] = (*_CUES, "first_person", "second_person", "plural", "length")
"""Names of the lexical features, in order."""


def lexical_features(text: str) -> NDArray[np.float32]:
    """Features of `text`, shape (len(LEXICAL),): cues 0 or 1, pronoun shares 0..1, log-length scaled to about 0..1."""
    words = max(1, len(text.split()))
    shares = [len(pattern.findall(text)) / words for pattern in (_FIRST, _SECOND, _PLURAL)]
    cues = [float(pattern.search(text) is not None) for pattern in _PATTERNS]
    return np.array([*cues, *shares, np.log1p(words) / 5], dtype=np.float32)
