"""The statistics table of the paper for any file, beside the published figures."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from rescue_agent.corpus.balance import label_counts
from rescue_agent.corpus.groups import group_of
from rescue_agent.corpus.moves import supporter_move
from rescue_agent.schema import Episode, Row
from rescue_agent.taxonomy import SCENARIOS, UTTERANCE_TYPE_NAMES, Scenario, pattern_names

PAPER: Final = "arXiv 2609.09657"
MAIN_MOVES: Final = ("reframe", "evoke", "track", "goal_align")


@dataclass(frozen=True)
class Figure:
    """One measure of one scenario. `value` is None where nothing is there to measure; `published` None where the paper gives none.

    `unit`: "" for a count, "mean" of counts, "%" for a share (0-100), "min", "words", "0-10".
    """

    scenario: Scenario
    section: str
    measure: str
    value: float | None
    unit: str = ""
    published: float | None = None
    source: str = ""


@dataclass(frozen=True)
class Published:
    """A figure of the benchmark as it was published."""

    scenario: Scenario
    measure: str
    value: float
    source: str


PUBLISHED: Final = (
    Published("couple", "samples", 174, f"{PAPER}, dataset statistics"),
    Published("couple", "turns", 5875, f"{PAPER}, dataset statistics"),
    Published("couple", "speakers a sample", 3.00, f"{PAPER}, dataset statistics"),
    Published("couple", "turns by the supporter", 35.4, f"{PAPER}, dataset statistics"),
    Published("couple", "turns with a relation state", 1608, f"{PAPER}, task RPP"),
    Published("couple", "turns with a move", 1290, f"{PAPER}, tasks STP and SSP"),
    Published("couple", "pattern pursue_withdraw", 38.7, f"{PAPER}, label shares"),
    Published("couple", "pattern repair_softening", 27, f"{PAPER}, label shares"),
    Published("couple", "moves reframe, evoke, track, goal_align", 77, f"{PAPER}, label shares"),
    Published("family", "samples", 17, f"{PAPER}, dataset statistics"),
    Published("family", "turns", 1204, f"{PAPER}, dataset statistics"),
    Published("family", "speakers a sample", 4.06, f"{PAPER}, dataset statistics"),
    Published("family", "turns by the supporter", 47.1, f"{PAPER}, dataset statistics"),
    Published("family", "turns with a relation state", 525, f"{PAPER}, task RPP"),
    Published("family", "turns with a move", 347, f"{PAPER}, tasks STP and SSP"),
    Published("family", "pattern cooperative_family_alliance", 41.9, f"{PAPER}, label shares"),
)
_PUBLISHED: Final = {(figure.scenario, figure.measure): figure for figure in PUBLISHED}
PUBLISHED_MINUTES: Final = 1064.8
"""Minutes of both scenarios together; the paper gives no figure a scenario."""


def statistics(episodes: Sequence[Episode]) -> list[Figure]:
    """Every figure for each scenario that is there, in the order of the table."""
    counts = label_counts(episodes)
    figures = []
    for scenario in SCENARIOS:
        own = [episode for episode in episodes if episode.scenario == scenario]
        if own:
            patterns, strategies = counts[scenario]
            raw = (*_size(own), *_speech(own), *_annotation(own), *_patterns(patterns), *_moves(strategies, scenario), *_types(own))
            figures += [_beside(scenario, *measured) for measured in raw]
    return figures


Measured = tuple[str, str, float | None, str]
"""(section, measure, value, unit)"""


def _beside(scenario: Scenario, section: str, measure: str, value: float | None, unit: str) -> Figure:
    published = _PUBLISHED.get((scenario, measure))
    known = (published.value, published.source) if published else (None, "")
    return Figure(scenario, section, measure, value, unit, *known)


def _rows(episodes: Iterable[Episode]) -> list[Row]:
    return [row for episode in episodes for row in episode.rows]


def _share(part: float, whole: float) -> float | None:
    return 100 * part / whole if whole else None


def _mean(values: Iterable[float]) -> float | None:
    known = list(values)
    return fmean(known) if known else None


def minutes(episodes: Iterable[Episode]) -> float | None:
    """Minutes from the first start to the last end, summed over episodes that have times; None when none has."""
    spans = []
    for episode in episodes:
        starts = [row.start_time for row in episode.rows if row.start_time is not None]
        ends = [row.end_time for row in episode.rows if row.end_time is not None]
        if starts and ends:
            spans.append(max(ends) - min(starts))
    return sum(spans) / 60 if spans else None


def _size(episodes: Sequence[Episode]) -> Iterable[Measured]:
    rows = _rows(episodes)
    yield "size", "samples", len(episodes), ""
    yield "size", "groups", len(set(group_of(episodes).values())), ""
    yield "size", "turns", len(rows), ""
    yield "size", "turns a sample", _mean(len(episode.rows) for episode in episodes), "mean"
    yield "size", "minutes", minutes(episodes), "min"
    yield "size", "speakers a sample", _mean(len({row.primary_speaker for row in episode.rows}) for episode in episodes), "mean"


def _speech(episodes: Sequence[Episode]) -> Iterable[Measured]:
    rows = _rows(episodes)
    yield "speech", "turns by the supporter", _share(sum(row.by_supporter for row in rows), len(rows)), "%"
    for who, by_supporter in (("participants", False), ("the supporter", True)):
        lengths = (len(row.dialogue_cleaned.split()) for row in rows if row.by_supporter is by_supporter)
        yield "speech", f"words a turn, {who}", _mean(lengths), "words"


def _annotation(episodes: Sequence[Episode]) -> Iterable[Measured]:
    rows = _rows(episodes)
    clients, supporter = [row for row in rows if not row.by_supporter], [row for row in rows if row.by_supporter]
    known = {episode.scenario: set(pattern_names(episode.scenario)) for episode in episodes}
    states = sum(row.relation_cycle_state in known[episode.scenario] for episode in episodes for row in episode.rows)
    with_move = sum(supporter_move(episode, row) is not None for episode in episodes for row in episode.rows)
    intensities = [e.intensity for row in rows for e in row.internal_emotion if e.intensity is not None]
    yield "annotation", "turns with a relation state", states, ""
    yield "annotation", "turns with a move", with_move, ""
    yield "annotation", "supporter turns with a move", _share(with_move, len(supporter)), "%"
    yield "annotation", "participants' turns with an emotion", _share(sum(bool(r.internal_emotion) for r in clients), len(clients)), "%"
    yield (
        "annotation",
        "participants' turns with a viewpoint",
        _share(sum(bool(r.viewpoints_attitudes) for r in clients), len(clients)),
        "%",
    )
    yield "annotation", "mean intensity", _mean(intensities), "0-10"


def _patterns(counts: Counter[str]) -> Iterable[Measured]:
    if total := counts.total():
        for label, n in counts.items():
            yield "relation patterns", f"pattern {label}", _share(n, total), "%"


def _moves(counts: Counter[str], scenario: Scenario) -> Iterable[Measured]:
    if total := counts.total():
        for label, n in counts.items():
            yield "moves", f"move {label}", _share(n, total), "%"
        if scenario == "couple":
            yield "moves", f"moves {', '.join(MAIN_MOVES)}", _share(sum(counts[label] for label in MAIN_MOVES), total), "%"


def _types(episodes: Sequence[Episode]) -> Iterable[Measured]:
    counts = Counter(row.utterance_type for row in _rows(episodes) if row.utterance_type)
    for label in (*UTTERANCE_TYPE_NAMES, *sorted(counts.keys() - set(UTTERANCE_TYPE_NAMES))) if counts else ():
        yield "utterance types", f"type {label}", _share(counts[label], counts.total()), "%"
