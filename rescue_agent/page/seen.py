"""What the supporter sees beside the plots, as HTML: its choice with probabilities and reasons, what it recalled, the plots in words."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from rescue_agent.decisions import Ranking, RecalledMoment
from rescue_agent.page.tab_strings import Language, say
from rescue_agent.page.transcript import Decided

_SHOWN: Final = 4
_LAST: Final = 12
"""Turns in the table that tells what the plots show."""


def choices(decided: Decided, reason: str, language: Language = "en") -> str:
    """Whether to speak, whom to address and with which move, each with its probability and reason.

    Args:
        reason: why the supporter speaks or holds.
    """
    speaks, probability = decided.speak
    verdict = say("replay.speaks" if speaks else "replay.holds", language)
    parts = [
        _choice(say("replay.intervention", language), [(verdict, probability if speaks else 1 - probability)], reason),
        _choice(say("replay.target", language), _best(decided.target), decided.target.reason),
        _choice(say("replay.strategy", language), _best(decided.strategy), decided.strategy.reason),
    ]
    return f'<div class="seen">{"".join(parts)}</div>'


def _best(ranking: Ranking) -> Sequence[tuple[str, float]]:
    return ranking.ranking[:_SHOWN]


def _choice(title: str, shares: Sequence[tuple[str, float]], reason: str) -> str:
    rows = "".join(f'<tr><th scope="row">{escape(label)}</th><td>{_meter(label, p)}</td><td>{p:.0%}</td></tr>' for label, p in shares)
    return f"<h4>{escape(title)}</h4><table>{rows}</table><p>{escape(reason)}</p>"


def _meter(label: str, p: float) -> str:
    return f'<meter min="0" max="1" value="{p:.3f}" aria-label="{escape(label)}"></meter>'


def recalled(moments: Sequence[RecalledMoment], language: Language = "en") -> str:
    """The moments of the memory that the decision looked at, nearest first, with where each comes from."""
    heads = [say(f"seen.{key}", language) for key in ("source", "distance", "said", "move")]
    rows = [
        (f"{m.sample_id}, {m.row_index}", f"{m.distance:.2f}", m.text, f"{m.strategy}: {m.reply}" if m.reply else m.strategy)
        for m in moments
    ]
    return _folded(say("seen.recalled", language, count=len(moments)), _table(heads, rows))


def described(turns: Sequence[tuple[str, str]], language: Language = "en") -> str:
    """The plots in words, for who reads a screen by ear: (who and what was felt, pattern) of the last turns."""
    rows = [(str(number), felt, pattern) for number, (felt, pattern) in enumerate(turns, 1)][-_LAST:]
    heads = [say("seen.turn", language), say("seen.felt", language), say("replay.pattern", language)]
    return _folded(say("seen.table", language), _table(heads, rows))


def _folded(title: str, inner: str) -> str:
    return f'<details class="seen"><summary>{escape(title)}</summary>{inner}</details>'


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
