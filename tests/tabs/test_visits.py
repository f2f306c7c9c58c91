"""What the server keeps of visits."""

from rescue_agent.tabs.visits import Visits


def test_the_visit_that_nobody_used_for_longest_is_forgotten_first():
    visits = Visits[str](kept=2)
    one, two = visits.begin("one"), visits.begin("two")
    assert visits.find(one) == "one"
    three = visits.begin("three")

    assert visits.find(two) is None
    assert [visits.find(token) for token in (one, three)] == ["one", "three"]


def test_tokens_cannot_be_guessed_from_one_another():
    visits = Visits[int]()
    tokens = [visits.begin(i) for i in range(50)]

    assert len(set(tokens)) == 50
    assert min(map(len, tokens)) >= 32
