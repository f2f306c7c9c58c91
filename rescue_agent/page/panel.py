"""What the supporter sees, as HTML: the reading of the last turn with its probabilities and reasons."""

import html

from rescue_agent.decisions import Ranking
from rescue_agent.page.transcript import Decided, summary

_SHOWN = 4


def panel(decided: Decided, note: str = "") -> str:
    """The last decision: what was read, the likeliest targets and strategies as bars, why, and a `note` on the session."""
    facts = "".join(f"<dt>{html.escape(heading)}</dt><dd>{html.escape(text)}</dd>" for heading, text in summary(decided))
    bars = _bars("Target", decided.target) + _bars("Strategy", decided.strategy)
    return f'<div class="seen"><dl>{facts}</dl>{bars}<p>{html.escape(note)}</p></div>'


def _bars(title: str, ranking: Ranking) -> str:
    rows = "".join(
        f"<tr><td>{html.escape(label)}</td><td><meter min=0 max=1 value={p:.3f}></meter></td><td>{p:.0%}</td></tr>"
        for label, p in ranking.ranking[:_SHOWN]
    )
    return f"<h4>{title}</h4><table>{rows}</table><p>{html.escape(ranking.reason)}</p>"
