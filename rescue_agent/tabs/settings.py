"""The Settings tab: what runs here, a test of the endpoint, and language, country and length of the replies."""

import logging
from collections.abc import Iterator
from typing import Any, Final

import gradio as gr

from rescue_agent.engines.llm.connect import configured_address, host_of
from rescue_agent.engines.llm.probe import probe
from rescue_agent.engines.protocol import Engine
from rescue_agent.errors import RescueError
from rescue_agent.page.facts import facts
from rescue_agent.page.status import notice
from rescue_agent.page.tab_strings import Language, say
from rescue_agent.redaction import where
from rescue_agent.safety.resources import countries, help_text
from rescue_agent.settings import ReplyLength, settings
from rescue_agent.tabs.events import QUIET
from rescue_agent.tabs.help import Help
from rescue_agent.tabs.language import follow, known_language

logger = logging.getLogger(__name__)
LENGTHS: Final[tuple[ReplyLength, ...]] = ("normal", "short")
REMEMBER: Final = "language => { localStorage.setItem('rescue-agent-language', language); }"
RECALL: Final = "() => localStorage.getItem('rescue-agent-language') || 'en'"
"""The language stays with the browser, also when this page is started again."""
REMEMBER_COUNTRY: Final = "country => { localStorage.setItem('rescue-agent-country', country ?? ''); return country; }"
RECALL_COUNTRY: Final = "() => localStorage.getItem('rescue-agent-country') || null"
_DESCRIBED: Final = ("embedded", "llm", "hybrid")


def configured(engine: Engine, language: Language) -> Iterator[tuple[str, str]]:
    """(heading, text) of what is set up; of a key only whether there is one, of an address nothing but the host and port."""
    known = settings()
    described = engine.name if engine.name in _DESCRIBED else "other"
    yield say("settings.engine", language), f"{engine.name}: {say(f'engine.{described}', language)}"
    yield say("settings.embedding", language), known.embedding_model
    yield say("settings.heads", language), say("settings.own" if known.heads else "settings.bundled", language)
    if known.local_gguf:
        yield say("settings.model", language), f"{known.local_gguf.name}, {say('settings.local', language)}"
    elif known.openai_base_url or known.openai_api_key:
        yield say("settings.model", language), known.model or say("settings.unset", language)
        yield say("settings.endpoint", language), host_of(known.openai_base_url)
        yield say("settings.key", language), say("settings.set" if known.openai_api_key else "settings.unset", language)
    else:
        yield say("settings.model", language), say("settings.none", language)


def endpoint_report(given: str) -> str:
    """Ask the endpoint, as `rescue-agent doctor` does, and tell what it can do or why it doesn't work."""
    language, known = known_language(given), settings()
    if not (known.openai_base_url or known.openai_api_key or known.local_gguf):
        return notice(f"{say('settings.model', language)}: {say('settings.none', language)}")
    try:
        return notice(say("settings.probe_ok", language, found=probe(configured_address())))
    except RescueError as problem:
        return notice(say("settings.probe_failed", language, why=problem), problem=True)
    except Exception as error:
        logger.error("the test of the endpoint failed: %s", where(error))
        return notice(say("settings.probe_failed", language, why="see the log of the page"), problem=True)


def set_length(given: str) -> None:
    """From the next reply on, replies are of this length; anything that is no length changes nothing."""
    settings().reply_length = next((length for length in LENGTHS if length == given), settings().reply_length)


def _drawn(engine: Engine, language: Language) -> str:
    return facts(say("settings.facts", language), list(configured(engine, language)))


def _lengths(language: Language) -> list[tuple[str, str]]:
    return [(say(f"settings.{length}", language), length) for length in LENGTHS]


def settings_tab(engine: Engine, language: gr.Radio, page: gr.Blocks, help_now: Help) -> None:
    """The tab, inside the Blocks context of `page`; the choice of `language` is put into it, and kept by the browser, as is the country
    of `help_now`.

    The `gr.Tab` around it is to have `render_children=True`: what stands in a tab that nobody opened tells no change.
    """
    intro = gr.Markdown(say("settings.intro"))
    with gr.Row():
        language.render()  # type: ignore[no-untyped-call]
        length = gr.Radio(_lengths("en"), value=settings().reply_length, label=say("settings.length"), min_width=300)
    note = gr.Markdown(say("settings.length_note"))
    with gr.Row():
        country = gr.Dropdown(countries(), value=None, label=say("settings.country"), min_width=300)
    shown = gr.HTML(_drawn(engine, "en"), apply_default_css=False)
    with gr.Row():
        test = gr.Button(say("settings.probe"), min_width=220, scale=0)
        told = gr.HTML(apply_default_css=False)

    def again(given: str) -> tuple[Any, ...]:
        words = known_language(given)
        return _drawn(engine, words), gr.update(choices=_lengths(words))

    _one_country(country, help_now, page)
    length.input(set_length, length, None, **QUIET)
    test.click(endpoint_report, language, told, **QUIET)
    language.change(again, language, [shown, length], **QUIET)
    language.input(None, language, None, js=REMEMBER, **QUIET)
    page.load(None, None, language, js=RECALL, **QUIET)
    page.load(lambda: settings().reply_length, None, length, **QUIET)
    follow(language, [(intro, "value", "settings.intro"), (language, "label", "settings.language"), (length, "label", "settings.length"),
                      (note, "value", "settings.length_note"), (country, "label", "settings.country"),
                      (test, "value", "settings.probe")])  # fmt: skip


def _one_country(country: gr.Dropdown, help_now: Help, page: gr.Blocks) -> None:
    """Keep both choices of a country the same, and in the browser."""
    country.input(lambda given: (given, help_text(given)), country, [help_now.country, help_now.lines], js=REMEMBER_COUNTRY, **QUIET)
    help_now.country.input(lambda given: given, help_now.country, country, js=REMEMBER_COUNTRY, **QUIET)
    page.load(_recalled, country, [country, help_now.country, help_now.lines], js=RECALL_COUNTRY, **QUIET)


def _recalled(given: str | None) -> tuple[str | None, str | None, str]:
    known = given if given in countries() else None
    return known, known, help_text(known)
