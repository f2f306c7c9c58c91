"""How far a run is, as HTML."""

from html import escape


def progress_bar(text: str, done: int, total: int) -> str:
    """A bar with its `text`; one without an end while `total` is 0."""
    how_far = f'max="{total}" value="{done}"' if total else ""
    return (
        f'<div class="progress" role="status"><span>{escape(text)}</span><progress aria-label="{escape(text)}" {how_far}></progress></div>'
    )
