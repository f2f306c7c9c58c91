"""Short reasons for the engine's decisions, from what it read: the same facts that its features hold."""

from collections.abc import Sequence
from typing import Final

from rescue_agent.decisions import RecalledMoment
from rescue_agent.engines.embedded.features import WINDOW, rows_held, rows_since
from rescue_agent.engines.embedded.lexicon import LEXICAL
from rescue_agent.engines.embedded.reading import Reading
from rescue_agent.taxonomy import GROUP_LABEL

_TOLD: Final = ("blame", "demand", "apology", "withdrawal", "validation", "feeling", "silence", "laughter", "broken_off")


def _main_type(reading: Reading) -> str:
    types = reading.type_probabilities()
    return max(types, key=lambda name: types[name])


def _cues(reading: Reading) -> list[str]:
    return [name.replace("_", " ") for name, value in zip(LEXICAL, reading.lexical, strict=True) if value and name in _TOLD]


def for_emotion(reading: Reading) -> str:
    """What the utterance reads as, and the cues in its words."""
    kind = _main_type(reading)
    share = reading.type_probabilities()[kind]
    cues = _cues(reading)
    return f"reads as {kind} ({share:.2f})" + (f"; words of {', '.join(cues)}" if cues else "")


def for_pattern(readings: Sequence[Reading]) -> str:
    """What each participant mostly did in the window."""
    clients = [r for r in readings[-WINDOW:] if not r.utterance.by_supporter]
    if not clients:
        return "nobody has spoken yet"
    told = []
    for speaker in dict.fromkeys(r.speaker for r in clients):
        kinds = [_main_type(r) for r in clients if r.speaker == speaker]
        told.append(f"{speaker}: {', '.join(dict.fromkeys(kinds))}")
    return f"last {len(readings[-WINDOW:])} rows: " + "; ".join(told)


def for_intervention(readings: Sequence[Reading], speak: bool) -> str:
    """How long the supporter has held, and what has just been said."""
    last, held = readings[-1], rows_held(readings)
    since = (
        f"{held} {'row' if held == 1 else 'rows'} since the supporter spoke" if held < len(readings) else "the supporter has not spoken yet"
    )
    what = f"{last.speaker}'s row reads as {_main_type(last)}" if not last.utterance.by_supporter else "the supporter spoke last"
    return f"{'speak' if speak else 'hold'}: {since}; {what}, intensity {last.intensity:.1f}"


def for_target(readings: Sequence[Reading], best: str) -> str:
    """How the one chosen stands in the conversation."""
    if best in GROUP_LABEL.values():
        speakers = dict.fromkeys(r.speaker for r in readings[-4:] if not r.utterance.by_supporter)
        return f"{best}: {' and '.join(speakers) or 'nobody'} in the last rows"
    since = rows_since(readings, best)
    return f"{best}: " + (
        "has not spoken yet"
        if since == len(readings)
        else "spoke last"
        if since == 0
        else f"spoke {since} {'row' if since == 1 else 'rows'} ago"
    )


def for_strategy(readings: Sequence[Reading], recalled: Sequence[RecalledMoment], best: str) -> str:
    """How many recalled moments went the same way, and how hot the window is."""
    same = sum(moment.strategy == best for moment in recalled)
    heat = max((r.intensity for r in readings[-WINDOW:]), default=0.0)
    votes = f"{same} of {len(recalled)} similar moments went on with {best}; " if recalled else ""
    return f"{votes}highest intensity in the window {heat:.1f}"
