"""What stands above every tab, always: that this is an AI, and where there is help right now."""

from dataclasses import dataclass

import gradio as gr

from rescue_agent.page.tab_strings import say
from rescue_agent.safety.notices import first_screen
from rescue_agent.safety.resources import countries, help_text
from rescue_agent.tabs.events import QUIET
from rescue_agent.tabs.language import follow, known_language


@dataclass(frozen=True)
class Help:
    """The choice of a country and its lines."""

    country: gr.Dropdown
    lines: gr.Markdown


def help_above(language: gr.Radio, host: str) -> Help:
    """Put it in place, inside a Blocks context; `host` is where what is said is sent, empty for nowhere."""
    gr.Markdown("# rescue-agent")
    notice = gr.Markdown(first_screen("en", host), elem_classes="first-screen")
    with gr.Accordion(say("help.now"), open=False, elem_classes="help-now") as now:
        country = gr.Dropdown(countries(), label=say("help.country"), value=None)
        lines = gr.Markdown(help_text(None))
    language.change(lambda given: first_screen(known_language(given), host), language, notice, **QUIET)
    country.input(help_text, country, lines, **QUIET)
    follow(language, [(now, "label", "help.now"), (country, "label", "help.country")])
    return Help(country, lines)
