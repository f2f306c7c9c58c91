"""Images and sounds of a row, for models that see and hear. Off unless RESCUE_MEDIA_DIR names a folder; nothing outside it is read."""

import base64
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import JsonValue

from rescue_agent.errors import InputError
from rescue_agent.moment import Moment

LARGEST: Final = 4_000_000
"""Bytes of one file."""
_IMAGES: Final = {".png": ("png", b"\x89PNG"), ".jpg": ("jpeg", b"\xff\xd8"), ".jpeg": ("jpeg", b"\xff\xd8"), ".webp": ("webp", b"RIFF")}
_SOUNDS: Final = {".wav": ("wav", b"RIFF"), ".mp3": ("mp3", b"")}


@dataclass(frozen=True)
class MediaFolder:
    """The one folder whose files may be sent."""

    root: Path

    def parts(self, moment: Moment) -> list[JsonValue]:
        """Content parts for the files of the moment's last turn.

        Raises:
            InputError: for a file that is outside the folder, missing, too large, or of another kind than its name says.
        """
        return [self._part(name) for name in (moment.current.media if moment.current else ())]

    def _part(self, name: str) -> JsonValue:
        path = (self.root / name).resolve()
        if not path.is_relative_to(self.root.resolve()) or not path.is_file():
            raise InputError(f"media {name!r}: not a file in {self.root} (RESCUE_MEDIA_DIR); put it there, no link")
        content = path.read_bytes() if path.stat().st_size <= LARGEST else None
        if content is None:
            raise InputError(f"media {name!r}: larger than {LARGEST // 1_000_000} MB; make it smaller")
        kind, magic = {**_IMAGES, **_SOUNDS}.get(path.suffix.lower(), ("", b""))
        if not kind or not content.startswith(magic):
            raise InputError(f"media {name!r}: not a png, jpeg, webp, wav or mp3 file; convert it")
        data = base64.b64encode(content).decode()
        if path.suffix.lower() in _IMAGES:
            return {"type": "image_url", "image_url": {"url": f"data:image/{kind};base64,{data}"}}
        return {"type": "input_audio", "input_audio": {"data": data, "format": kind}}
