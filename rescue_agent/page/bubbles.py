# ruff: noqa: E501  (a style sheet)
"""The transcript of a room as HTML: one bubble a turn, every text and name escaped."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rescue_agent.page.tab_strings import Language, say
from rescue_agent.taxonomy import GROUP_LABEL, SUPPORTER

COLOURS: Final = ("#0f766e", "#7e22ce", "#b45309", "#1d4ed8", "#be123c", "#4d7c0f", "#0369a1", "#86198f")
"""A colour a participant, in the order of the room's list; text on white in them has a contrast of 4.5:1 or more."""
COLOURS_DARK: Final = ("#5eead4", "#d8b4fe", "#fbbf24", "#93c5fd", "#fda4af", "#bef264", "#7dd3fc", "#f0abfc")
"""The same on a dark page."""
_WHO: Final = "\n".join(
    f".room-log .c{n} .who {{ color: {light}; }} .room-log .c{n} {{ border-left-color: {light}; }} .dark .room-log .c{n} .who {{ color: {dark}; }} .dark .room-log .c{n} {{ border-left-color: {dark}; }}"
    for n, (light, dark) in enumerate(zip(COLOURS, COLOURS_DARK, strict=True))
)

STYLE: Final = (
    """
body { background: var(--body-background-fill); }
/* the log grows upwards from its end, so that the newest turn is in view without a script */
.room-log { display: flex; flex-direction: column-reverse; max-height: 60vh; overflow-y: auto; padding: .5rem; color: var(--body-text-color); line-height: 1.5; }
.room-log:focus-visible { outline: 3px solid var(--tab-good); outline-offset: 2px; border-radius: .4rem; }
.room-log .turns { display: flex; flex-direction: column; gap: .6rem; }
.room-log .turn { max-width: 85%; padding: .55rem .9rem; border-radius: .3rem .9rem .9rem .9rem; border: 1px solid var(--border-color-primary); border-left-width: 4px; background: var(--background-fill-secondary); overflow-wrap: anywhere; white-space: pre-wrap; }
.room-log .turn.supporter { align-self: flex-end; border-radius: .9rem .3rem .9rem .9rem; border-left-width: 1px; border-right: 4px solid var(--tab-good); background: var(--tab-now); }
.room-log .who { font-weight: 600; font-size: .85rem; } .room-log .who span { font-weight: 400; color: var(--tab-soft); }
.room-log .mark { align-self: center; text-align: center; color: var(--tab-soft); font-size: .88rem; max-width: 85%; overflow-wrap: anywhere; }
.room-log .mark details { display: inline; } .room-log .mark summary { display: inline; cursor: pointer; text-decoration: underline; }
.room-log .writing::after { content: " …"; animation: writing 1.2s steps(2) infinite; } @keyframes writing { 50% { opacity: .2; } }
.seat-links { overflow-wrap: anywhere; line-height: 1.7; } .seat-links a, .exports a { text-decoration: underline; }
.exports { color: var(--body-text-color); } .exports a { margin-right: .8rem; }
.seen table { border-collapse: collapse; margin: .3rem 0; font-size: .9rem; } .seen th, .seen td { text-align: left; vertical-align: top; padding: .15rem .8rem .15rem 0; overflow-wrap: anywhere; }
.seen { color: var(--body-text-color); line-height: 1.5; } .seen h4 { font-weight: 600; margin: .6rem 0 .2rem; } .seen p { margin: .3rem 0; } .seen th { font-weight: 400; min-width: 7rem; } .seen td:nth-child(3) { font-variant-numeric: tabular-nums; }
.seen meter { width: 7rem; height: .6rem; border: 0; border-radius: 3px; background: var(--tab-line); -webkit-appearance: none; appearance: none; } .seen meter::-webkit-meter-bar { background: var(--tab-line); border: 0; border-radius: 3px; height: .6rem; } .seen meter::-webkit-meter-optimum-value { background: var(--tab-good); border-radius: 3px; } .seen meter::-moz-meter-bar { background: var(--tab-good); }
.seen summary { cursor: pointer; color: var(--tab-soft); } .seen thead th { color: var(--tab-soft); min-width: 0; }
.js-plotly-plot .modebar { display: none; } .js-plotly-plot text { fill: var(--body-text-color) !important; } .js-plotly-plot .gridlayer path, .js-plotly-plot .zerolinelayer path { stroke: var(--tab-line) !important; }
.js-plotly-plot .hoverlayer text { fill: #ffffff !important; } .js-plotly-plot .hoverlayer path { fill: #1e293b !important; } .dark .js-plotly-plot .scatterlayer, .dark .js-plotly-plot .legend .layers { filter: brightness(1.5); }
@media (prefers-reduced-motion: reduce) { *, *::before, *::after { animation-duration: .01ms !important; animation-iteration-count: 1 !important; transition-duration: .01ms !important; scroll-behavior: auto !important; } }
"""
    + _WHO
)


