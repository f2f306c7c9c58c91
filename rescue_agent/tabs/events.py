"""How the events of the tabs are registered, and what becomes of their errors."""

import logging
from collections.abc import Callable
from html import escape
from typing import Any, Final, TypeVar

import gradio as gr

from rescue_agent.errors import RescueError
from rescue_agent.page.tab_strings import say
from rescue_agent.redaction import where

logger = logging.getLogger(__name__)
QUIET: Final[dict[str, Any]] = {"api_visibility": "private", "show_progress": "hidden"}
"""No public API, and no spinner over what is drawn anew."""
T = TypeVar("T")


def or_message(action: Callable[[], T]) -> T:
    """Do `action`; what a user can mend is shown as one line, anything else as an apology with nothing private in it."""
    try:
        return action()
    except RescueError as error:
        raise gr.Error(escape(str(error))) from None
    except Exception as error:
        logger.error("a page event failed: %s", where(error))
        raise gr.Error(say("problem.unknown")) from None
