"""What a row of a replay looks like, and that nothing in it is markup of somebody else's."""

from graphs.stepping import Stepping
from rescue_agent.page.stepping import step
from rescue_agent.tabs.replay import Visit, drawn


def test_agent_and_human_stand_beside_each_other(engine, couple):
    shown = drawn(Visit(Stepping(couple, engine), position=1), "en")

    assert "Row 2 of 7" in shown
    assert "I texted. I&#x27;m sure I texted." in shown
    assert "Agent (embedded)" in shown
    assert "The more Orla asks, the shorter Pavel gets" in shown
    assert "track" in shown
    assert "cornered, 5 of 10" in shown
    assert "pursue_withdraw" in shown


def test_a_row_of_the_supporter_says_where_the_decision_stands(couple):
    shown = step(couple, 2, None, [None] * 7, "en")

    assert "What the agent would have done stands beside the row before." in shown
    assert '<i class="supporter now">' in shown


def test_the_strip_marks_differences_and_tells_them_in_words(couple):
    shown = step(couple, 2, None, [True, False, None, None, None, None, None], "en")

    assert shown.count('class="differs"') == 1
    assert shown.count('class="agrees"') == 1
    assert "2 rows decided so far, 1 of them differ" in shown


def test_everything_that_was_written_is_shown_as_text(engine, couple):
    payload = "<img src=x onerror=alert(1)>"
    evil = couple.model_validate_json(couple.model_dump_json().replace("Orla", f"Orla {payload}").replace("cornered", payload))
    for position in range(len(evil.rows)):
        for language in ("en", "de"):
            assert "<img" not in drawn(Visit(Stepping(evil, engine), position=position), language)
    assert "&lt;img src=x onerror=alert(1)&gt;" in drawn(Visit(Stepping(evil, engine)), "en")
