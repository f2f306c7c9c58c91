"""Rules that one row can break: people, labels, moves, viewpoints, emotions, evidence, text. One rule a function."""

from collections.abc import Callable, Iterator
from typing import Final

from rescue_agent.corpus.findings import Fault
from rescue_agent.schema import Episode, Row
from rescue_agent.taxonomy import SUPPORTER, UTTERANCE_TYPE_NAMES, pattern_names, strategy_names

_MAX_INTENSITY: Final = 10
_ENTITY_REMEDY: Final = "name a listed participant, or add the person to the participants"


def _named(row: Row) -> Iterator[tuple[str, str]]:
    """Yield (where, name) for every person that a row names."""
    yield "the speaker", row.primary_speaker
    yield from (("the target", name) for name in row.target)
    for aside in row.background_dialogue:
        yield from (("background_dialogue", name) for name in (aside.speaker, *aside.target))
    for field in ("body_posture", "facial_expressions", "self_directed_behavior"):
        yield from ((field, cue.person) for cue in getattr(row, field))
    for act in row.interaction_behavior:
        yield from (("interaction_behavior", name) for name in (act.initiator, *act.target))
    yield from (("internal_emotion", emotion.person) for emotion in row.internal_emotion)
    yield from (("viewpoints_attitudes, source", view.source) for view in row.viewpoints_attitudes)
    for move in row.support_strategy:
        yield from (("support_strategy", name) for name in (move.provider, *move.target))


def closed_entities(episode: Episode, row: Row) -> Iterator[Fault]:
    """Only participants, the supporter and the group label may be named."""
    known = {*episode.participants, SUPPORTER, episode.group_label}
    for where, name in dict.fromkeys(_named(row)):
        if name not in known:
            yield "error", "unknown person", f"{where} names {name!r}, who is not in this episode", _ENTITY_REMEDY


def addressing(_: Episode, row: Row) -> Iterator[Fault]:
    """Nobody speaks to themself, and nobody speaks as the group."""
    if row.primary_speaker in row.target:
        yield "error", "addresses oneself", f"{row.primary_speaker} is both speaker and target", "leave the speaker out of the target"


def viewpoints(episode: Episode, row: Row) -> Iterator[Fault]:
    """A viewpoint is about another person present."""
    for view in row.viewpoints_attitudes:
        if view.source == view.target:
            yield "error", "viewpoint about oneself", f"{view.source} is source and target", "write it as an emotion, or name the other"
        elif view.target not in (*episode.participants, SUPPORTER):
            yield "error", "viewpoint about nobody present", f"its target {view.target!r} is not present", "name a participant"


def utterance_types(episode: Episode, row: Row) -> Iterator[Fault]:
    """Participants' rows have a known type, the supporter's have none."""
    if row.by_supporter and row.utterance_type:
        yield "error", "supporter row with a type", f"the supporter's row is typed {row.utterance_type!r}", "leave utterance_type empty"
    elif row.utterance_type and row.utterance_type not in UTTERANCE_TYPE_NAMES:
        yield "error", "unknown label", f"utterance_type {row.utterance_type!r}", f"use one of {', '.join(UTTERANCE_TYPE_NAMES)}"
    elif not row.by_supporter and not row.utterance_type and any(other.utterance_type for other in episode.rows):
        yield "warning", "type missing", "a participant's row has no utterance_type", "add one; 'other' when none fits"


def moves(episode: Episode, row: Row) -> Iterator[Fault]:
    """Moves are the supporter's, of a known label, and for a participant or the group."""
    known = strategy_names(episode.scenario)
    for move in row.support_strategy:
        if not row.by_supporter:
            yield "error", "move on a participant's row", f"{move.strategy_type!r} stands on {row.primary_speaker}'s row", "move it"
        if move.provider != SUPPORTER:
            yield "error", "move by a participant", f"its provider is {move.provider!r}", f"write {SUPPORTER!r}"
        if move.strategy_type not in known:
            yield "error", "unknown label", f"strategy_type {move.strategy_type!r}", f"use one of {', '.join(known)}"
        if SUPPORTER in move.target:
            yield "error", "move for the supporter", f"{move.strategy_type!r} has the supporter as its target", "name a participant"
        if not move.target and not row.target:
            yield "warning", "move without target", f"{move.strategy_type!r} is for nobody", "name whom it is for"


def cycle_states(episode: Episode, row: Row) -> Iterator[Fault]:
    """A relation state has a known label, stands on the supporter's rows, and says why."""
    known, state = pattern_names(episode.scenario), row.relation_cycle_state
    if state and state not in known:
        yield "error", "unknown label", f"relation_cycle_state {state!r}", f"use one of {', '.join(known)}"
    if state and not row.by_supporter:
        yield (
            "warning",
            "state on a participant's row",
            f"{state!r} stands on {row.primary_speaker}'s row",
            "move it to the supporter's row",
        )
    if not state and (row.relation_cycle_reason or row.relation_cycle_evidence_rows):
        yield "warning", "reason without a state", "relation_cycle_reason or its evidence stands without a label", "add the label"
    if episode.scenario == "couple" and row.relation_pattern:
        yield (
            "warning",
            "leaking relation_pattern",
            "in couples it shows a later row's state",
            "use relation_cycle_state, and leave it empty",
        )


def evidence(episode: Episode, row: Row) -> Iterator[Fault]:
    """Evidence rows exist and are not later than the row."""
    numbers = {other.row_index for other in episode.rows}
    for field in ("relation_cycle_evidence_rows", "relation_pattern_evidence_rows"):
        for number in getattr(row, field):
            if number not in numbers:
                yield "error", "evidence row that is not there", f"{field} names row {number}", "name a row of this episode"
            elif number > row.row_index:
                yield "error", "evidence row in the future", f"{field} names row {number}", "name rows up to this one"


def emotions(_: Episode, row: Row) -> Iterator[Fault]:
    """An intensity is there and on 0-10; the supporter's feelings are not annotated."""
    for emotion in row.internal_emotion:
        if emotion.intensity is None:
            yield "warning", "intensity missing", f"{emotion.emotion_description!r} has none", "add a number from 0 to 10"
        elif not 0 <= emotion.intensity <= _MAX_INTENSITY:
            yield "error", "intensity out of range", f"{emotion.intensity:g} is not on 0-10", "use a number from 0 to 10"
        if emotion.person == SUPPORTER:
            yield "warning", "emotion of the supporter", "the supporter's emotion is annotated", "annotate participants only"


def _texts(row: Row) -> Iterator[tuple[str, str]]:
    yield "dialogue_cleaned", row.dialogue_cleaned
    yield from (("background_dialogue", aside.content) for aside in row.background_dialogue)
    for field in ("body_posture", "facial_expressions", "self_directed_behavior", "interaction_behavior"):
        yield from ((field, cue.description) for cue in getattr(row, field))
    yield from (("internal_emotion", emotion.emotion_description) for emotion in row.internal_emotion)
    yield from (("viewpoints_attitudes", view.viewpoint) for view in row.viewpoints_attitudes)


def empty_texts(_: Episode, row: Row) -> Iterator[Fault]:
    """What is annotated has words."""
    for field, text in _texts(row):
        if not text.strip():
            yield "error", "empty text", f"{field} has no words", "write what is said or seen ('...' for a silence), or take it out"


ROW_RULES: Final[tuple[Callable[[Episode, Row], Iterator[Fault]], ...]] = (
    closed_entities,
    addressing,
    viewpoints,
    utterance_types,
    moves,
    cycle_states,
    evidence,
    emotions,
    empty_texts,
)
