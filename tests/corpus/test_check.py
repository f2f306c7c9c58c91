"""`corpus check`: one planted fault of each kind, and each is found, exactly."""

import json

import pytest

from rescue_agent.corpus.check import check
from rescue_agent.corpus.rescue import to_json, write_episodes
from rescue_agent.corpus.screenplay import parse
from rescue_agent.corpus.splits import OPEN
from rescue_agent.errors import InputError
from rescue_agent.taxonomy import pattern_names, strategy_names


def found(path, **more):
    return [(f.severity, f.kind, f.row) for f in check(path, **more).findings]


def put(field, value):
    """A fault: `field` of the row holds `value`."""
    return lambda row: row.update({field: value})


def put_in(field, **values):
    """A fault: the first record of the row's list `field` holds `values`."""
    return lambda row: row[field][0].update(values)


def add(field, record):
    """A fault: the row's list `field` holds one record more."""
    return lambda row: row[field].append(record)


def move(label, *target, provider="Therapist"):
    return {"provider": provider, "target": list(target), "strategy_type": label, "strategy_content": "does it"}


FEELS = {"person": "Pavel", "emotion_description": "sad", "intensity": 3}
CUE = {"person": "Zoran", "description": "nods"}
ROW_FAULTS = [
    (1, put("primary_speaker", "Zoran"), "unknown person"),
    (2, put("target", ["Zoran"]), "unknown person"),
    (2, put("target", ["Family"]), "unknown person"),
    (2, add("body_posture", CUE), "unknown person"),
    (2, add("background_dialogue", {"speaker": "Zoran", "target": [], "content": "Hm."}), "unknown person"),
    (2, add("interaction_behavior", {"initiator": "Pavel", "target": ["Zoran"], "description": "waves"}), "unknown person"),
    (2, put_in("internal_emotion", person="Zoran"), "unknown person"),
    (1, put_in("viewpoints_attitudes", source="Zoran"), "unknown person"),
    (3, put_in("support_strategy", target=["Zoran"]), "unknown person"),
    (2, put("target", ["Pavel"]), "addresses oneself"),
    (1, put_in("viewpoints_attitudes", target="Orla"), "viewpoint about oneself"),
    (1, put_in("viewpoints_attitudes", target="Zoran"), "viewpoint about nobody present"),
    (1, put_in("viewpoints_attitudes", target="Couple"), "viewpoint about nobody present"),
    (1, put("utterance_type", "shouting"), "unknown label"),
    (3, put_in("support_strategy", strategy_type="hug"), "unknown label"),
    (3, put_in("support_strategy", strategy_type="boundary"), "unknown label"),
    (3, put("relation_cycle_state", "escalation_conflict"), "unknown label"),
    (3, put("utterance_type", "reflection"), "supporter row with a type"),
    (2, add("support_strategy", move("evoke", "Orla")), "move on a participant's row"),
    (3, put_in("support_strategy", provider="Orla"), "move by a participant"),
    (3, put_in("support_strategy", target=["Therapist"]), "move for the supporter"),
    (3, put("relation_cycle_evidence_rows", [1, 99]), "evidence row that is not there"),
    (3, put("relation_cycle_evidence_rows", [1, 4]), "evidence row in the future"),
    (2, put_in("internal_emotion", intensity=11), "intensity out of range"),
    (2, put("dialogue_cleaned", "  "), "empty text"),
    (2, put_in("internal_emotion", emotion_description=""), "empty text"),
    (1, put_in("viewpoints_attitudes", viewpoint=""), "empty text"),
    (7, put("row_index", 6), "row order"),
    (2, lambda row: row.update(start_time=5, end_time=4), "time order"),
    (2, put("start_time", -1), "time order"),
]
ROW_WARNINGS = [
    (2, put("utterance_type", ""), "type missing"),
    (3, lambda row: row.update(target=[], support_strategy=[move("track")]), "move without target"),
    (2, put("relation_cycle_state", "pursue_withdraw"), "state on a participant's row"),
    (3, put("relation_cycle_state", ""), "reason without a state"),
    (2, put("relation_pattern", "pursue_withdraw"), "leaking relation_pattern"),
    (2, put_in("internal_emotion", intensity=None), "intensity missing"),
    (3, add("internal_emotion", FEELS | {"person": "Therapist"}), "emotion of the supporter"),
    (2, put("start_time", "soon"), "schema"),
    (2, put("mood", "blue"), "schema"),
    (2, put("dialogue_cleaned", "I donâ€™t know."), "encoding"),
    (3, add("support_strategy", move("reframe", "Couple")), "tie-break"),
    (6, put("support_strategy", [move("join", "Pavel"), move("repair", "Pavel")]), "tie-break"),
    (3, put("dialogue_cleaned", "Mm. Go on."), "tie-break"),
    (6, put_in("support_strategy", strategy_type="evoke"), "tie-break"),
    (3, lambda row: row.update(relation_cycle_state="attack_attack", relation_cycle_evidence_rows=[1]), "tie-break"),
    (3, lambda row: row.update(relation_cycle_state="mixed_transition", relation_cycle_evidence_rows=[1]), "tie-break"),
    (7, put("dialogue_cleaned", "Well, I sat in the car for two hours."), "repeated sentence"),
]


