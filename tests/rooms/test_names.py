import pytest

from rescue_agent.rooms.names import clean_name


@pytest.mark.parametrize(
    ("given", "kept"), [("  Orla ", "Orla"), ("Ｏｒｌａ", "Orla"), ("Anne  Marie", "Anne Marie"), ("Zoë", "Zoë"), ("李娜", "李娜")]
)
def test_a_name_has_one_form(given, kept):
    assert clean_name(given) == kept
