"""The two options that say what the cache of a language model's answers is for."""

from typing import Annotated

import typer

NoCache = Annotated[bool, typer.Option("--no-cache", help="Ask a language model again, whatever it said before.")]
CacheOnly = Annotated[bool, typer.Option("--cache-only", help="Take a language model's kept answers only; ask nothing new.")]


def use_cache(no_cache: bool, cache_only: bool) -> None:
    """Set the mode of the cache for this process.

    Raises:
        InputError: when both are given.
    """
    from rescue_agent.errors import InputError
    from rescue_agent.settings import settings

    if no_cache and cache_only:
        raise InputError("--no-cache and --cache-only exclude each other; give one of them")
    if no_cache or cache_only:
        settings().llm_cache = "off" if no_cache else "only"
