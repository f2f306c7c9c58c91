"""Facts in two columns, as HTML."""

from collections.abc import Sequence
from html import escape


def facts(title: str, pairs: Sequence[tuple[str, str]]) -> str:
    """(heading, text) pairs under a `title`; everything is escaped."""
    listed = "".join(f"<dt>{escape(heading)}</dt><dd>{escape(text)}</dd>" for heading, text in pairs)
    return f'<section class="facts"><h3>{escape(title)}</h3><dl>{listed}</dl></section>'
