"""A room with a human facilitator, over the real graph, checkpointer and log."""

import pytest

from graphs.room import Room
from graphs.state import Verdict
from rescue_agent.errors import RoomError
from rescue_agent.rooms.log import RoomLog

FIRST = "You said you would ring, and I sat there with the soup until nine."
SECOND = "I don't know what you want me to say any more."


@pytest.fixture
def services(tmp_path, engine):
    return {"log": RoomLog(tmp_path / "rooms.sqlite"), "engine": engine, "folder": tmp_path}


@pytest.fixture
def room(services):
    return Room.create("couple", ["Orla", "Pavel"], facilitator="Mirja", **services)


def texts(room):
    return [(turn.speaker, turn.text) for turn in room.transcript()]


def quarrel(room):
    """Two turns after which the agent wants to speak."""
    room.say("Orla", FIRST, "m1")
    return room.say("Pavel", SECOND, "m2")


def verdict(action, text="", target="Orla", strategy="track"):
    return Verdict(action=action, target=target, strategy=strategy, text=text)


def test_nothing_is_said_before_the_facilitator_has_decided(room):
    decision = quarrel(room)

    assert decision.reply
    assert texts(room) == [("Orla", FIRST), ("Pavel", SECOND)]
    assert room.proposal().decision == decision


def test_an_approved_proposal_is_said_as_it_is(room):
    proposed = quarrel(room).reply
    room.settle(room.proposal().seq, verdict("approved", "something that the page sent along"))

    assert texts(room) == [("Orla", FIRST), ("Pavel", SECOND), ("Therapist", proposed)]
    assert room.proposal() is None


def test_an_edit_is_said_logged_and_exported_beside_what_was_proposed(room):
    proposed = quarrel(room)
    room.settle(room.proposal().seq, verdict("edited", "Orla, what would an answer give you?", strategy="evoke"))

    row = room.export().rows[-1]
    assert row.dialogue_cleaned == "Orla, what would an answer give you?"
    assert (row.support_strategy[0].strategy_type, row.support_strategy[0].target) == ("evoke", ("Orla",))
    assert row.meta["facilitator"] == "edited"
    assert row.meta["proposed"] == {
        "text": proposed.reply,
        "target": proposed.target.best,
        "strategy": proposed.strategy.best,
    }


def test_a_proposal_to_hold_can_be_replaced_by_words(room):
    room.say("Orla", "Good evening.", "m1")
    room.settle(room.proposal().seq, verdict("replaced", "Good evening to you both.", target="Couple"))

    assert texts(room)[-1] == ("Therapist", "Good evening to you both.")


def test_whoever_goes_on_speaking_makes_the_proposal_a_hold(room):
    quarrel(room)
    old = room.proposal().seq
    room.say("Orla", "Never mind.", "m3")

    assert [decision.reply for decision in room.decisions()] == [None, None]
    with pytest.raises(RoomError, match="the room has gone on"):
        room.settle(old, verdict("approved"))
    assert room.proposal().seq > old


def test_a_proposal_survives_a_restart_and_the_loss_of_the_checkpointer(room, services, tmp_path):
    decision = quarrel(room)
    again = Room.open(room.card.room_id, **services)
    assert again.proposal().decision == decision

    for file in tmp_path.glob("proposals.sqlite*"):
        file.unlink()
    assert again.proposal().decision == decision
    assert again.settle(again.proposal().seq, verdict("approved")).reply == decision.reply


def test_scripted_crisis_words_wait_for_nobody(room):
    decision = room.say("Orla", "I want to kill myself tonight.", "m1")

    assert texts(room)[-1] == ("Therapist", decision.reply)
    assert room.proposal() is None


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (verdict("edited", "Hello.", target="Quentin"), "'Quentin' cannot be addressed"),
        (verdict("edited", "Hello.", strategy="scold"), "'scold' is no strategy"),
        (verdict("replaced", " "), "an empty turn is not sent"),
    ],
)
def test_a_verdict_that_cannot_be_said_changes_nothing(room, given, complaint):
    quarrel(room)
    with pytest.raises(RoomError, match=complaint):
        room.settle(room.proposal().seq, given)

    assert room.proposal() is not None


def test_the_facilitator_cannot_have_the_name_of_a_participant(services):
    with pytest.raises(RoomError, match="look the same"):
        Room.create("couple", ["Orla", "Pavel"], facilitator="orla", **services)
