"""What a browser sees of a room: the conversation, what was read about somebody, links and exports, as HTML and Markdown."""

from collections.abc import Mapping
from html import escape

from graphs.history import RoomCard, ShownTurn, Snapshot
from graphs.record import DecisionRecord, as_decided
from graphs.room import Room
from rescue_agent.corpus.rescue import to_json
from rescue_agent.page.bubbles import Now, Said, bubbles
from rescue_agent.page.tab_strings import Language, say
from rescue_agent.page.transcript import Line, plain_markdown, reader_name, to_html, to_markdown
from rescue_agent.rooms.seats import Seat
from rescue_agent.tabs.rooms import Live
from rescue_agent.taxonomy import SUPPORTER

EXPORTS: Mapping[str, tuple[str, str]] = {
    "jsonl": ("RESCUE JSON", "application/jsonl"),
    "md": ("Markdown", "text/markdown"),
    "html": ("HTML", "text/html"),
}
"""Ending of a file -> what it is called, and its media type."""


def conversation(card: RoomCard, seen: Snapshot, live: Live, language: Language) -> str:
    """The room so far, and what is going on now."""
    turns = [Said(turn.speaker, turn.text, turn.target if _says_more(card, turn) else ()) for turn in seen.turns]
    return bubbles(turns, card.participants, _now(card, seen, live, language), language)


def _says_more(card: RoomCard, turn: ShownTurn) -> bool:
    """Whether an addressee is worth showing: between two people it is clear."""
    return len(card.participants) > 2 or SUPPORTER in (turn.speaker, *turn.target)


def _now(card: RoomCard, seen: Snapshot, live: Live, language: Language) -> Now:
    last = seen.last_decision
    if not seen.turns or seen.turns[-1].speaker == SUPPORTER:
        return Now(left=seen.left)
    if last is None or last.row_index != seen.turns[-1].seq:
        return Now(waits_for=card.facilitator, writing=None if card.facilitator else live.writing or "", left=seen.left)
    return Now(held=None if last.reply else _why_held(last, language), left=seen.left)


def _why_held(decision: DecisionRecord, language: Language) -> str:
    return say("room.stopped", language) if decision.intervene.speak else decision.intervene.reason


def may_look(seat: Seat, card: RoomCard, seen: Snapshot) -> bool:
    """Whether a seat may see what the supporter sees. Nobody but a facilitator does while joint work is paused: a reading names what was
    found, and another person in the room may be the danger.
    """
    return seat.role == "facilitator" or (card.open_panel and not seen.paused)


def reading(seen: Snapshot, person: str, language: Language) -> str:
    """What was read in the last turn of `person`, for that person, as Markdown."""
    own = [turn.seq for turn in seen.turns if turn.speaker == person][-1:]
    told = seen.corrections.get(own[0]) if own else None
    if told:
        return say("room.corrected", language, words=plain_markdown(told.description), intensity=f"{told.intensity:g}")
    emotion = next((decision.emotion for decision in reversed(seen.decisions) if decision.row_index in own), None)
    if emotion is None:
        return say("room.unread", language)
    return say("room.read", language, words=plain_markdown(emotion.description), intensity=f"{emotion.intensity:.0f}")


def invitations(tokens: Mapping[str, str], card: RoomCard, base: str, language: Language) -> str:
    """A link for each seat, as HTML. `tokens` as `Rooms.invite`; `base` is the address of the page."""
    items = "".join(f"<li>{escape(_seat_name(name, card, language))}: {_link(token, base)}</li>" for name, token in tokens.items())
    return f'<div class="seat-links"><p>{escape(say("room.links", language))}</p><ul>{items}</ul></div>'


def _seat_name(name: str, card: RoomCard, language: Language) -> str:
    if not name:
        return say("room.shared_link", language)
    return say("room.facilitator_link", language, name=name) if name == card.facilitator else name


def return_link(token: str, base: str, language: Language) -> str:
    """The way back to a shared device's room, as HTML."""
    return f'<p class="seat-links">{escape(say("room.return", language))} {_link(token, base)}</p>'


def _link(token: str, base: str) -> str:
    return f'<a href="/?seat={token}" target="_blank" rel="noopener">{escape(base)}/?seat={token}</a>'


def exports(token: str, language: Language) -> str:
    """Links that export the room, as HTML."""
    links = "".join(f'<a href="/export/room.{kind}?seat={token}" download>{escape(name)}</a>' for kind, (name, _) in EXPORTS.items())
    return f'<p class="exports">{escape(say("room.export", language))} {links}</p>'


def exported(seat: Seat, room: Room, kind: str) -> str:
    """The room as a file of `kind`, a key of EXPORTS; decisions stand in it where the seat may see them."""
    if kind == "jsonl":
        return to_json(room.export()) + "\n"
    seen = room.snapshot()
    decided = {d.row_index: as_decided(d, alone=True) for d in seen.decisions} if may_look(seat, room.card, seen) else {}
    lines = [
        Line(number, reader_name(turn.speaker), ", ".join(map(reader_name, turn.target)), turn.text, decided.get(turn.seq))
        for number, turn in enumerate(seen.turns, 1)
    ]
    title = ", ".join(room.card.participants)
    return to_markdown(title, lines) if kind == "md" else to_html(title, lines)