@pytest.fixture
def planted(tmp_path, couple):
    """Write the clean episode with `fault` applied to row `number`, and return the file."""

    def plant(number, fault):
        raw = json.loads(to_json(couple))
        fault(raw["rows"][number - 1])
        (tmp_path / "file.jsonl").write_text(json.dumps(raw) + "\n", encoding="utf-8")
        return tmp_path / "file.jsonl"

    return plant


def test_a_clean_episode_has_no_finding(planted):
    assert found(planted(1, lambda row: None)) == []


@pytest.mark.parametrize(("number", "fault", "kind"), ROW_FAULTS)
def test_an_error_in_a_row_is_found_exactly(planted, number, fault, kind):
    path = planted(number, fault)
    errors = [finding for finding in check(path).findings if finding.severity == "error"]

    assert [finding.kind for finding in errors] == [kind]
    assert (errors[0].file, errors[0].sample_id) == (f"{path}:1", "test_couple/1")
    assert errors[0].row == (6 if kind == "row order" else number)
    assert errors[0].remedy


@pytest.mark.parametrize(("number", "fault", "kind"), ROW_WARNINGS)
def test_a_warning_in_a_row_is_found_exactly(planted, number, fault, kind):
    assert found(planted(number, fault)) == [("warning", kind, number)]


def episode(number, *rows, people="Orla, Pavel", scenario="couple"):
    return parse(f"=== made_{number}/1\nscenario: {scenario}\npeople: {people}\n\n" + "\n".join(rows) + "\n")[0]


def rows_of(number, pursuer="Orla", withdrawer="Pavel"):
    """Three rows in short words that no other number has."""
    return (
        f"{pursuer} > {withdrawer}: Where{number} were{number}?\n  type request",
        f"{withdrawer} > {pursuer}: Nowhere{number}.\n  type withdrawal",
        f"Therapist > Couple: One{number} two{number} three{number} four{number}.\n"
        "  move track > Couple: names it\n  cycle pursue_withdraw (1, 2): it is so",
    )


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (episode(1), [("error", "no rows", None)]),
        (
            episode(1, *rows_of(1), people="Orla, Pavel, Zoran"),
            [("warning", "number of people", None), ("warning", "silent participant", None)],
        ),
        (episode(1, *rows_of(1)[:2]), [("warning", "no supporter", None)]),
        (
            episode(
                1,
                "Ada > Ben: You!\n  type accusation",
                "Ben > Ada: No!\n  type defense",
                "Therapist > Family: Let me slow this down.\n  cycle cross_generational_coalition (1, 2): two against nobody",
                people="Ada, Ben",
                scenario="family",
            ),
            [("warning", "number of people", None), ("warning", "tie-break", 3)],
        ),
    ],
)
def test_a_fault_of_an_episode_is_found_exactly(tmp_path, made, expected):
    write_episodes([made], tmp_path / "file.jsonl")

    assert found(tmp_path / "file.jsonl") == expected


