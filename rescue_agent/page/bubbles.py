# ruff: noqa: E501  (a style sheet)
"""The transcript of a room as HTML: one bubble a turn, every text and name escaped."""

import html
from collections.abc import Sequence
from typing import Final

from rescue_agent.page.transcript import reader_name

_COLOURS: Final = ("#0f766e", "#7e22ce", "#b45309", "#1d4ed8", "#be123c", "#4d7c0f", "#0369a1", "#86198f")

STYLE: Final = """
.room-log { display: flex; flex-direction: column; gap: .6rem; max-height: 60vh; overflow-y: auto; padding: .5rem; }
.room-log .turn { max-width: 85%; padding: .55rem .85rem; border-radius: .8rem; border: 1px solid var(--border-color-primary); overflow-wrap: anywhere; white-space: pre-wrap; }
.room-log .turn.supporter { align-self: flex-end; background: var(--background-fill-secondary); }
.room-log .who { font-weight: 600; font-size: .85rem; }
.room-log .listening { align-self: center; color: var(--body-text-color-subdued); font-size: .85rem; font-style: italic; }
.seen dl { display: grid; grid-template-columns: 9rem 1fr; gap: .2rem .8rem; margin: 0; }
.seen dt { color: var(--body-text-color-subdued); } .seen dd { margin: 0; overflow-wrap: anywhere; }
.seen table { margin: .3rem 0; } .seen td { padding: .1rem .6rem .1rem 0; }
@media (prefers-color-scheme: dark) { .room-log .who { filter: brightness(1.8); } }
"""


def bubbles(turns: Sequence[tuple[str, str]], participants: Sequence[str], held: str | None) -> str:
    """The room so far.

    Args:
        turns: (speaker, text), in order.
        held: why the supporter holds now; None when it has just spoken.
    """
    shown = "".join(_bubble(speaker, text, participants) for speaker, text in turns)
    mark = (
        f'<div class="listening">The supporter is listening. <details><summary>Why?</summary>{html.escape(held)}</details></div>'
        if held
        else ""
    )
    return f'<div class="room-log" role="log" aria-live="polite" aria-label="Conversation">{shown}{mark}</div>'


def _bubble(speaker: str, text: str, participants: Sequence[str]) -> str:
    own = speaker in participants
    colour = _COLOURS[participants.index(speaker) % len(_COLOURS)] if own else "#334155"
    who = html.escape(reader_name(speaker))
    return f'<div class="turn{"" if own else " supporter"}"><div class="who" style="color:{colour}">{who}</div>{html.escape(text)}</div>'


def private_lines(lines: Sequence[tuple[bool, str]]) -> str:
    """A private talk: (whether the participant said it, text), in order."""
    shown = "".join(
        f'<div class="turn{"" if own else " supporter"}"><div class="who">{"You" if own else "Supporter"}</div>{html.escape(text)}</div>'
        for own, text in lines
    )
    return f'<div class="room-log" role="log" aria-live="polite" aria-label="Private talk">{shown}</div>'
