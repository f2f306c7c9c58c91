"""What the composer's slots are filled with: names, the target's own words, the feeling that was read, and the cycle as a clause."""

import re
from collections.abc import Mapping
from typing import Final

from rescue_agent.decisions import ReplyPlan
from rescue_agent.engines.embedded.lexicon import LEXICAL, lexical_features
from rescue_agent.moment import Moment, Utterance
from rescue_agent.neutral import has_gendered_word, neutral_text
from rescue_agent.taxonomy import GROUP_LABEL

_CLAUSE: Final = re.compile(r"[.?!;:—–…]+|\s-\s|,\s+(?=(?:and|but|because|so|when|if)\b)")
_QUOTE_WORDS: Final = range(3, 10)
_HEATED: Final = ("blame", "demand", "exclamation", "laughter", "silence")
_RECENT: Final = 8

_CYCLES: Final[Mapping[str, str]] = {
    "pursue_withdraw": "the harder {pursuer} asks, the quieter {withdrawer} gets, and the quiet makes {pursuer} ask harder",
    "attack_attack": "one sharp line brings the next, and {each} is only answering the last one",
    "escalation_conflict": "one sharp line brings the next, and {each} is only answering the last one",
    "withdraw_withdraw": "it gets quieter on every side, and {each} waits for somebody else to come over",
    "mutual_disengagement": "it gets quieter on every side, and {each} waits for somebody else to come over",
    "repair_softening": "one of you comes out a little way, and then everyone watches what will happen to it",
    "constructive_alignment": "one of you puts something down and the other picks it up and adds to it",
    "cooperative_family_alliance": "one of you puts something down and another picks it up and adds to it",
    "cross_generational_coalition": "when two of you disagree, somebody younger gets called in to settle it",
    "boundary_hierarchy_strain": "everyone looks after somebody else's part, and nobody is quite in their own place",
    "mixed_transition": "one of you is reaching out while another is still on guard, and the two don't quite meet",
}


def fill_slots(moment: Moment, plan: ReplyPlan) -> dict[str, str]:
    """Slot -> text, for those that this moment can fill."""
    people = speakers_by_recency(moment)
    group = plan.target in GROUP_LABEL.values()
    slots = {
        "target": plan.target,
        "both": "both of you" if len(moment.participants) == 2 else "all of you",
        "each": "each of you",
        "speaker": people[0] if people else None,
        "other": None if group else counterpart(moment, plan.target),
        "quote": None if group else own_words(moment, plan.target),
        "feeling": None if group else feeling(plan),
        "cycle": cycle_clause(moment, plan.pattern),
        "quiet": least_heard(moment),
    }
    return {name: text for name, text in slots.items() if text}


def speakers_by_recency(moment: Moment) -> list[str]:
    """Participants who have spoken, the last one first."""
    spoken = dict.fromkeys(u.speaker for u in reversed(moment.utterances) if not u.by_supporter)
    return [name for name in spoken if name in moment.participants]


def counterpart(moment: Moment, target: str) -> str | None:
    """The one most concerned beside `target`: whom the target spoke to last, else the other who spoke last."""
    for utterance in reversed(moment.utterances):
        addressed = [name for name in utterance.target if name in moment.participants and name != target]
        if utterance.speaker == target and len(addressed) == 1:
            return addressed[0]
    others = [name for name in speakers_by_recency(moment) if name != target]
    silent = [name for name in moment.participants if name != target]
    return others[0] if others else silent[0] if len(silent) == 1 else None


def own_words(moment: Moment, person: str) -> str | None:
    """A short clause of what `person` said last, in their very words: no blame, no name, nothing cut in the middle."""
    said = next((u for u in reversed(moment.utterances[-_RECENT:]) if u.speaker == person), None)
    if said is None:
        return None
    clauses = [clause.strip(" ,\"'“”‘’") for clause in _CLAUSE.split(_ended(said))]
    usable = [clause for clause in clauses if _is_quotable(clause, moment)]
    return max(usable, key=lambda clause: (_is_personal(clause), -abs(len(clause.split()) - 6)), default=None)


def _ended(utterance: Utterance) -> str:
    """The text without a last clause that was broken off."""
    text = utterance.text.strip()
    return text if not text.endswith(("—", "–", "-")) else _CLAUSE.split(text.rstrip("—–- "))[0] if _CLAUSE.search(text[:-1]) else ""


def _is_quotable(clause: str, moment: Moment) -> bool:
    cues = dict(zip(LEXICAL, lexical_features(clause), strict=True))
    plain = clause.isprintable() and not set(clause) & set('"<>{}[]()*_`|\\/@#')
    return (
        plain
        and len(clause.split()) in _QUOTE_WORDS
        and not any(cues[name] for name in _HEATED)
        and neutral_text(clause, moment.participants) == clause
        and not has_gendered_word(clause)
    )


def _is_personal(clause: str) -> bool:
    return re.search(r"\b(i|i'm|i've|i'd|my|me)\b", clause, re.IGNORECASE) is not None


def feeling(plan: ReplyPlan) -> str | None:
    """The phrase that was read of the target's emotion, fit to follow "feel"."""
    read = next((e.description for e in reversed(plan.emotions) if e.person == plan.target), "")
    return re.sub(r"^(feels|feeling|felt|is)\s+", "", read.strip()).rstrip(".") or None


def cycle_clause(moment: Moment, pattern: str) -> str | None:
    """The pattern as a clause about these people; None when its roles can't be told apart."""
    template = _CYCLES.get(pattern)
    if template is None:
        return None
    roles = {"each": "each of you"} | pursuit_roles(moment)
    return template.format(**roles) if all(f"{{{name}}}" not in template or name in roles for name in ("pursuer", "withdrawer")) else None


def pursuit_roles(moment: Moment) -> dict[str, str]:
    """Who presses and who withdraws in the last rows, by words of blame, demand and withdrawal; empty when they don't differ."""
    pressing = {name: _pressing(moment, name) for name in speakers_by_recency(moment)}
    if len(pressing) < 2:
        return {}
    ranked = sorted(pressing, key=lambda name: -pressing[name])
    first, last = ranked[0], ranked[-1]
    return {"pursuer": first, "withdrawer": last} if pressing[first] > pressing[last] else {}


def _pressing(moment: Moment, name: str) -> float:
    """Cues of pressing less cues of withdrawing, a row."""
    rows = [lexical_features(u.text) for u in moment.utterances[-_RECENT:] if u.speaker == name]
    cues = [dict(zip(LEXICAL, row, strict=True)) for row in rows]
    total = sum(c["blame"] + c["demand"] + c["question"] + c["request"] - c["withdrawal"] - c["silence"] - c["denial"] for c in cues)
    return float(total) / max(1, len(cues))


def least_heard(moment: Moment) -> str | None:
    """Who has said least, in words; None when two share the last place."""
    words = dict.fromkeys(moment.participants, 0)
    for utterance in moment.utterances:
        if utterance.speaker in words:
            words[utterance.speaker] += len(utterance.text.split())
    fewest = [name for name, count in words.items() if count == min(words.values())]
    return fewest[0] if len(fewest) == 1 else None
