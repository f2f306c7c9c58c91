"""Hypothesis strategies for whole episodes: any text, any field."""

from hypothesis import strategies as st

from rescue_agent.schema import (
    BackgroundUtterance,
    Episode,
    InteractionCue,
    InternalEmotion,
    PersonCue,
    Row,
    SupportStrategy,
    ViewpointAttitude,
)

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.sampled_from(
    [
        "a | b",
        "a ~ b",
        "x @5",
        '"quoted',
        '{"json": 1}',
        "two\nlines",
        " blank ",
        "// no comment",
        "=== x",
        "é\u2028",
        "a: b",
        "(a)",
        "[1 .. 2]",
        "#3",
    ]
)
filled = text.filter(bool)
numbers = st.integers(-5, 10_000)
seconds = st.none() | st.floats(0, 1e6)
meta = st.dictionaries(text, st.none() | st.booleans() | st.integers(-(2**53), 2**53) | text | st.lists(text, max_size=2), max_size=2)


def lists_of(strategy):
    return st.lists(strategy, max_size=2).map(tuple)


names = lists_of(text)
rows = st.builds(
    Row,
    row_index=numbers,
    start_time=seconds,
    end_time=seconds,
    primary_speaker=st.sampled_from(["Therapist", "Ada", "Ben"]) | text,
    target=names,
    dialogue_cleaned=text,
    utterance_type=text,
    tone_of_voice=text,
    background_dialogue=lists_of(st.builds(BackgroundUtterance, speaker=text, target=names, content=text)),
    body_posture=lists_of(st.builds(PersonCue, person=text, description=text)),
    facial_expressions=lists_of(st.builds(PersonCue, person=text, description=text)),
    self_directed_behavior=lists_of(st.builds(PersonCue, person=text, description=text)),
    interaction_behavior=lists_of(st.builds(InteractionCue, initiator=text, target=names, description=text)),
    internal_emotion=lists_of(st.builds(InternalEmotion, person=text, emotion_description=text, intensity=st.none() | st.floats(0, 10))),
    viewpoints_attitudes=lists_of(st.builds(ViewpointAttitude, source=text, target=text, viewpoint=text, attitude=text)),
    support_strategy=lists_of(st.builds(SupportStrategy, provider=text, target=names, strategy_type=text, strategy_content=text)),
    relation_cycle_state=text,
    relation_cycle_reason=text,
    relation_cycle_evidence_rows=lists_of(numbers),
    relation_pattern=text,
    relation_pattern_reason=text,
    relation_pattern_evidence_rows=lists_of(numbers),
    meta=meta,
)
episodes = st.builds(
    Episode,
    sample_id=filled,
    scenario=st.sampled_from(["couple", "family"]),
    participants=st.lists(text, max_size=4).map(tuple),
    source_file=text,
    rows=st.lists(rows, max_size=4).map(tuple),
    meta=meta | st.builds(lambda words: {"backstory": words}, text),
)
