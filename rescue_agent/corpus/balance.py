"""Balance of names and labels: nobody's part in a conflict should be predictable from a name, a pronoun or a place in the list."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rescue_agent.schema import Episode, Row
from rescue_agent.taxonomy import SCENARIOS, Scenario, pattern_names, strategy_names

_PRESSES: Final = {"accusation": 1, "request": 1, "defense": -1, "withdrawal": -1}
SIGNIFICANT: Final = 0.05
"""Two-sided exact binomial probability under which an attribute counts as tied to a role."""
_PRONOUN: Final = re.compile(r"\b(he|she)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Role:
    """Who pursues and who withdraws in one episode."""

    episode: Episode
    pursuer: str
    withdrawer: str


@dataclass(frozen=True)
class Tally:
    """How often people with one attribute pursue, of the episodes in which they pursue or withdraw."""

    attribute: str
    pursues: int
    of: int

    @property
    def probability(self) -> float:
        """Two-sided exact binomial probability of so uneven a count when both roles are equally likely."""
        tail = min(self.pursues, self.of - self.pursues)
        ways = sum(math.comb(self.of, k) for k in range(tail + 1))
        return min(1.0, 2 * ways / (1 << self.of))


def roles(episodes: Sequence[Episode]) -> Iterator[Role]:
    """Yield who pursues whom, an episode with a pursue_withdraw state.

    The pursuer is who accuses and requests most against defending and withdrawing in the rows that such states name as evidence;
    the withdrawer is who does so least. An episode where these are equal is left out.
    """
    for episode in episodes:
        scores = _pressing(episode)
        if scores and (top := max(scores, key=lambda name: scores[name])) and min(scores.values()) < scores[top]:
            yield Role(episode, top, min(scores, key=lambda name: scores[name]))


def _pressing(episode: Episode) -> Counter[str]:
    by_index = {row.row_index: row for row in episode.rows}
    scores: Counter[str] = Counter()
    for row in episode.rows:
        if row.relation_cycle_state == "pursue_withdraw":
            for number in row.relation_cycle_evidence_rows:
                _count_press(by_index.get(number), scores)
    return scores


def _count_press(row: Row | None, scores: Counter[str]) -> None:
    if row is not None and not row.by_supporter:
        scores[row.primary_speaker] += _PRESSES.get(row.utterance_type, 0)


def tallies(episodes: Sequence[Episode]) -> list[Tally]:
    """Pursuing by name, by pronoun in the viewpoints about a person, and by place in the list of participants."""
    counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for role in roles(episodes):
        for name, pursues in ((role.pursuer, 1), (role.withdrawer, 0)):
            for attribute in _attributes(role.episode, name):
                counts[attribute][0] += pursues
                counts[attribute][1] += 1
    return [Tally(attribute, *count) for attribute, count in sorted(counts.items())]


def _attributes(episode: Episode, name: str) -> Iterator[str]:
    yield f"the name {name}"
    if pronoun := _pronoun(episode, name):
        yield f"the pronoun '{pronoun}'"
    if name in episode.participants:
        yield "the first place in the participants" if episode.participants[0] == name else "a later place in the participants"


def _pronoun(episode: Episode, name: str) -> str | None:
    """he or she, by what most viewpoints about the person call them first."""
    found = Counter(
        match[1].lower()
        for row in episode.rows
        for view in row.viewpoints_attitudes
        if view.target == name and (match := _PRONOUN.search(view.viewpoint))
    )
    return found.most_common(1)[0][0] if found else None


def label_counts(episodes: Sequence[Episode]) -> dict[Scenario, tuple[Counter[str], Counter[str]]]:
    """scenario -> (how often each pattern, how often each strategy), with 0 for a label that never stands."""
    counts = {}
    for scenario in SCENARIOS:
        rows = [row for episode in episodes if episode.scenario == scenario for row in episode.rows]
        patterns = Counter(dict.fromkeys(pattern_names(scenario), 0))
        patterns.update(row.relation_cycle_state for row in rows if row.relation_cycle_state)
        strategies = Counter(dict.fromkeys(strategy_names(scenario), 0))
        strategies.update(move.strategy_type for row in rows for move in row.support_strategy)
        counts[scenario] = patterns, strategies
    return counts
