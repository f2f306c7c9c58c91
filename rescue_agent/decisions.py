"""What an engine answers: the six decisions of RESCUE-BENCH (section 3 of the paper), each with a probability and a short reason."""

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import Field, model_validator

from rescue_agent.schema import Record
from rescue_agent.settings import ReplyLength

Probability = Annotated[float, Field(ge=0, le=1)]
SUM_TOLERANCE = 1e-6


class EmotionEstimate(Record):
    """ER: what `person` feels, as a short phrase, with an intensity on 0-10."""

    person: str
    description: str
    intensity: Annotated[float, Field(ge=0, le=10)]
    reason: str = ""


class ViewpointEstimate(Record):
    """VP: what `source` thinks of `target` (another person present), with the probability that such a viewpoint is held."""

    source: str
    target: str
    viewpoint: str
    attitude: str = ""
    probability: Probability = 1.0


class Ranking(Record):
    """RPP, STP, SSP: all candidates with their probabilities, best first; probabilities sum to 1."""

    ranking: tuple[tuple[str, Probability], ...]
    reason: str = ""

    @model_validator(mode="after")
    def _check(self) -> Self:
        total = sum(p for _, p in self.ranking)
        if self.ranking and abs(total - 1) > SUM_TOLERANCE:
            raise ValueError(f"probabilities sum to {total}, not to 1")
        return self

    @classmethod
    def of(cls, scores: Mapping[str, float], reason: str = "") -> "Ranking":
        """Normalise non-negative `scores` and sort them, best first; ties keep the order of `scores`.

        Raises:
            ValueError: when there is no candidate.
        """
        total = sum(scores.values())
        if not scores:
            raise ValueError("a ranking needs at least one candidate")
        shares = {label: score / total if total > 0 else 1 / len(scores) for label, score in scores.items()}
        return cls(ranking=tuple(sorted(shares.items(), key=lambda item: -item[1])), reason=reason)

    @property
    def best(self) -> str:
        """The first candidate."""
        return self.ranking[0][0]

    @property
    def probabilities(self) -> dict[str, float]:
        """Candidate -> probability, best first."""
        return dict(self.ranking)


class InterventionDecision(Record):
    """ITP: speak now, or hold. `probability` is that of speaking."""

    speak: bool
    probability: Probability
    reason: str = ""


class Edge(Record):
    """How `source` stands to `target` now: warmth and alignment on -1..1, tension on 0..1, and the latest viewpoint."""

    source: str
    target: str
    warmth: Annotated[float, Field(ge=-1, le=1)] = 0.0
    tension: Annotated[float, Field(ge=0, le=1)] = 0.0
    alignment: Annotated[float, Field(ge=-1, le=1)] = 0.0
    viewpoint: str = ""


class RelationState(Record):
    """The relation state: a directed edge for every ordered pair of participants, and a belief over relation patterns.

    `summary` says in words what went before; only engines with a language model write one.
    """

    edges: tuple[Edge, ...] = ()
    belief: tuple[tuple[str, Probability], ...] = ()
    summary: str = ""

    def edge(self, source: str, target: str) -> Edge:
        """The edge from `source` to `target`; a neutral one when nothing is known yet."""
        known = (e for e in self.edges if (e.source, e.target) == (source, target))
        return next(known, Edge(source=source, target=target))


class RecalledMoment(Record):
    """A similar moment from the memory of episodes, and what the supporter did next there.

    `distance` is a cosine distance on 0..2; `sample_id` and `row_index` are its provenance.
    """

    sample_id: str
    row_index: int
    distance: float
    pattern: str = ""
    strategy: str = ""
    target_role: str = ""
    text: str = ""
    reply: str = ""


class RecalledRow(Record):
    """A similar row of a participant from the memory of episodes, with what its annotator read in it."""

    sample_id: str
    row_index: int
    distance: float
    emotion: str = ""
    intensity: float | None = None
    viewpoint: str = ""
    attitude: str = ""
    supporter_next: bool = False


class ReplyPlan(Record):
    """What `write_reply` is to carry out: whom to address with which strategy, and what was read in the room."""

    target: str
    strategy: str
    pattern: str = ""
    emotions: tuple[EmotionEstimate, ...] = ()
    viewpoints: tuple[ViewpointEstimate, ...] = ()
    recalled: tuple[RecalledMoment, ...] = ()
    recent_replies: tuple[str, ...] = ()
    length: ReplyLength = "normal"
