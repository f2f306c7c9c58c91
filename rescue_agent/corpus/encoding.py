"""Repair damaged text anywhere in a JSON value, and nothing else: good typography, accents and names stay as they are."""

import re
from collections.abc import Callable
from typing import Any, Final

import ftfy

_LEAD: Final = r"(?:(?<![A-ZÀ-Þ])[ÂÃ]|[âãðÎÏÐÑ])"
"""First byte of a UTF-8 pair, seen as Latin-1. `Ã` behind a capital is left: "MAÇÃ”" is good Portuguese before a quotation mark."""
_DAMAGE: Final = re.compile(_LEAD + r"[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|[\u0080-\u0084\u0086-\u009f]")
"""UTF-8 read as Latin-1 or Windows-1252, or a Windows-1252 byte read as a control character. ftfy then judges the whole text."""
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


def repaired(value: Any, count: Callable[[str], None]) -> Any:  # noqa: ANN401 (any JSON)
    """`value` with every damaged string in it repaired; `count` is called with the kind of each damage."""
    if isinstance(value, str):
        return _text(value, count) if not value.isascii() else value
    if isinstance(value, list):
        return [repaired(item, count) for item in value]
    if isinstance(value, dict):
        return {repaired(key, count): repaired(item, count) for key, item in value.items()}
    return value


def _text(text: str, count: Callable[[str], None]) -> str:
    if _SURROGATE.search(text):
        count("half a character pair (replaced)")  # it cannot be written as UTF-8
        text = _SURROGATE.sub("\ufffd", text)
    if _DAMAGE.search(text) and (better := ftfy.fix_encoding(text)) != text:
        count("text with broken encoding")
        return better
    return text
