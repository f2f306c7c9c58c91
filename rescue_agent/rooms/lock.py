"""One lock a room, across threads and processes: two turns at once would lose one."""

import fcntl
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from rescue_agent.errors import RoomError

_THREADS: defaultdict[Path, threading.Lock] = defaultdict(threading.Lock)


@contextmanager
def room_lock(folder: Path, room: str) -> Iterator[None]:
    """Hold the lock of `room`, waiting for it. The lock file stands in `folder`; the kernel frees it when a process dies.

    Raises:
        RoomError: when the file cannot be made (a full disk, a folder that cannot be written).
    """
    path = folder / f"{room}.lock"
    with _THREADS[path], _opened(path) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _opened(path: Path) -> TextIO:
    try:
        file = path.open("w")
        path.chmod(0o600)
        return file
    except OSError as error:
        raise RoomError(f"{path}: the room cannot be locked ({error.strerror}); nothing was changed, try again") from None
