"""A moment as JSON items for a model: opaque ids in the place of names, and the way back.

Names never leave: they become P1, P2 ... in the words that were said, too. What comes back has its ids turned into names again.
"""

import re
from collections.abc import Iterator
from typing import Final

from pydantic import JsonValue

from rescue_agent.moment import Moment, Utterance
from rescue_agent.safety.untrusted import as_read
from rescue_agent.taxonomy import SUPPORTER

GROUP: Final = "GROUP"
OWN: Final = "SUPPORTER"
LONGEST_TURN: Final = 2_000
_ID: Final = re.compile(r"\bP(\d{1,2})\b")


class Mask:
    """Names <-> ids for one moment: participants in their order, then whoever else speaks or is spoken to."""

    def __init__(self, moment: Moment) -> None:
        heard = (name for said in moment.utterances for name in (said.speaker, *said.target))
        people = dict.fromkeys((*moment.participants, *heard))
        fixed = {SUPPORTER: OWN, moment.group_label: GROUP}
        self.ids = {**{name: f"P{i}" for i, name in enumerate((p for p in people if p not in fixed), 1)}, **fixed}
        self._names = {identifier: name for name, identifier in self.ids.items()}
        shown = sorted((re.escape(name) for name in people if name and name not in fixed), key=len, reverse=True)
        self._spoken = re.compile(r"(?<!\w)(" + "|".join(shown) + r")(?!\w)") if shown else None

    def hide(self, text: str) -> str:
        """`text` with ids for names."""
        return self._spoken.sub(lambda name: self.ids[name[1]], text) if self._spoken else text

    def show(self, text: str) -> str:
        """`text` with names for ids; an id that stands for nobody stays."""
        return _ID.sub(lambda found: self._names.get(found[0], found[0]), text)

    def name(self, identifier: str) -> str:
        """The name behind an id; the group label behind GROUP."""
        return self._names[identifier]

    def show_pieces(self, pieces: Iterator[str]) -> Iterator[str]:
        """As `show`, for text that comes in pieces: an id may be cut between two of them."""
        held = ""
        for piece in pieces:
            held += piece
            ready = re.match(r".*(?:\s|[^\w])", held, re.DOTALL)
            if ready:
                yield self.show(ready[0])
                held = held[ready.end() :]
        if held:
            yield self.show(held)


def material(moment: Moment, mask: Mask, window: int) -> dict[str, JsonValue]:
    """Scenario, people and the last `window` turns of `moment`; and what went before them, if the relation state tells."""
    turns: list[JsonValue] = [_turn(said, mask) for said in as_read(moment).utterances[-window:]]
    people: list[JsonValue] = [mask.ids[name] for name in moment.participants]
    earlier = moment.prior.summary if moment.prior else ""
    known: dict[str, JsonValue] = {"earlier": mask.hide(earlier)} if earlier else {}
    return {"scenario": moment.scenario, "people": people, **known, "turns": turns}


def _turn(said: Utterance, mask: Mask) -> dict[str, JsonValue]:
    cues: dict[str, JsonValue] = {
        "tone": mask.hide(said.tone),
        "face": _cues(((cue.person, cue.description) for cue in said.face), mask),
        "posture": _cues(((cue.person, cue.description) for cue in said.posture), mask),
        "acts": [
            *_cues(((cue.person, cue.description) for cue in said.self_directed), mask),
            *_cues(((cue.initiator, cue.description) for cue in said.interaction), mask),
        ],
        "over": [{"from": _id(o.speaker, mask), "said": mask.hide(o.content)} for o in said.background],
    }
    told = said.corrected
    felt: dict[str, JsonValue] = {"felt": {"what": mask.hide(told.description), "intensity": told.intensity}} if told else {}
    text = said.text if len(said.text) <= LONGEST_TURN else said.text[:LONGEST_TURN] + " ..."
    return {
        "from": mask.ids[said.speaker],
        "to": [mask.ids[name] for name in said.target],
        "said": mask.hide(text),
        **{key: value for key, value in cues.items() if value},
        **felt,
    }


def _id(name: str, mask: Mask) -> str:
    return mask.ids.get(name, "somebody")


def _cues(cues: Iterator[tuple[str, str]], mask: Mask) -> list[JsonValue]:
    return [{"of": _id(person, mask), "what": mask.hide(what)} for person, what in cues]
