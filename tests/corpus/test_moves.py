"""What counts as the supporter's move, and for whom."""

import pytest

from rescue_agent.corpus.moves import supporter_move
from rescue_agent.corpus.screenplay import parse

HEAD = "=== a/1\nscenario: couple\npeople: Ada, Ben\n\nAunt > Ada: Hm.\n"


@pytest.mark.parametrize(
    ("row", "move"),
    [
        ("Therapist > Couple: So.\n  move track > Ada: names it", ("track", "Ada")),
        ("Therapist > Ben: So.\n  move track: names it", ("track", "Ben")),
        ("Therapist > Ben: So.\n  move track > Ada, Ben: names it", ("track", "Couple")),
        ("Therapist > Ben: So.\n  move track > Aunt: names it", ("track", "Aunt")),
        ("Therapist > Ben: So.\n  move hug > Ada: warms | move join > Ada: warms", ("join", "Ada")),
        ("Therapist > Ben: So.\n  move track > Nobody: names it", None),
        ("Therapist > Ben: So.", None),
        ("Ada > Ben: So.\n  move track > Ben: names it", None),
    ],
)
def test_the_first_move_that_is_known_and_reaches_somebody(row, move):
    (episode,) = parse(f"{HEAD}{row}\n")

    assert supporter_move(episode, episode.rows[-1]) == move
