"""The judge's rubrics: Markdown files in prompts/ with a front matter of id, version and variables."""

from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files

from rescue_agent.errors import InputError

_FIELDS = {"id", "version", "variables"}


@dataclass(frozen=True)
class Rubric:
    """A rubric as the judge reads it; `sha256` is that of the whole file, and goes into the results."""

    name: str
    version: int
    text: str
    sha256: str


def load_rubric(name: str) -> Rubric:
    """The rubric in prompts/`name`.md.

    Raises:
        InputError: when the file is missing, its front matter is not of the three fields, or it asks for variables (a rubric has none:
            what is judged travels as JSON beside it).
    """
    try:
        content = files("prompts").joinpath(f"{name}.md").read_text(encoding="utf-8")
    except (OSError, ModuleNotFoundError) as error:
        raise InputError.at(f"prompts/{name}.md", f"cannot be read ({error})", "install the package again") from None
    return parse_rubric(content, name)


def parse_rubric(content: str, name: str) -> Rubric:
    """`content` of a prompt file as a rubric. Raises as `load_rubric`."""
    place, parts = f"prompts/{name}.md", content.split("---\n", 2)
    if len(parts) != 3 or parts[0]:
        raise InputError.at(place, "no front matter between two lines of ---")
    front = dict(line.split(": ", 1) for line in parts[1].splitlines() if ": " in line)
    if set(front) != _FIELDS or front["id"] != name or not front["version"].isdigit() or front["variables"] != "[]":
        raise InputError.at(place, f"front matter must be id: {name}, version: a number, variables: []", "mend the file")
    return Rubric(name, int(front["version"]), parts[2].strip(), sha256(content.encode()).hexdigest())
