import pytest

from rescue_agent.errors import RoomError
from rescue_agent.rooms.names import clean_name, clean_names


@pytest.mark.parametrize(
    ("given", "kept"), [("  Orla ", "Orla"), ("Ｏｒｌａ", "Orla"), ("Anne  Marie", "Anne Marie"), ("Zoë", "Zoë"), ("李娜", "李娜")]
)
def test_a_name_has_one_form(given, kept):
    assert clean_name(given) == kept


@pytest.mark.parametrize(
    "name",
    ["", "  ", "123", "x" * 41, "x" * 10_000, "Bob\u200b", "\u202eBob", "Bob\nEve", "system", "THERAPIST", "Couple", "ѕystem", "B\x00b"],
)
def test_a_name_that_misleads_is_refused(name):
    with pytest.raises(RoomError):
        clean_name(name)


def test_two_names_never_look_the_same():
    with pytest.raises(RoomError, match="look the same"):
        clean_names(["Bob", "Bоb"])
