"""The texts of the tabs in both languages."""

import re

import pytest

from rescue_agent.page.tab_strings import LANGUAGES, STRINGS, say

NEVER = re.compile(r"therap|treatment|behandlung|counsel|beratung|diagnos", re.IGNORECASE)


@pytest.mark.parametrize("key", STRINGS)
def test_languages_have_the_same_places_and_none_of_the_words_it_never_uses(key):
    texts = STRINGS[key]

    assert len(texts) == len(LANGUAGES)
    assert len({frozenset(re.findall(r"\{(\w+)\}", text)) for text in texts}) == 1
    assert all(text.strip() and not NEVER.search(text) for text in texts)


def test_a_text_with_its_values():
    assert say("replay.row", "en", number=3, total=9) == "Row 3 of 9"
    assert say("replay.row", "de", number=3, total=9) == "Zeile 3 von 9"
