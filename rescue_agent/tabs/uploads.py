"""Files that somebody opens on the page: read once, with a limit, and not kept."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from rescue_agent.errors import InputError
from rescue_agent.page.tab_strings import Language, say

T = TypeVar("T")
LIMIT: Final = 1_000_000
"""Bytes of one file."""


def read_upload(given: str, read: Callable[[Path], T], language: Language) -> T:
    """What `read` makes of the uploaded file, which is deleted whatever comes of it.

    Raises:
        InputError: when it is too big, or `read` refuses it; the message names the file, not where it was kept.
    """
    path = Path(given)
    try:
        if path.stat().st_size > LIMIT:
            raise InputError(say("upload.too_big", language, file=path.name, limit=LIMIT // 1000))
        return read(path)
    except InputError as error:
        raise InputError(without_folder(str(error), path)) from None
    except OSError as error:
        raise InputError(f"{path.name}: {error.strerror}") from None
    finally:
        path.unlink(missing_ok=True)


def without_folder(message: str, path: Path) -> str:
    """`message` with the file's name in the place of its path."""
    return message.replace(str(path), path.name)
