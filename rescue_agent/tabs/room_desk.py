"""The components of the Room tab, in their places."""

from dataclasses import dataclass
from typing import Any, Final

import gradio as gr

from rescue_agent.page.tab_strings import Language, say
from rescue_agent.tabs.language import Label

MAX_TEXT: Final = 5_000


@dataclass(frozen=True)
class Desk:
    """What the tab is made of. `token`, `message_id` and `version` are what a browser remembers."""

    token: gr.Textbox
    message_id: gr.Textbox
    version: gr.Textbox
    intro: gr.Markdown
    entrance: gr.Group
    scenario: gr.Radio
    names: gr.Textbox
    shared: gr.Radio
    more: gr.Accordion
    facilitator: gr.Textbox
    open_panel: gr.Checkbox
    consent: gr.Checkbox
    open: gr.Button
    links: gr.HTML
    door: gr.Group
    whose: gr.Markdown
    agreed: gr.Checkbox
    sit: gr.Button
    inside: gr.Column
    log: gr.HTML
    speaking: gr.Column
    speaker: gr.Radio
    to: gr.Dropdown
    text: gr.Textbox
    say: gr.Button
    stop: gr.Button
    undo: gr.Button
    corrections: gr.Accordion
    read: gr.Markdown
    felt: gr.Textbox
    strongly: gr.Slider
    correct: gr.Button
    leave: gr.Button
    erase: gr.Button
    delete: gr.Button
    exports: gr.HTML
    aside: gr.Accordion
    talk: gr.HTML
    private_text: gr.Textbox
    private_say: gr.Button
    flee: gr.Button

    def labels(self) -> list[Label]:
        """Every text that follows the language."""
        values = ("intro", "open", "sit", "say", "stop", "undo", "correct", "leave", "erase", "delete")
        fields = (
            "scenario",
            "names",
            "shared",
            "more",
            "facilitator",
            "open_panel",
            "consent",
            "speaker",
            "to",
            "text",
            "felt",
            "strongly",
        )
        return [
            *((getattr(self, name), "value", f"room.{name}") for name in values),
            *((getattr(self, name), "label", f"room.{_KEYS.get(name, name)}") for name in fields),
            (self.agreed, "label", "room.consent"),
            (self.corrections, "label", "room.reading"),
            (self.aside, "label", "private.title"),
            (self.private_text, "label", "private.text"),
            (self.private_say, "value", "private.say"),
            (self.flee, "value", "private.leave"),
        ]


_KEYS: Final = {"shared": "devices"}


def scenarios(language: Language) -> list[tuple[str, str]]:
    """The choices of who is here."""
    return [(say("room.couple", language), "couple"), (say("room.family", language), "family")]


def devices(language: Language) -> list[tuple[str, bool]]:
    """The choices of where people sit: whether they share a device."""
    return [(say("room.shared", language), True), (say("room.own", language), False)]


def room_desk() -> Desk:
    """Put the components in place, inside a Blocks context."""
    parts: dict[str, Any] = {name: gr.Textbox(visible=False) for name in ("token", "message_id", "version")}
    parts["intro"] = gr.Markdown(say("room.intro"))
    parts["links"] = gr.HTML(apply_default_css=False, padding=False)
    for put in (_entrance, _door, _inside, _aside):
        parts |= put()
    return Desk(**parts)


def _entrance() -> dict[str, Any]:
    with gr.Group() as entrance:
        scenario = gr.Radio(scenarios("en"), value="couple", label=say("room.scenario"))
        names = gr.Textbox(label=say("room.names"), placeholder="Ada, Ben", max_length=400)
        shared = gr.Radio(devices("en"), value=True, label=say("room.devices"))
        with gr.Accordion(say("room.more"), open=False) as more:
            facilitator = gr.Textbox(label=say("room.facilitator"), max_length=60)
            open_panel = gr.Checkbox(label=say("room.open_panel"))
        consent = gr.Checkbox(label=say("room.consent"))
        open_room = gr.Button(say("room.open"), variant="primary")
    return {
        "entrance": entrance,
        "scenario": scenario,
        "names": names,
        "shared": shared,
        "more": more,
        "facilitator": facilitator,
        "open_panel": open_panel,
        "consent": consent,
        "open": open_room,
    }


def _door() -> dict[str, Any]:
    with gr.Group(visible=False) as door:
        whose = gr.Markdown()
        agreed = gr.Checkbox(label=say("room.consent"))
        sit = gr.Button(say("room.sit"), variant="primary")
    return {"door": door, "whose": whose, "agreed": agreed, "sit": sit}


def _inside() -> dict[str, Any]:
    with gr.Column(visible=False) as inside:
        log = gr.HTML(apply_default_css=False, padding=False)
        with gr.Column() as speaking:
            spoken = {**_speaking(), **_corrections()}
            with gr.Row():
                for name in ("leave", "erase"):
                    spoken[name] = gr.Button(say(f"room.{name}"), variant="stop", size="sm", min_width=140)
        with gr.Row():
            exports = gr.HTML(apply_default_css=False)
            delete = gr.Button(say("room.delete"), variant="stop", size="sm", scale=0, min_width=160)
    return {"inside": inside, "log": log, "speaking": speaking, "exports": exports, "delete": delete, **spoken}


def _speaking() -> dict[str, Any]:
    with gr.Row():
        speaker = gr.Radio([], label=say("room.speaker"), scale=2, min_width=240)
        to = gr.Dropdown([(say("room.to_any"), "")], value="", label=say("room.to"), scale=1, min_width=180)
    text = gr.Textbox(label=say("room.text"), lines=2, max_length=MAX_TEXT)
    with gr.Row():
        said = gr.Button(say("room.say"), variant="primary", min_width=120)
        stop, undo = (gr.Button(say(f"room.{name}"), min_width=120) for name in ("stop", "undo"))
    return {"speaker": speaker, "to": to, "text": text, "say": said, "stop": stop, "undo": undo}


def _corrections() -> dict[str, Any]:
    with gr.Accordion(say("room.reading"), open=False) as corrections:
        read = gr.Markdown()
        with gr.Row():
            felt = gr.Textbox(label=say("room.felt"), max_length=200, scale=2, min_width=240)
            strongly = gr.Slider(0, 10, value=5, step=1, label=say("room.strongly"), scale=1, min_width=200)
        correct = gr.Button(say("room.correct"))
    return {"corrections": corrections, "read": read, "felt": felt, "strongly": strongly, "correct": correct}


def _aside() -> dict[str, Any]:
    with gr.Accordion(say("private.title"), open=False, visible=False) as aside:
        talk = gr.HTML(apply_default_css=False)
        private_text = gr.Textbox(label=say("private.text"), lines=2, max_length=MAX_TEXT)
        with gr.Row():
            private_say = gr.Button(say("private.say"))
            flee = gr.Button(say("private.leave"), variant="stop")
    return {"aside": aside, "talk": talk, "private_text": private_text, "private_say": private_say, "flee": flee}
