import re

import pytest

from rescue_agent.decisions import EmotionEstimate, ReplyPlan
from rescue_agent.engines.embedded.composer import compose, sentence_plans
from rescue_agent.engines.embedded.slots import fill_slots, own_words, pursuit_roles
from rescue_agent.moment import Moment, Utterance
from rescue_agent.taxonomy import GROUP_LABEL, SCENARIOS, pattern_names, strategy_names

WANTS_DIRECTION = re.compile(r"\b(you should|you must|you need to|you ought|why don't you|my advice)\b", re.IGNORECASE)


def said(speaker, text, *to):
    return Utterance(speaker=speaker, target=to, text=text)


@pytest.fixture
def quarrel():
    return Moment(
        scenario="couple",
        participants=("Orla", "Pavel"),
        context=(
            said("Orla", "Why won't you ever say when you're late? You always leave me guessing.", "Pavel"),
            said("Pavel", "It's fine. Leave it.", "Orla"),
        ),
        current=said("Orla", "I sat in the car for two hours, and I counted the lamps.", "Pavel"),
    )


def reply(moment, strategy, target, recent=(), pattern="pursue_withdraw", length="normal"):
    emotions = (EmotionEstimate(person=target, description="feels hurt and left out", intensity=6),)
    plan = ReplyPlan(target=target, strategy=strategy, pattern=pattern, emotions=emotions, recent_replies=tuple(recent), length=length)
    return "".join(compose(moment, plan))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_strategy_can_be_said_to_a_person_and_to_the_group(quarrel, scenario):
    moment = quarrel.model_copy(update={"scenario": scenario})
    for strategy in strategy_names(scenario):
        for target in ("Orla", GROUP_LABEL[scenario]):
            for pattern in pattern_names(scenario):
                text = reply(moment, strategy, target, pattern=pattern)
                assert 1 <= len(re.findall(r"[.?!](?=\s|$)", text)) <= 3
                assert "{" not in text
                assert target in text or target == GROUP_LABEL[scenario]


def test_ten_replies_in_a_row_repeat_none_of_the_last_five(quarrel):
    replies: list[str] = []
    for _ in range(10):
        replies.append(reply(quarrel, "evoke", "Orla", replies[-5:]))

    for i, text in enumerate(replies):
        assert text not in replies[max(0, i - 5) : i]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_short_reply_has_fewer_words_whatever_the_strategy(quarrel, scenario):
    moment = quarrel.model_copy(update={"scenario": scenario})
    for strategy in strategy_names(scenario):
        for target in ("Orla", GROUP_LABEL[scenario]):
            normal, short = [], []
            for said, length in ((normal, "normal"), (short, "short")):
                for _ in range(3):
                    said.append(reply(moment, strategy, target, said, length=length))
            assert len(set(short)) == 3
            assert sum(map(words, short)) <= sum(map(words, normal))
            assert words(short[0]) <= 18


def test_short_replies_are_the_same_when_two_people_swap_names(quarrel):
    names = {"Orla": "Mary Anne", "Pavel": "Jo"}
    swapped = Moment.model_validate_json(re.sub("Orla|Pavel", lambda m: names[m[0]], quarrel.model_dump_json()))
    for strategy in strategy_names("couple"):
        one, other = reply(quarrel, strategy, "Orla", length="short"), reply(swapped, strategy, "Mary Anne", length="short")
        assert re.sub("Orla|Pavel", lambda m: names[m[0]], one) == other


def words(text):
    return len(text.split())


def test_a_cycle_that_was_just_named_is_not_named_again(quarrel):
    first = "The harder Orla asks, the quieter Pavel gets, and the quiet makes Orla ask harder. Is that how it goes at home?"
    replies = [reply(quarrel, "track", "Couple", [first, f"{i}."]) for i in range(8)]

    assert not any("the harder Orla asks" in text.lower() for text in replies)


def test_a_quote_is_the_targets_own_words(quarrel):
    quote = own_words(quarrel, "Orla")

    assert quote in quarrel.current.text
    assert own_words(quarrel, "Pavel") is None or own_words(quarrel, "Pavel") in quarrel.context[1].text


def test_blame_and_broken_off_words_are_not_quoted():
    moment = Moment(
        scenario="couple", participants=("A", "B"), current=said("A", "You never listen to me at all. And then I was just going to—", "B")
    )

    assert own_words(moment, "A") is None


def test_who_presses_and_who_withdraws(quarrel):
    assert pursuit_roles(quarrel) == {"pursuer": "Orla", "withdrawer": "Pavel"}


def test_the_feeling_fits_behind_feel(quarrel):
    emotions = (EmotionEstimate(person="Orla", description="feels hurt and left out", intensity=6),)

    assert fill_slots(quarrel, ReplyPlan(target="Orla", strategy="evoke", emotions=emotions))["feeling"] == "hurt and left out"


def test_no_plan_gives_orders_or_names_more_slots_than_there_are():
    known = {"target", "other", "quote", "feeling", "cycle", "both", "each", "quiet", "speaker"}
    for strategy, plans in sentence_plans().items():
        for plan in plans:
            assert {name.lower() for name in re.findall(r"\{(\w+)\}", plan)} <= known, plan
            assert not WANTS_DIRECTION.search(plan), plan
            assert len(re.findall(r"[.?!](?=\s|$)", plan)) <= 3, plan
        # with five recent replies to avoid, a sixth plan must fit whatever the moment holds
        always = [p for p in plans if "{" not in p.replace("{target}", "").replace("{each}", "").replace("{both}", "")]
        assert len(always) >= 6, strategy
