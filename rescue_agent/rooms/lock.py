"""One lock a room, across threads and processes: two turns at once would lose one."""

import fcntl
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_THREADS: defaultdict[Path, threading.Lock] = defaultdict(threading.Lock)


@contextmanager
def room_lock(folder: Path, room: str) -> Iterator[None]:
    """Hold the lock of `room`, waiting for it. The lock file stands in `folder`; the kernel frees it when a process dies."""
    path = folder / f"{room}.lock"
    with _THREADS[path], path.open("w") as file:
        path.chmod(0o600)
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
