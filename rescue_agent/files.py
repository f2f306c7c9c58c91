"""Files that a reader never sees half written."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path, mode: int = 0o644) -> Iterator[Path]:
    """Yield a temporary neighbour to write to; it takes the place of `path` when the block ends well, and is removed when it fails."""
    temporary = path.with_name(f"{path.name}.tmp")
    try:
        temporary.touch(mode=mode)
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
