"""What the supporter sees, for those who may look: readings over time, the relation graph, the choice and what it recalled."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from graphs.fairness import balance_note
from graphs.history import Snapshot
from graphs.record import DecisionRecord, as_decided
from graphs.room import Room
from rescue_agent.engines.protocol import Engine
from rescue_agent.page.plots import emotions, patterns, relation_graph
from rescue_agent.page.seen import choices, described, recalled
from rescue_agent.page.status import notice
from rescue_agent.page.tab_strings import Language, say


@dataclass(frozen=True)
class SeenDesk:
    """The components of the panel."""

    panel: gr.Accordion
    told: gr.HTML
    emotions: gr.Plot
    graph: gr.Plot
    patterns: gr.Plot
    choices: gr.HTML
    recalled: gr.HTML
    described: gr.HTML


def seen_desk() -> SeenDesk:
    """Put the components in place, inside a Blocks context."""
    with gr.Accordion(say("seen.title"), open=True, visible=False) as panel:
        told = gr.HTML(apply_default_css=False)
        emotions_plot, graph, patterns_plot = (gr.Plot(show_label=False) for _ in range(3))
        chosen, remembered, in_words = (gr.HTML(apply_default_css=False) for _ in range(3))
    return SeenDesk(panel, told, emotions_plot, graph, patterns_plot, chosen, remembered, in_words)


class Seen:
    """Fills the panel."""

    def __init__(self, engine: Engine, desk: SeenDesk) -> None:
        self.engine, self.desk = engine, desk

    def drawn(self, room: Room, seen: Snapshot, language: Language) -> dict[Any, Any]:
        """The panel of a seat that may look."""
        desk, people, decisions = self.desk, room.card.participants, seen.decisions
        moment, last = room.latest_moment(), seen.last_decision
        told = {at: seen.corrections[d.row_index] for at, d in enumerate(decisions) if d.row_index in seen.corrections}
        return {
            desk.panel: gr.update(visible=True),
            desk.told: notice(balance_note("supporter", room.balance())),
            desk.emotions: emotions([decision.emotion for decision in decisions], told, people, language),
            desk.graph: relation_graph(seen.relation, people, language),
            desk.patterns: patterns([decision.pattern.probabilities for decision in decisions], language),
            desk.choices: choices(as_decided(last, alone=True), last.intervene.reason, language) if last else "",
            desk.recalled: recalled(self.engine.recall(moment), language) if moment else "",
            desk.described: described([_in_words(decision, language) for decision in decisions], language),
        }

    def hidden(self, *, paused: bool, language: Language) -> dict[Any, Any]:
        """Nothing of it for anybody else; one line where it could be seen before joint work was `paused`."""
        desk = self.desk
        empty = dict.fromkeys((desk.emotions, desk.graph, desk.patterns)) | dict.fromkeys((desk.choices, desk.recalled, desk.described), "")
        return {desk.panel: gr.update(visible=paused), desk.told: notice(say("seen.paused", language)) if paused else "", **empty}


def _in_words(decision: DecisionRecord, language: Language) -> tuple[str, str]:
    emotion = decision.emotion
    felt = say("replay.of_ten", language, words=emotion.description, intensity=f"{emotion.intensity:.0f}")
    return f"{emotion.person}: {felt}", decision.pattern.label
