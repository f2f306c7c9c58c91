import re
from datetime import date
from pathlib import Path

import pytest

from rescue_agent.moment import Utterance
from rescue_agent.safety.notices import REPEAT_AFTER, NoticeClock
from rescue_agent.safety.reply_check import mended, problems, without_unknown_numbers
from rescue_agent.safety.resources import DIRECTORY, countries, help_text, resources

ROOT = Path(__file__).parents[2]
PEOPLE = ("Orla", "Pavel")


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("Orla is right, you know.", "takes a side"),
        ("I agree with Pavel.", "takes a side"),
        ("It's Orla's fault.", "takes a side"),
        ("Pavel, that is narcissistic.", "puts a label on somebody"),
        ("This will be our little secret.", "promises a secret"),
        ("Call 555-0134-22 tonight.", "gives a phone number that no resource has"),
        ("One. Two. Three. Four.", "has more than three sentences"),
        ("Pavel: I understand, I'm sorry.", "speaks as somebody"),
        ('Well.\n**Orla**: "I am sorry."', "speaks as somebody"),
        ("Supporter: go on.", "speaks as somebody"),
        (" ", "is empty"),
    ],
)
def test_what_breaks_a_rule_is_found(reply, problem):
    assert problem in problems(reply, PEOPLE)


def test_a_plain_reply_may_leave():
    assert problems("Orla, what was the ride home like in 2019, with 2 hours to wait? Pavel, I'll come to you.", PEOPLE) == ()


def test_numbers_of_resources_stay_and_others_go():
    assert without_unknown_numbers("Samaritans: 116 123.") == "Samaritans: 116 123."
    assert without_unknown_numbers("Ring 0800 987 654 321 now.") == "Ring (number removed) now."


def test_what_can_be_cut_is_cut_and_the_rest_is_refused():
    assert mended("One. Two. Three. Four.", PEOPLE) == "One. Two. Three."
    assert mended("Orla is to blame.", PEOPLE) is None


HEARD = (Utterance(speaker="Orla", text="I sat in the car, for two hours!"), Utterance(speaker="Pavel", text="Whatever. It is fixed now."))


@pytest.mark.parametrize(
    ("reply", "fair"),
    [
        ('Orla, "sat in the car for two hours" stays with me.', True),
        ("When Pavel says “it is fixed now”, what reaches you, Orla?", True),
        ('Pavel, you "sat in the car for two hours".', False),
        ('Orla, you said "nobody ever loved me".', False),
        ('Pavel, that "whatever" came fast.', True),
    ],
)
def test_nobody_gets_words_that_another_said(reply, fair):
    assert (mended(reply, PEOPLE, HEARD) == reply) is fair


def test_reasoning_that_slipped_through_is_cut():
    assert mended("They are stuck. </think> Orla, go on.", PEOPLE) == "Orla, go on."


def test_no_country_is_a_default():
    shown = help_text(None)

    assert DIRECTORY in shown
    assert "local emergency services" in shown
    assert not re.search(r"\d{3}", shown)


def test_every_country_has_an_emergency_number_and_a_crisis_line():
    for country in countries():
        topics = {r.topic for r in resources() if r.country == country}
        assert {"emergency", "crisis"} <= topics, country


def test_no_entry_is_older_than_a_year_at_the_last_change_of_the_package():
    """Entries go stale by the calendar of the releases: the changelog's newest date, or today for an unreleased version."""
    dates = re.findall(r"^## .*\((\d{4}-\d\d-\d\d)\)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    newest = max([date.fromisoformat(d) for d in dates], default=date.today())

    for entry in resources():
        assert (newest - date.fromisoformat(entry.checked_on)).days <= 365, (
            f"{entry.country}: {entry.name} was last checked on {entry.checked_on}"
        )


def test_the_notice_comes_back_after_three_hours_of_use():
    now = [0.0]
    clock = NoticeClock(lambda: now[0])
    seen = []
    for hour in range(8):
        now[0] = hour * 3600
        seen.append(clock.due())

    assert seen == [False, False, False, True, False, False, True, False]
    assert REPEAT_AFTER == 3 * 3600


FORBIDDEN = re.compile(r"\b(therap\w+|treatments?|counsell?ing|diagnos\w+)\b", re.IGNORECASE)
ALLOWED = re.compile(r"family_therapy|`Therapist`|\bTherapist\b(?= (rows?|row|>|:))|\"Therapist\"|'Therapist'|diagnos\\\\w")


def shipped_texts():
    yield from [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "app.py", *(ROOT / "graphs").glob("*.py")]
    for folder in ("rescue_agent", "prompts"):
        yield from (p for p in (ROOT / folder).rglob("*") if p.suffix in (".py", ".txt", ".html", ".md"))


def test_words_that_it_never_uses_of_itself_stand_nowhere():
    found = []
    for path in shipped_texts():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if FORBIDDEN.search(ALLOWED.sub("", line)):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")

    assert found == []
