"""How the events of the tabs are registered."""

from typing import Any, Final

QUIET: Final[dict[str, Any]] = {"api_visibility": "private", "show_progress": "hidden"}
"""No public API, and no spinner over what is drawn anew."""
