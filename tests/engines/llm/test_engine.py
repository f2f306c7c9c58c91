"""The language-model engines against a real HTTP server: what is sent, what is read, and what happens when nothing is."""

import json
import logging

import pytest

from graphs.replay import replay
from rescue_agent.corpus.screenplay import parse
from rescue_agent.decisions import RelationState, ReplyPlan
from rescue_agent.engines.holding import HoldingEngine
from rescue_agent.engines.hybrid import Fallback, HybridEngine, PoolWeights, pooled
from rescue_agent.engines.llm.answers import shares
from rescue_agent.engines.llm.asking import Asker
from rescue_agent.engines.llm.endpoint import Endpoint
from rescue_agent.engines.llm.engine import JointEngine, LlmEngine
from rescue_agent.engines.llm.items import Mask
from rescue_agent.engines.llm.media import LARGEST, MediaFolder
from rescue_agent.errors import InputError, UnparsedReply
from rescue_agent.moment import Mode, Moment, Utterance
from rescue_agent.taxonomy import pattern_names, strategy_names
from tests.scripted_server import Script, serving

JOINT = {
    "evidence": "P1 waited in the car",
    "emotion": {"description": "furious at P2", "intensity": 7},
    "viewpoints": [{"target": "P2", "viewpoint": "he forgets P1", "attitude": "bitter", "probability": 0.9}],
    "pattern": [{"label": "pursue_withdraw", "probability": 0.7}],
    "intervention": {"speak": True, "probability": 0.8},
    "target": [{"label": "GROUP", "probability": 0.6}],
    "strategy": [{"label": "track", "probability": 0.5}],
    "toward": [{"target": "P2", "warmth": -0.5, "tension": 0.8, "alignment": -0.4}],
    "summary": "P1 was left waiting by P2.",
}


def moment_at(episode, position, **more):
    return Moment.at(episode, position, with_current=True, **more)


def asker(url, **more):
    return Asker(Endpoint("m", url, None, 5.0), **more)


def sent(body):
    return json.loads(body["messages"][1]["content"])


def test_six_decisions_cost_one_call_and_names_never_leave(couple):
    script = Script(json.dumps(JOINT))
    with serving(script) as url:
        engine, moment = JointEngine(asker(url), 20), moment_at(couple, 0)
        emotion, views = engine.recognise_emotion(moment), engine.predict_viewpoints(moment)
        pattern, decision = engine.predict_pattern(moment), engine.decide_intervention(moment)
        targets, strategies = engine.rank_targets(moment, moment.candidates), engine.rank_strategies(moment, "Couple")
        state = engine.follow_relation(moment)

    assert len(script.asked) == 1
    assert "Orla" not in json.dumps(script.asked)
    assert "Pavel" not in json.dumps(script.asked)
    assert (emotion.person, emotion.description, emotion.intensity) == ("Orla", "furious at Pavel", 7)
    assert (views[0].source, views[0].target, views[0].viewpoint) == ("Orla", "Pavel", "he forgets Orla")
    assert (pattern.best, decision.speak, targets.best, strategies.best) == ("pursue_withdraw", True, "Couple", "track")
    assert set(pattern.probabilities) == set(pattern_names("couple"))
    assert set(strategies.probabilities) == set(strategy_names("couple"))
    assert state.edge("Orla", "Pavel").tension == 0.8
    assert state.summary == "Orla was left waiting by Pavel."


def test_constant_parts_come_first(couple):
    script = Script(json.dumps(JOINT))
    with serving(script) as url:
        engine = JointEngine(asker(url), 20)
        for position in (0, 1):
            engine.recognise_emotion(moment_at(couple, position)) if position == 0 else _failing(engine, moment_at(couple, position))

    first, second = (body["messages"][0] for body in script.asked[:2])
    assert first == second
    assert first["role"] == "system"


def _failing(engine, moment):
    with pytest.raises(UnparsedReply):  # JOINT holds P2's view of P2: outside the labels of this moment
        engine.recognise_emotion(moment)


def test_a_summary_goes_along_and_old_turns_do_not(couple):
    script = Script(json.dumps(JOINT))
    prior = RelationState(summary="Orla waited once before.")
    with serving(script) as url:
        JointEngine(asker(url), 2).recognise_emotion(moment_at(couple, 3, prior=prior))

    shown = sent(script.asked[0])
    assert shown["earlier"] == "P1 waited once before."
    assert len(shown["turns"]) == 2


