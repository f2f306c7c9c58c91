"""The decision record: one JSON object for what the supporter decided after one row. Other programs read it (contract, version 1)."""

from typing import Literal

from pydantic import ConfigDict, Field

from graphs.state import SupportState
from rescue_agent.corpus.moves import supporter_move
from rescue_agent.decisions import Edge, EmotionEstimate, Probability, Ranking, ViewpointEstimate
from rescue_agent.page.transcript import Decided
from rescue_agent.schema import Episode, Record


class PatternEntry(Record):
    """RPP: the likeliest pattern, and the probability of each."""

    label: str
    probabilities: dict[str, Probability]
    reason: str


class InterventionEntry(Record):
    """ITP: speak or hold."""

    speak: bool
    probability: Probability
    reason: str


class SafetyEntry(Record):
    """What the guard found: a routing level, never a score, and the families of risk."""

    level: str
    families: tuple[str, ...] = ()


class HumanEntry(Record):
    """What the human supporter of the script did next."""

    spoke: bool
    target: str | None = None
    strategy: str | None = None
    text: str | None = None


class DecisionRecord(Record):
    """All decisions after one row, and what the human supporter did there. `reply` is None when the supporter holds."""

    model_config = ConfigDict(frozen=True, extra="forbid", serialize_by_alias=True, validate_by_name=True)

    schema_version: Literal[1] = Field(default=1, alias="schema")
    sample_id: str
    row_index: int
    speaker: str
    engine: str
    emotion: EmotionEstimate
    viewpoints: tuple[ViewpointEstimate, ...]
    pattern: PatternEntry
    relation: tuple[Edge, ...]
    intervene: InterventionEntry
    target: Ranking
    strategy: Ranking
    reply: str | None
    safety: SafetyEntry
    human: HumanEntry


def record_of(state: SupportState, sample_id: str, row_index: int, engine: str, human: HumanEntry) -> DecisionRecord:
    """The record of a turn that the graph has worked out."""
    pattern, intervention, screening = state["pattern"], state["intervention"], state["screening"]
    return DecisionRecord(
        sample_id=sample_id,
        row_index=row_index,
        speaker=state["turn"].speaker,
        engine=engine,
        emotion=state["emotion"],
        viewpoints=tuple(state["viewpoints"]),
        pattern=PatternEntry(label=pattern.best, probabilities=pattern.probabilities, reason=pattern.reason),
        relation=state["relation"].edges,
        intervene=InterventionEntry.model_validate(intervention.model_dump()),
        target=state["target"],
        strategy=state["strategy"],
        reply=state["reply"] or None,
        safety=SafetyEntry(level=screening.level.name.lower(), families=screening.families),
        human=human,
    )


def human_after(episode: Episode, position: int) -> HumanEntry:
    """What the human supporter did right after the row at `position`."""
    rows = episode.rows[position + 1 : position + 2]
    if not rows or not rows[0].by_supporter:
        return HumanEntry(spoke=False)
    move = supporter_move(episode, rows[0])
    strategy, target = move if move else (None, rows[0].target[0] if len(rows[0].target) == 1 else episode.group_label)
    return HumanEntry(spoke=True, target=target, strategy=strategy, text=rows[0].dialogue_cleaned)


def as_decided(record: DecisionRecord, *, alone: bool = False) -> Decided:
    """The record as a transcript shows it; `alone` where there is no human supporter to set it beside."""
    human = record.human
    move = f"{human.strategy or 'no strategy'} to {human.target}: {human.text}" if human.spoke else "held"
    return Decided(
        emotion=record.emotion,
        viewpoints=record.viewpoints,
        pattern=(record.pattern.label, record.pattern.probabilities[record.pattern.label]),
        speak=(record.intervene.speak, record.intervene.probability),
        target=record.target,
        strategy=record.strategy,
        reply=record.reply,
        safety=record.safety.level,
        human_spoke=human.spoke,
        human_move="" if alone else move,
    )
