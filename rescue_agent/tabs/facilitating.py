"""The facilitator's part of a room: what the agent proposes, and what the facilitator makes of it."""

from dataclasses import dataclass
from typing import Any, Literal

import gradio as gr

from graphs.room import Proposal, Room
from graphs.state import Verdict
from rescue_agent.errors import RoomError
from rescue_agent.page.tab_strings import Language, say
from rescue_agent.page.transcript import plain_markdown
from rescue_agent.tabs.events import or_message
from rescue_agent.tabs.language import Label, known_language
from rescue_agent.tabs.rooms import Rooms
from rescue_agent.taxonomy import GROUP_LABEL, strategy_names

NONE = -1
"""No proposal."""
Action = Literal["approved", "edited", "held"]


@dataclass(frozen=True)
class ProposalDesk:
    """The components: `seq` is the turn that the shown proposal answers."""

    box: gr.Group
    seq: gr.Number
    told: gr.Markdown
    words: gr.Textbox
    target: gr.Dropdown
    strategy: gr.Dropdown
    approve: gr.Button
    edit: gr.Button
    hold: gr.Button

    def labels(self) -> list[Label]:
        """Every text that follows the language."""
        return [
            (self.words, "label", "facilitator.words"),
            (self.target, "label", "facilitator.target"),
            (self.strategy, "label", "facilitator.strategy"),
            *((getattr(self, name), "value", f"facilitator.{name}") for name in ("approve", "edit", "hold")),
        ]


def proposal_desk() -> ProposalDesk:
    """Put the components in place, inside a Blocks context."""
    with gr.Group(visible=False) as box:
        seq, told = gr.Number(NONE, visible=False), gr.Markdown(container=True)
        words = gr.Textbox(label=say("facilitator.words"), lines=3, max_length=5_000)
        with gr.Row():
            target = gr.Dropdown([], label=say("facilitator.target"), min_width=160)
            strategy = gr.Dropdown([], label=say("facilitator.strategy"), min_width=160)
        with gr.Row():
            approve = gr.Button(say("facilitator.approve"), variant="primary", min_width=140)
            edit, hold = (gr.Button(say(f"facilitator.{name}"), min_width=140) for name in ("edit", "hold"))
    return ProposalDesk(box, seq, told, words, target, strategy, approve, edit, hold)


class Facilitating:
    """The events of the facilitator."""

    def __init__(self, rooms: Rooms, desk: ProposalDesk) -> None:
        self.rooms, self.desk = rooms, desk

    def drawn(self, room: Room, known: float, language: Language) -> dict[Any, Any]:
        """The proposal that waits now. What a facilitator is writing is left alone as long as it is the one that is `known`."""
        proposal, desk = room.proposal(), self.desk
        if proposal is None:
            return {desk.box: gr.update(visible=True), desk.seq: NONE, desk.told: say("facilitator.none", language), **self._buttons(False)}
        if proposal.seq == known:
            return {desk.told: _told(proposal, language)}
        decision = proposal.decision
        return {
            desk.box: gr.update(visible=True),
            desk.seq: proposal.seq,
            desk.told: _told(proposal, language),
            desk.words: decision.reply or "",
            desk.target: gr.update(choices=_addressees(room, language), value=decision.target.best),
            desk.strategy: gr.update(choices=list(strategy_names(room.card.scenario)), value=decision.strategy.best),
            **self._buttons(True),
        }

    def hidden(self) -> dict[Any, Any]:
        """Nothing of it for anybody else."""
        return {self.desk.box: gr.update(visible=False)}

    def _buttons(self, there: bool) -> dict[Any, Any]:
        return {button: gr.update(interactive=there) for button in (self.desk.approve, self.desk.edit, self.desk.hold)}

    def settle(self, action: Action, token: str, seq: float, words: str, target: str, strategy: str, language: str) -> None:
        """Say, change or hold what is proposed. Words that have nothing of the proposal in them replace it."""
        seat, room = or_message(lambda: self.rooms.look(token))

        def settled() -> None:
            proposal = room.proposal()
            if seat.role != "facilitator" or proposal is None:
                raise RoomError(say("facilitator.none", known_language(language)))
            done = "replaced" if action == "edited" and _is_new(words, proposal.decision.reply) else action
            room.settle(int(seq), Verdict(action=done, target=target or "", strategy=strategy or "", text=words))

        or_message(settled)


def _is_new(words: str, proposed: str | None) -> bool:
    """Whether nothing of what was proposed is left: fewer than half of its words, in any order."""
    before = set((proposed or "").casefold().split())
    return not before or len(before & set(words.casefold().split())) < len(before) / 2


def _told(proposal: Proposal, language: Language) -> str:
    decision = proposal.decision
    if decision.reply is None:
        return say("facilitator.holds", language, reason=plain_markdown(decision.intervene.reason))
    move = {"strategy": decision.strategy.best, "target": decision.target.best, "reason": decision.strategy.reason}
    return say("facilitator.speaks", language, **{key: plain_markdown(text) for key, text in move.items()})


def _addressees(room: Room, language: Language) -> list[tuple[str, str]]:
    return [*((name, name) for name in room.card.participants), (say("room.to_all", language), GROUP_LABEL[room.card.scenario])]
