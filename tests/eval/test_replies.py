"""Replies: compared blind in both orders, and checked like by a linter."""

import pytest

from eval.replies.checks import check, check_all
from eval.replies.comparing import compare, endpoint_judge, outcome, person_judge
from eval.replies.material import asked, writer
from eval.replies.recogniser import fit_recogniser
from rescue_agent.corpus.splits import bundled_episodes
from rescue_agent.engines.llm.asking import Asker
from rescue_agent.engines.llm.endpoint import Endpoint
from rescue_agent.errors import InputError
from tests.scripted_server import Script, material_of, serving


@pytest.fixture(scope="module")
def moments():
    return asked(bundled_episodes("dev"), 6)


@pytest.fixture(scope="module")
def recogniser(embedder):
    return fit_recogniser(bundled_episodes("train"), embedder)


def longer(_, first, second):
    return "1" if len(first) > len(second) else "2"


def always_first(*_):
    return "1"


def test_moments_hold_what_the_supporter_said_but_show_it_to_nobody(moments):
    for one in moments:
        assert one.said
        assert one.said not in [u.text for u in one.moment.utterances]


def test_a_judge_that_looks_at_the_words_decides(moments):
    pairs = compare(moments, lambda _: "a long and specific reply", lambda _: "short", longer)

    found = outcome(pairs)
    assert (found.share.value, found.n, found.ties, found.inconsistent, found.unread) == (1.0, 6, 0, 0, 0)


def test_a_judge_that_goes_by_the_place_favours_nobody(moments):
    found = outcome(compare(moments, lambda _: "one", lambda _: "other", always_first))

    assert (found.share.value, found.inconsistent) == (0.5, 6)


def test_an_unread_answer_is_no_verdict(moments):
    found = outcome(compare(moments, lambda _: "one", lambda _: "other", lambda *_: None))

    assert (found.share.value, found.n, found.unread) == (None, 0, 6)


def test_a_person_sees_no_writer_and_is_asked_again(moments):
    shown, answers = [], iter(["first!", "2", "1"])
    pairs = compare(moments[:1], lambda _: "ours", lambda _: "theirs", person_judge(shown.append, lambda: next(answers)))

    assert pairs[0].points == 0.0
    assert pairs[0].consistent
    assert "1, 2, or = for level" in shown
    assert not any("embedded" in text or "human" in text for text in shown)


def test_an_endpoint_judges_over_http(moments):
    script = Script('{"reason": "it is specific", "better": "1"}', '{"reason": "that one again", "better": "2"}')
    with serving(script) as url:
        judge = endpoint_judge(Asker(Endpoint("m", url, None, 5.0)))
        pairs = compare(moments[:1], lambda _: "ours", lambda _: "theirs", judge)

    assert pairs[0].points == 1.0
    assert pairs[0].consistent
    first, second = (material_of(body) for body in script.asked)
    assert (first["reply_1"], second["reply_1"]) == ("ours", "theirs")
    assert moments[0].strategy in first["move"]


def test_the_recogniser_knows_moves_that_it_never_saw(recogniser):
    held_out = asked(bundled_episodes("dev"))
    hits = [recogniser.ranking(o.moment.scenario, o.said, o.moment.participants)[0] == o.strategy for o in held_out]

    assert sum(hits) / len(hits) > 0.4


def test_each_check_finds_its_fault(moments, recogniser):
    one = next(m for m in moments if m.target in m.moment.participants)
    good = check(one, f"{one.target}, what was that like for you?", recogniser, ["Orla"])
    other = next(name for name in one.moment.participants if name != one.target)

    assert good["addresses the target"]
    assert good["names nobody who is not there"]
    assert good["no advice unless asked"]
    assert not check(one, f"{other}, go on.", recogniser, [])["addresses the target"]
    assert not check(one, "Orla, go on.", recogniser, ["Orla"])["names nobody who is not there"]
    assert not check(one, "You should write it down.", recogniser, [])["no advice unless asked"]
    assert not check(one, "word " * 61, recogniser, [])["at most 60 words"]
    assert not check(one, "", recogniser, [])["says something"]
    spoken = next(u.text for u in reversed(one.moment.utterances) if u.by_supporter)
    assert not check(one, spoken, recogniser, [])["repeats no recent sentence"]


def test_the_engine_is_checked_as_it_ships(recogniser):
    dev = bundled_episodes("dev")
    found = check_all(asked(dev, 8), writer("embedded", dev), recogniser, [])

    assert found["says something"].value == 1.0
    assert found["breaks no rule of the guard"].value == 1.0
    with pytest.raises(InputError, match="trained on"):
        writer("embedded", bundled_episodes("train")[:1])
