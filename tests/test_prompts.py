"""Prompt files: a strict front matter, and variables that agree with the text."""

from importlib.resources import files

import pytest

from rescue_agent.errors import InputError
from rescue_agent.prompts import load_prompt, parse_prompt

BROKEN = [
    "text only",
    "---\nid: x\nversion: 1\nvariables: []\n---\nb",
    "---\nid: r\nversion: one\nvariables: []\n---\nb",
    "---\nid: r\nversion: 1\nvariables: [a]\n---\nno slot",
    "---\nid: r\nversion: 1\nvariables: []\n---\na {{slot}}",
]


@pytest.mark.parametrize("content", BROKEN)
def test_a_broken_prompt_is_named(content):
    with pytest.raises(InputError, match=r"prompts/r\.md: "):
        parse_prompt(content, "r")


def test_missing_and_unused_values_are_errors():
    prompt = parse_prompt("---\nid: r\nversion: 1\nvariables: [a]\n---\nsay {{a}}", "r")

    assert prompt.fill({"a": "{{b}} {x}"}) == "say {{b}} {x}"
    for values in ({}, {"a": "1", "b": "2"}):
        with pytest.raises(InputError, match="missing or not used"):
            prompt.fill(values)


def test_every_prompt_that_ships_loads():
    names = [path.name.removesuffix(".md") for path in files("prompts").iterdir() if path.name.endswith(".md")]

    assert {load_prompt(name).name for name in names} == set(names)
    assert len(names) >= 8
