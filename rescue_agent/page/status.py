"""A line that tells what just happened, also to a screen reader."""

from html import escape


def notice(text: str, *, problem: bool = False) -> str:
    """`text` as a status, or as an alert when it is a `problem`; escaped. An empty line when there is nothing to say."""
    return f'<p class="notice{" problem" if problem else ""}" role="{"alert" if problem else "status"}">{escape(text)}</p>' if text else ""
