"""The language of a browser's page: a choice that stands in the settings tab, and the labels that follow it."""

from collections.abc import Sequence
from typing import Any, Final

import gradio as gr
from gradio.blocks import Block

from rescue_agent.page.tab_strings import LANGUAGES, Language, say
from rescue_agent.tabs.events import QUIET

_CHOICES: Final = [(name, language) for language, name in LANGUAGES.items()]
Label = tuple[Block, str, str]
"""A component, the property that is a text, and the id of the text."""


def language_choice() -> gr.Radio:
    """The choice, for all tabs of a page; the settings tab puts it in its place."""
    return gr.Radio(_CHOICES, value="en", label=say("settings.language"), min_width=300, render=False)


def known_language(given: object) -> Language:
    """`given` when it is a language that there is; English for anything else a browser sends."""
    return next((language for language in LANGUAGES if language == given), "en")


def follow(language: gr.Radio, labels: Sequence[Label]) -> None:
    """Write the `labels` anew whenever another language is chosen."""

    def written(given: str) -> list[dict[str, Any]]:
        texts: list[dict[str, Any]] = [{attribute: say(key, known_language(given))} for _, attribute, key in labels]
        return [gr.update(**text) for text in texts]

    language.change(written, language, [component for component, _, _ in labels], **QUIET)