def test_times_that_go_back_are_found(tmp_path):
    rows = ["[0 .. 4] Orla > Pavel: Hi.\n  type other", "[3 .. 3] Pavel > Orla: Oh.\n  type other", "[2 .. 5] Therapist > Couple: Go on."]
    write_episodes([episode(1, *rows)], tmp_path / "file.jsonl")

    assert found(tmp_path / "file.jsonl") == [("error", "time order", 3)]


def test_a_cut_line_and_an_id_that_stands_twice_are_found_with_their_lines(tmp_path):
    lines = [to_json(episode(1, *rows_of(1))), '{"sample_id": "cut', to_json(episode(1, *rows_of(2)))]
    (tmp_path / "file.jsonl").write_text("\n".join(lines), encoding="utf-8")
    findings = check(tmp_path / "file.jsonl").findings

    assert [(f.severity, f.kind) for f in findings] == [("error", "unreadable"), ("error", "same id twice")]
    assert findings[0].file == f"{tmp_path / 'file.jsonl'}:2"
    assert findings[1].sample_id == "made_1/1~2"
    assert findings[1].file == f"{tmp_path / 'file.jsonl'}:3"


def test_wording_that_episodes_share_is_found_and_measured(tmp_path):
    said = "Orla > Pavel: The heron came down on the frozen pond again{}.\n  type other"
    some = [episode(n, said.format(end), *rows_of(n)[1:]) for n, end in ((1, ""), (2, " today"))]
    write_episodes(some, tmp_path / "file.jsonl")
    outcome = check(tmp_path / "file.jsonl")

    assert [(f.kind, f.sample_id, f.row) for f in outcome.findings] == [
        ("sentence of another episode", "made_2/1", 1),
        ("shared wording", None, None),
    ]
    assert (outcome.shared_grams.shared, outcome.shared_grams.total) == (4, 5)


def test_a_name_that_always_pursues_is_found(tmp_path):
    partners = ["Ada", "Ben", "Cyr", "Dov", "Eva", "Flo"]
    orders = (f"Orla, {name}" if i % 2 else f"{name}, Orla" for i, name in enumerate(partners))
    some = [episode(n, *rows_of(n, withdrawer=name), people=people) for n, (name, people) in enumerate(zip(partners, orders, strict=True))]
    write_episodes(some, tmp_path / "file.jsonl")
    (finding,) = check(tmp_path / "file.jsonl").findings

    assert (finding.severity, finding.kind) == ("warning", "name balance")
    assert "the name Orla pursues in 6 of 6" in finding.problem


def test_names_in_swapped_roles_are_balanced(tmp_path):
    swapped = [rows_of(n, "Orla", "Pavel") if n % 2 else rows_of(n, "Pavel", "Orla") for n in range(12)]
    write_episodes([episode(n, *rows) for n, rows in enumerate(swapped)], tmp_path / "file.jsonl")

    assert found(tmp_path / "file.jsonl") == []


def test_labels_that_are_too_rare_are_found(tmp_path):
    some = [episode(n, *(rows_of(n, "Orla", "Pavel") if n % 2 else rows_of(n, "Pavel", "Orla"))) for n in range(4)]
    write_episodes(some, tmp_path / "file.jsonl")
    patterns, strategies = check(tmp_path / "file.jsonl", min_label=4).findings

    assert (patterns.kind, strategies.kind) == ("label balance", "label balance")
    assert all((f"{label} (0)" in patterns.problem) == (label != "pursue_withdraw") for label in pattern_names("couple"))
    assert all((f"{label} (0)" in strategies.problem) == (label != "track") for label in strategy_names("couple"))
    assert found(tmp_path / "file.jsonl") == []


def test_the_bundled_screenplays_pass():
    outcome = check(OPEN / "screenplays")

    assert [f for f in outcome.findings if f.severity == "error"] == []
    assert outcome.shared_grams.share < 0.01


def test_a_file_without_any_episode_is_one_clear_line(tmp_path):
    (tmp_path / "file.jsonl").write_text("nonsense\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"file.jsonl:1: not JSON"):
        check(tmp_path / "file.jsonl")
