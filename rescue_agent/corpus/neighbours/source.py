"""Opening a foreign file: JSON, JSON lines or CSV, with one clear line when it is something else."""

import csv
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rescue_agent.errors import InputError


def text_of(path: Path) -> str:
    """The file's text (UTF-8, with or without a byte-order mark).

    Raises:
        InputError: when it cannot be read.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError.at(str(path), f"is not UTF-8 text ({error.reason} at byte {error.start})", "check the file") from None
    except OSError as error:
        raise InputError.at(str(path), f"cannot be read ({error.strerror})", "check the path") from None


def json_of(text: str, place: str) -> Any:  # noqa: ANN401 (any JSON)
    """`text` as JSON.

    Raises:
        InputError: naming `place`.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError.at(place, f"not JSON ({error.msg}, line {error.lineno})", "check the format's name") from None


def csv_rows(path: Path, needed: set[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield (line number, row) of a CSV file with a header.

    Raises:
        InputError: when a needed column is missing, or a line is no CSV.
    """
    reader = csv.DictReader(io.StringIO(text_of(path), newline=""))
    try:
        missing = needed - set(reader.fieldnames or ())
        if missing:
            raise InputError.at(f"{path}:1", f"columns {sorted(missing)} are missing", "check the format's name")
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise InputError.at(f"{path}:{reader.reader.line_num}", f"not CSV ({error})", "check the file") from None


@contextmanager
def naming(place: str) -> Iterator[None]:
    """Turn a missing key or a wrong type inside into one line that names `place`.

    Raises:
        InputError: for any of these.
    """
    try:
        yield
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise InputError.at(place, f"not of this format ({type(error).__name__}: {error})", "check the format's name") from None
