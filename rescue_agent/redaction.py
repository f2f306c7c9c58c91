"""What never stands in a log or an error line: keys, e-mail addresses, phone numbers, and the words that an exception quotes."""

import re
import traceback
from typing import Final

_PRIVATE: Final = re.compile(
    r"[\w.+-]+@[\w-]+\.[\w.-]+"  # an e-mail address
    r"|(?<=://)[^/\s@]+@"  # user and password of an address on the web
    r"|\b(?:sk|pk|key|hf|gsk|xai|ghp)[-_][\w-]{8,}"  # a key
    r"|(?<=Bearer )\S+"
    r"|(?<![\w.])(?!\d{4}-\d\d-\d\d)\+?\(?\d[\d ()/-]{6,}\d(?![\w.])",  # a phone number, but no date
)


def redacted(text: str) -> str:
    """`text` without what identifies somebody or opens something."""
    return _PRIVATE.sub("[...]", text)


def where(error: BaseException) -> str:
    """Kind and place of an error, innermost last, without its message: that may quote what somebody said."""
    frames = traceback.extract_tb(error.__traceback__)
    return " <- ".join([type(error).__name__, *(f"{f.filename.rsplit('/', 1)[-1]}:{f.lineno} {f.name}" for f in reversed(frames[-6:]))])
