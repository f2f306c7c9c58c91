"""Tracing to LangSmith: off unless asked for, whatever the environment of the process says. Traces hold private dialogue."""

import os
from typing import Final

from rescue_agent.settings import settings

_SWITCHES: Final = ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING", "LANGCHAIN_TRACING_V2")


def keep_private() -> None:
    """Switch tracing off in this process unless RESCUE_TRACING is set: a switch that another program left on must not leak a room."""
    if not settings().tracing:
        os.environ.update(dict.fromkeys(_SWITCHES, "false"))
