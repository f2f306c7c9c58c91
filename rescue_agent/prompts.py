"""Prompts: Markdown files in prompts/ with a front matter of id, version and variables.

Only constants of the project (label tables) are filled in. What people say never passes through a template: it travels as JSON beside
the prompt.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

from rescue_agent.errors import InputError

_FIELDS: Final = {"id", "version", "variables"}
_SLOT: Final = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True)
class Prompt:
    """A prompt as it stands in its file; `sha256` is that of the whole file, and goes into results and cache keys."""

    name: str
    version: int
    variables: tuple[str, ...]
    text: str
    sha256: str

    def fill(self, values: Mapping[str, str]) -> str:
        """The text with each `{{variable}}` replaced by its value.

        Raises:
            InputError: when a variable has no value, or a value no variable.
        """
        if odd := set(values) ^ set(self.variables):
            raise InputError.at(f"prompts/{self.name}.md", f"variables {sorted(odd)} are missing or not used", "mend the call or the file")
        return _SLOT.sub(lambda slot: values[slot[1]], self.text)


@lru_cache(maxsize=64)
def load_prompt(name: str) -> Prompt:
    """The prompt in prompts/`name`.md.

    Raises:
        InputError: when the file is missing, or `parse_prompt` refuses it.
    """
    try:
        content = files("prompts").joinpath(f"{name}.md").read_text(encoding="utf-8")
    except (OSError, ModuleNotFoundError) as error:
        raise InputError.at(f"prompts/{name}.md", f"cannot be read ({error})", "install the package again") from None
    return parse_prompt(content, name)


def parse_prompt(content: str, name: str) -> Prompt:
    """`content` of a prompt file.

    Raises:
        InputError: when its front matter is not of the three fields, or declares other variables than the text uses.
    """
    place, parts = f"prompts/{name}.md", content.split("---\n", 2)
    if len(parts) != 3 or parts[0]:
        raise InputError.at(place, "no front matter between two lines of ---")
    front = dict(line.split(": ", 1) for line in parts[1].splitlines() if ": " in line)
    declared = re.fullmatch(r"\[([\w, ]*)\]", front.get("variables", ""))
    if set(front) != _FIELDS or front["id"] != name or not front["version"].isdigit() or not declared:
        raise InputError.at(place, f"front matter must be id: {name}, version: a number, variables: [a, b]", "mend the file")
    variables, text = tuple(re.findall(r"\w+", declared[1])), parts[2].strip()
    if set(variables) != set(_SLOT.findall(text)):
        raise InputError.at(place, f"declares {sorted(variables)}, but uses {sorted(set(_SLOT.findall(text)))}", "make them agree")
    return Prompt(name, int(front["version"]), variables, text, sha256(content.encode()).hexdigest())
