import pytest

from rescue_agent.neutral import neutral_text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("She told him that her mother is ill.", "He told her that his father is ill."),
        ("Bea, you said he's late.", "Carl, you said she's late."),
        ("My husband and the boys", "My wife and the girls"),
        ("Bea's keys, CARL!", "Carl's keys, BEA!"),
    ],
)
def test_swapping_names_and_gender_leaves_the_neutral_text(one, other):
    assert neutral_text(one, ["Bea", "Carl"]) == neutral_text(other, ["Carl", "Bea"])


def test_a_name_inside_a_word_is_no_name():
    assert neutral_text("The beach is near Bea.", ["Bea"]) == "The beach is near Alex."


def test_a_longer_name_wins_over_the_shorter_one_in_it():
    assert neutral_text("Ann Marie came", ["Ann", "Ann Marie"]) == "Alex came"