def test_a_turn_fails_once_not_six_times(couple, caplog):
    script = Script("no")
    with serving(script) as url, caplog.at_level(logging.WARNING):
        engine = Fallback(JointEngine(asker(url), 20), HoldingEngine())
        records = list(replay(couple, engine))

    assert len(script.asked) == 2 * len(records)
    assert all(not record.intervene.speak for record in records)
    assert "decided by holding" in caplog.text
    assert "gave no usable answer" in records[0].intervene.reason


def test_hybrid_falls_back_decision_by_decision(couple, engine, caplog):
    with serving(Script(500)) as url, caplog.at_level(logging.WARNING):
        made = Fallback(HybridEngine(asker(url), 20, engine, PoolWeights(), joint=True), engine)
        records = list(replay(couple, made))

    plain = list(replay(couple, engine))
    assert [r.pattern.probabilities for r in records] == [r.pattern.probabilities for r in plain]
    assert [r.reply for r in records] == [r.reply for r in plain]
    assert "decided by embedded" in caplog.text


def test_hybrid_shows_evidence_without_names_and_pools(couple, engine):
    script = Script(json.dumps(JOINT))
    with serving(script) as url:
        moment = moment_at(couple, 0)
        made = HybridEngine(asker(url), 20, engine, PoolWeights(pattern=1.0, strategy=0.0), joint=True)
        pattern, strategies = made.predict_pattern(moment), made.rank_strategies(moment, "Couple")

    evidence = sent(script.asked[0])["evidence"]
    assert {"pattern", "target", "strategy", "speak", "relation", "similar"} == set(evidence)
    assert "Orla" not in json.dumps(evidence)
    assert pattern.best == "pursue_withdraw"
    heads = engine.rank_strategies(moment, "Couple").probabilities
    assert strategies.probabilities == pytest.approx(heads, abs=1e-5)


def test_the_pool_is_logarithmic():
    assert pooled({"a": 0.9, "b": 0.1}, {"a": 0.1, "b": 0.9}, 0.5) == pytest.approx({"a": 0.3, "b": 0.3})


def test_asked_one_by_one_each_decision_has_its_own_prompt(couple):
    answers = {
        "decide_er": {"evidence": "e", "description": "angry", "intensity": 6},
        "decide_vp": {"evidence": "e", "viewpoints": []},
        "decide_rpp": {"evidence": "e", "ranking": [{"label": "Pursue-Withdraw", "probability": 0.5}]},
        "decide_itp": {"evidence": "e", "speak": False, "probability": 0.9},
        "decide_stp": {"evidence": "e", "ranking": [{"label": "P2", "probability": 0.5}]},
        "decide_ssp": {"evidence": "e", "ranking": [{"label": "evoke", "probability": 0.5}]},
    }
    script = Script(lambda body: json.dumps(answers[body["response_format"]["json_schema"]["name"]]))
    with serving(script) as url:
        engine, moment = LlmEngine(asker(url), 20), moment_at(couple, 0)
        before = Moment.at(couple, 2, with_current=False)
        assert engine.recognise_emotion(moment).intensity == 6
        assert engine.predict_viewpoints(moment) == ()
        assert engine.predict_pattern(before).best == "pursue_withdraw"
        decision = engine.decide_intervention(moment)
        assert (decision.speak, decision.probability) == (False, pytest.approx(0.1))
        assert engine.rank_targets(before, ["Orla", "Pavel", "Couple"]).best == "Pavel"
        assert engine.rank_strategies(before, "Orla").best == "evoke"

    assert sent(script.asked[4])["candidates"] == ["P1", "P2", "GROUP"]
    assert sent(script.asked[5])["target"] == "P1"


def test_a_label_outside_the_taxonomy_is_asked_for_again(couple):
    bad, good = ({"evidence": "e", "ranking": [{"label": label, "probability": 1}]} for label in ("gottman", "attack_attack"))
    script = Script(json.dumps(bad), json.dumps(good))
    with serving(script) as url:
        assert LlmEngine(asker(url), 20).predict_pattern(moment_at(couple, 0)).best == "attack_attack"

    assert "gottman" in script.asked[1]["messages"][-2]["content"]


def test_the_reply_streams_with_names_and_without_reasoning(couple):
    script = Script("<think>P1 is hurt, P2 hides</think>P1, what would you have wanted P2 to do?")
    plan = ReplyPlan(target="Orla", strategy="evoke", pattern="pursue_withdraw", recent_replies=("Orla, go on.",))
    with serving(script) as url:
        pieces = list(LlmEngine(asker(url), 20).write_reply(moment_at(couple, 0), plan))

    assert len(pieces) > 2
    assert "".join(pieces) == "Orla, what would you have wanted Pavel to do?"
    assert sent(script.asked[0])["said_before"] == ["P1, go on."]
    assert script.asked[0]["stream"] is True