@dataclass(frozen=True)
class Said:
    """A turn as everybody sees it; `to` is shown where somebody was named."""

    speaker: str
    text: str
    to: tuple[str, ...] = ()


@dataclass(frozen=True)
class Now:
    """What is going on after the last turn.

    Attributes:
        writing: the supporter's reply as far as it is written; None when none is being written.
        held: why the supporter holds; None when it doesn't.
        waits_for: the facilitator for whom the supporter's words wait; empty when they don't.
        left: who has left.
    """

    writing: str | None = None
    held: str | None = None
    waits_for: str = ""
    left: tuple[str, ...] = ()


def bubbles(turns: Sequence[Said], participants: Sequence[str], now: Now, language: Language = "en") -> str:
    """The room so far."""
    shown = [_bubble(turn, participants, language) for turn in turns]
    shown += [_mark(say("room.has_left", language, name=name)) for name in now.left]
    return _log("".join([*shown, _going_on(now, language)]), say("room.conversation", language))


def _going_on(now: Now, language: Language) -> str:
    if now.writing is not None:
        who = f'{html.escape(say("room.supporter", language))} <span class="writing">{html.escape(say("room.writing", language))}</span>'
        return f'<div class="turn supporter"><div class="who">{who}</div>{html.escape(now.writing)}</div>'
    if now.waits_for:
        return _mark(say("room.waiting", language, name=now.waits_for))
    if now.held is None:
        return ""
    why = f"<details><summary>{html.escape(say('room.why', language))}</summary> {html.escape(now.held)}</details>"
    return f'<div class="mark">{html.escape(say("room.listening", language))} {why}</div>'


def _bubble(turn: Said, participants: Sequence[str], language: Language) -> str:
    own = turn.speaker in participants
    kind = f"c{participants.index(turn.speaker) % len(COLOURS)}" if own else "supporter"
    to = (
        f" <span>{html.escape(say('replay.to', language, name=', '.join(_reader_name(name, language) for name in turn.to)))}</span>"
        if turn.to
        else ""
    )
    who = html.escape(_reader_name(turn.speaker, language))
    return f'<div class="turn {kind}"><div class="who">{who}{to}</div>{html.escape(turn.text)}</div>'


def _reader_name(name: str, language: Language) -> str:
    known = {SUPPORTER: "room.supporter"} | dict.fromkeys(GROUP_LABEL.values(), "room.to_all")
    return say(known[name], language) if name in known else name


def _mark(text: str) -> str:
    return f'<div class="mark">{html.escape(text)}</div>'


def _log(turns: str, label: str) -> str:
    return f'<div class="room-log" role="log" tabindex="0" aria-live="polite" aria-label="{html.escape(label)}"><div class="turns">{turns}</div></div>'


def private_lines(lines: Sequence[tuple[bool, str]], language: Language = "en") -> str:
    """A private talk: (whether the participant said it, text), in order."""
    shown = "".join(
        f'<div class="turn{"" if own else " supporter"}"><div class="who">{html.escape(say("private.you" if own else "room.supporter", language))}</div>{html.escape(text)}</div>'
        for own, text in lines
    )
    return _log(shown, say("private.talk", language))


def gone(language: Language = "en") -> str:
    """What stands in the place of a room that was deleted."""
    return _log(_mark(say("room.gone", language)), say("room.conversation", language))
