"""Check episodes of any RESCUE file against the rules of the schema, the labels and the corpus as a whole."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rescue_agent.corpus.balance import SIGNIFICANT, label_counts, tallies
from rescue_agent.corpus.findings import Fault, Finding, placed
from rescue_agent.corpus.mending import KEPT_LABEL
from rescue_agent.corpus.repetition import GRAM, SharedGrams, near_duplicates, shared_grams
from rescue_agent.corpus.rescue import SAME_ID, Reading, read_episodes
from rescue_agent.corpus.row_rules import ROW_RULES
from rescue_agent.corpus.tie_breaks import TIE_BREAKS
from rescue_agent.errors import InputError
from rescue_agent.schema import Episode, Row
from rescue_agent.taxonomy import Scenario

MAX_SHARED_GRAMS: Final = 0.01
"""Share of word 6-grams that more than one episode may use."""
_PEOPLE: Final[dict[Scenario, tuple[int, int]]] = {"couple": (2, 2), "family": (3, 12)}
_MANY: Final = 20
"""From so many episodes of a scenario on, each of its labels is expected to stand somewhere."""
_ENCODING_KINDS: Final = ("encoding", "UTF-8", "half a character")


@dataclass(frozen=True)
class Check:
    """The outcome: what was found, and what was looked at."""

    findings: tuple[Finding, ...]
    episodes: int
    rows: int
    shared_grams: SharedGrams

    @property
    def errors(self) -> int:
        """How many findings are errors."""
        return sum(finding.severity == "error" for finding in self.findings)


def check(path: Path, min_label: int = 1) -> Check:
    """Check every episode in `path`.

    Args:
        min_label: each label of a scenario should stand at least so often; looked at from 20 episodes of a scenario on, or whenever
            more than 1 is asked for.

    Raises:
        InputError: when the path cannot be read, or holds no episode at all.
    """
    reading = read_episodes(path)
    if not reading.episodes:
        raise InputError(reading.rejected[0] if reading.rejected else f"{path}: holds no episode; give a RESCUE file")
    grams = shared_grams(reading.episodes)
    findings = (
        *_reading_faults(reading),
        *(finding for episode in reading.episodes for finding in _episode_findings(episode, reading.places[episode.sample_id])),
        *_repetitions(reading, grams, str(path)),
        *_imbalances(reading.episodes, min_label, str(path)),
    )
    return Check(findings, len(reading.episodes), sum(len(e.rows) for e in reading.episodes), grams)


def _reading_faults(reading: Reading) -> Iterator[Finding]:
    """What the reader left out or had to mend. Labels that it kept are judged by their own rule."""
    for line in reading.rejected:
        place, _, problem = line.partition(": ")
        yield Finding("error", "unreadable", problem, "mend the line, or take it out", place)
    for mend in reading.mended:
        if mend.kind.endswith(KEPT_LABEL) or mend.kind == "speaker missing from the participants":
            continue
        place = reading.places.get(mend.sample_id, mend.sample_id)
        if mend.kind == SAME_ID:
            problem = f"its id stood before (read as {mend.sample_id!r})"
            yield Finding("error", "same id twice", problem, "give each sample its own", place, mend.sample_id)
        else:
            kind = "encoding" if any(word in mend.kind for word in _ENCODING_KINDS) else "schema"
            remedy = "write the file as UTF-8" if kind == "encoding" else "write it as the schema says"
            yield Finding("warning", kind, mend.kind, remedy, place, mend.sample_id, mend.row)


def _episode_findings(episode: Episode, file: str) -> Iterator[Finding]:
    yield from placed(_episode_faults(episode), file, episode.sample_id)
    for row in episode.rows:
        for rule in (*ROW_RULES, *TIE_BREAKS):
            yield from placed(rule(episode, row), file, episode.sample_id, row.row_index)
    for earlier, later in zip(episode.rows, episode.rows[1:], strict=False):
        yield from placed(_order_faults(earlier, later), file, episode.sample_id, later.row_index)
    for row in episode.rows:
        yield from placed(_time_faults(row), file, episode.sample_id, row.row_index)


def _episode_faults(episode: Episode) -> Iterator[Fault]:
    if not episode.rows:
        yield "error", "no rows", "the episode is empty", "add its rows, or take it out"
        return
    low, high = _PEOPLE[episode.scenario]
    if not low <= len(episode.participants) <= high:
        wanted = f"{low}" if low == high else f"{low} to {high}"
        yield "warning", "number of people", f"a {episode.scenario} of {len(episode.participants)}", f"list {wanted} participants"
    if not any(row.by_supporter for row in episode.rows):
        yield "warning", "no supporter", "the supporter never speaks", "nothing, if it is meant so"
    speakers = {row.primary_speaker for row in episode.rows}
    for name in (name for name in episode.participants if name not in speakers):
        yield "warning", "silent participant", f"{name} never speaks", "nothing, if it is meant so"


def _order_faults(earlier: Row, later: Row) -> Iterator[Fault]:
    if later.row_index <= earlier.row_index:
        yield "error", "row order", f"row {later.row_index} comes after row {earlier.row_index}", "number the rows upward"
    if earlier.start_time is not None and later.start_time is not None and later.start_time < earlier.start_time:
        yield "error", "time order", f"starts at {later.start_time:g} s, before row {earlier.row_index}", "sort the rows or mend the times"


def _time_faults(row: Row) -> Iterator[Fault]:
    if row.start_time is not None and row.start_time < 0:
        yield "error", "time order", f"starts at {row.start_time:g} s", "count seconds from the start of the sample"
    if row.start_time is not None and row.end_time is not None and row.end_time < row.start_time:
        yield "error", "time order", f"ends at {row.end_time:g} s, before it starts at {row.start_time:g} s", "mend the times"


def _repetitions(reading: Reading, grams: SharedGrams, path: str) -> Iterator[Finding]:
    for earlier, later in near_duplicates(reading.episodes):
        inside = earlier.sample_id == later.sample_id
        where = f"row {earlier.row}" if inside else f"{earlier.sample_id} row {earlier.row}"
        kind = "repeated sentence" if inside else "sentence of another episode"
        problem = f"{later.text[:80]!r} is nearly that of {where}"
        yield Finding("warning", kind, problem, "word it anew", reading.places[later.sample_id], later.sample_id, later.row)
    if grams.share > MAX_SHARED_GRAMS:
        problem = f"{grams.share:.1%} of the word {GRAM}-grams stand in more than one episode (over {MAX_SHARED_GRAMS:.0%})"
        yield Finding("warning", "shared wording", problem, "word the repeated sentences anew", path)


def _imbalances(episodes: Sequence[Episode], min_label: int, path: str) -> Iterator[Finding]:
    for tally in tallies(episodes):
        if tally.probability < SIGNIFICANT:
            problem = f"{tally.attribute} pursues in {tally.pursues} of {tally.of} episodes"
            yield Finding("warning", "name balance", problem, "swap the roles in some of them", path)
    for scenario, counts in label_counts(episodes).items():
        of = sum(episode.scenario == scenario for episode in episodes)
        if of == 0 or (of < _MANY and min_label <= 1):
            continue
        for what, counted in zip(("pattern", "strategy"), counts, strict=True):
            rare = [f"{label} ({n})" for label, n in counted.items() if n < min_label]
            if rare and counted.total():
                problem = f"{scenario} {what} labels under {min_label}: {', '.join(rare)}"
                yield Finding("warning", "label balance", problem, "add episodes that show them", path)
