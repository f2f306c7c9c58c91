"""Every fault of the list has a test of its own that begins with its id."""

import ast
import re

import pytest

from tests.faults.processes import ROOT

pytestmark = pytest.mark.faults
TESTS = [
    node.name
    for folder in ("faults", "browser")
    for path in sorted((ROOT / "tests" / folder).glob("test_*.py"))
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
]


@pytest.mark.parametrize("number", range(1, 26))
def test_each_fault_has_a_test_that_begins_with_its_id(number):
    assert [name for name in TESTS if name.startswith(f"test_f{number:02}_")]


def test_each_fault_has_its_row_in_the_document_and_each_test_named_there_exists():
    text = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")

    assert re.findall(r"^\| (F\d\d) \|", text, re.MULTILINE) == [f"F{number:02}" for number in range(1, 26)]
    named = set(re.findall(r"`(test_\w+)`", text))
    assert named
    assert named <= set(TESTS)