def test_a_model_is_asked_for_fewer_words_when_replies_are_to_be_short(couple):
    script = Script("Go on, P1.")
    with serving(script) as url:
        for length in ("normal", "short"):
            plan = ReplyPlan(target="Orla", strategy="join", length=length)
            "".join(LlmEngine(asker(url), 20).write_reply(moment_at(couple, 0), plan))

    normal, short = (sent(body)["words"] for body in script.asked)
    assert (normal, short) == (45, 15)
    assert "With 20 or fewer, say it in a single sentence" in script.asked[1]["messages"][0]["content"]


def test_what_people_say_is_never_a_template(couple):
    row = couple.rows[0].model_copy(update={"dialogue_cleaned": 'I said {x} {{material}} %s "}] to Orla </s>'})
    episode = couple.model_copy(update={"rows": (row, *couple.rows[1:])})
    script = Script(json.dumps(JOINT))
    with serving(script) as url:
        JointEngine(asker(url), 20).recognise_emotion(moment_at(episode, 0))

    assert sent(script.asked[0])["turns"][0]["said"] == 'I said {x} {{material}} %s "}] to P1 </s>'
    assert len(script.asked[0]["messages"]) == 2


def test_cues_go_along_by_mode(couple):
    script = Script(json.dumps(JOINT))
    with serving(script) as url:
        JointEngine(asker(url), 20).recognise_emotion(moment_at(couple, 0, mode=Mode.AUDIO))
        JointEngine(asker(url), 20).recognise_emotion(moment_at(couple, 0))

    assert sent(script.asked[0])["turns"][0]["tone"] == "sharp"
    assert "tone" not in sent(script.asked[1])["turns"][0]


def test_left_over_mass_goes_to_the_other_labels():
    class Named:
        def __init__(self, label, probability):
            self.label, self.probability = label, probability

    scores = shares([Named("b", 0.0), Named("a", 0.0)], ["a", "b", "c"])
    assert scores["b"] > scores["a"] >= scores["c"] > 0


def test_names_that_hold_one_another_are_kept_apart():
    moment = Moment(
        scenario="family", participants=("Ann", "Ann-Marie", "Jo"), current=Utterance(speaker="Ann", text="Ann-Marie, Jo's note. Annoying.")
    )
    mask = Mask(moment)

    assert mask.hide(moment.current.text) == "P2, P3's note. Annoying."
    assert mask.show("P2 and P3, P9") == "Ann-Marie and Jo, P9"
    assert "".join(mask.show_pieces(iter(["P", "2", ", and ", "P3"]))) == "Ann-Marie, and Jo"


PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20
MEDIA = """=== media/1
scenario: couple
people: Orla, Pavel

Orla > Pavel: Look at this face.
  meta {"media": ["face.png", "voice.wav"]}
"""


def test_media_go_to_the_model_only_from_the_folder_that_was_set(tmp_path):
    (tmp_path / "face.png").write_bytes(PNG)
    (tmp_path / "voice.wav").write_bytes(b"RIFF0000WAVE")
    episode = parse(MEDIA)[0]
    script = Script(json.dumps(JOINT))
    with serving(script) as url:
        for mode, folder in ((Mode.AUDIOVISUAL, MediaFolder(tmp_path)), (Mode.VISUAL, MediaFolder(tmp_path)), (Mode.AUDIOVISUAL, None)):
            JointEngine(asker(url, media=folder), 20).recognise_emotion(moment_at(episode, 0, mode=mode))

    both, seen, none = (body["messages"][1]["content"] for body in script.asked)
    assert [part["type"] for part in both] == ["text", "image_url", "input_audio"]
    assert [part["type"] for part in seen] == ["text", "image_url"]
    assert isinstance(none, str)


@pytest.mark.parametrize("name", ["../secret.png", "/etc/hostname", "link.png", "gone.png", "big.png", "text.png", "page.html"])
def test_other_files_are_refused(tmp_path, name):
    folder = tmp_path / "media"
    folder.mkdir()
    (tmp_path / "secret.png").write_bytes(PNG)
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    (folder / "big.png").write_bytes(PNG + b"0" * LARGEST)
    (folder / "text.png").write_bytes(b"text")
    (folder / "page.html").write_bytes(b"<html>")
    moment = Moment(scenario="couple", participants=("A", "B"), current=Utterance(speaker="A", text="x", media=(name,)))

    with pytest.raises(InputError, match="media "):
        MediaFolder(folder).parts(moment)
