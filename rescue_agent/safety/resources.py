"""People to turn to, by country, out of one checked data file (resources.json). Facts only: name, number, language, hours, checked_on."""

import re
from functools import lru_cache
from importlib.resources import files
from typing import Final, Literal

from pydantic import TypeAdapter

from rescue_agent.schema import Record

DIRECTORY: Final = "https://findahelpline.com"
Topic = Literal["emergency", "crisis", "violence", "children"]


class Resource(Record):
    """One line or service. `number` is as it is dialled in its country."""

    country: str
    topic: Topic
    name: str
    number: str
    language: str
    hours: str
    address: str
    checked_on: str


@lru_cache(maxsize=1)
def resources() -> tuple[Resource, ...]:
    """All resources of the data file."""
    text = files(__package__).joinpath("resources.json").read_text(encoding="utf-8")
    return tuple(TypeAdapter(list[Resource]).validate_json(text))


@lru_cache(maxsize=1)
def known_numbers() -> frozenset[str]:
    """The digits of every number in the file."""
    return frozenset(re.sub(r"\D", "", resource.number) for resource in resources())


def countries() -> list[str]:
    """Countries that the file has, sorted."""
    return sorted({resource.country for resource in resources()})


def help_text(country: str | None) -> str:
    """Resources of `country` as Markdown. Unknown country: a directory and the words for emergency services, never one country's number."""
    lines = [f"- **{r.name}**: {r.number} ({r.language}, {r.hours}), {r.address}" for r in resources() if r.country == country]
    if not lines:
        return f"In danger, call your local emergency services. Helplines of every country: {DIRECTORY}"
    return "\n".join([*lines, f"- Other countries: {DIRECTORY}"])
