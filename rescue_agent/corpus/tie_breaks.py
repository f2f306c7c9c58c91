"""The tie-breaks of the taxonomy that a program can test. All are warnings: a reader decides."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from rescue_agent.corpus.findings import Fault
from rescue_agent.schema import Episode, Row
from rescue_agent.taxonomy import Scenario

YIELDS: Final[dict[Scenario, dict[str, tuple[str, ...]]]] = {
    "couple": {
        "track": ("reframe", "enact", "detach", "counterbalance", "goal_align"),
        "join": ("repair",),
        "evoke": ("enact",),
        "counterbalance": ("safeguard",),
    },
    "family": {
        "track": ("join", "counterbalance", "enact", "boundary", "reframe"),
        "join": ("repair",),
        "counterbalance": ("safeguard",),
    },
}
"""scenario -> label -> the labels that it yields to when both would fit the same words."""
_MUTUAL: Final = ("attack_attack", "escalation_conflict")
_BACKCHANNEL_WORDS: Final = 3
_TRIANGLE: Final = 3
_INVITES_DIRECT_TALK: Final = r"\b(?:can|could|would|will|do) you (?:want to |please )?(?:tell|ask|say (?:it|that|this) to) ({names})\b"


def yielding_moves(episode: Episode, row: Row) -> Iterator[Fault]:
    """Of two moves for the same people in one row, one yields."""
    table = YIELDS[episode.scenario]
    for i, move in enumerate(row.support_strategy):
        for other in row.support_strategy[:i] + row.support_strategy[i + 1 :]:
            if other.strategy_type in table.get(move.strategy_type, ()) and set(move.target) == set(other.target):
                yield _tie(f"{move.strategy_type!r} beside {other.strategy_type!r}", f"keep {other.strategy_type!r}")


def moves_of_few_words(_: Episode, row: Row) -> Iterator[Fault]:
    """Backchannels and hand-offs carry no move."""
    words = re.findall(r"\w+", row.dialogue_cleaned)
    if row.by_supporter and row.support_strategy and 0 < len(words) <= _BACKCHANNEL_WORDS:
        label = row.support_strategy[0].strategy_type
        yield _tie(f"{label!r} on {row.dialogue_cleaned!r}", "a backchannel or hand-off has no move: take it out")


def invitations_to_talk_directly(episode: Episode, row: Row) -> Iterator[Fault]:
    """Asking one participant to tell another is enact, not evoke or track."""
    names = "|".join(map(re.escape, (*episode.participants, "him", "her", "them")))
    if found := re.search(_INVITES_DIRECT_TALK.format(names=names), row.dialogue_cleaned, re.IGNORECASE):
        for move in row.support_strategy:
            if move.strategy_type in ("evoke", "track") and found[1] not in move.target:
                yield _tie(f"{move.strategy_type!r} on {found[0]!r}", "asking one to tell the other is 'enact'")


def states_that_need_two(episode: Episode, row: Row) -> Iterator[Fault]:
    """Mutual attack is shown by at least two people; a triangle needs three; a turn shows at least two rows and says which."""
    by_index = {other.row_index: other for other in episode.rows}
    rows = [by_index[n] for n in row.relation_cycle_evidence_rows if n in by_index]
    speakers = {other.primary_speaker for other in rows if not other.by_supporter}
    state = row.relation_cycle_state
    if state in _MUTUAL and len(speakers) == 1:
        yield _tie(f"{state!r} shown by {next(iter(speakers))} alone", "a sharp remark that nobody returns is not yet this pattern")
    if state == "cross_generational_coalition" and len(episode.participants) < _TRIANGLE:
        yield _tie(f"{state!r} among {len(episode.participants)} people", "a coalition needs three: choose another pattern")
    if state == "mixed_transition" and (len(rows) < 2 or not row.relation_cycle_reason):
        yield _tie(f"{state!r} without two rows and a reason", "name both patterns and the rows that show them")


def _tie(problem: str, remedy: str) -> Fault:
    return "warning", "tie-break", problem, remedy


TIE_BREAKS: Final[tuple[Callable[[Episode, Row], Iterator[Fault]], ...]] = (
    yielding_moves,
    moves_of_few_words,
    invitations_to_talk_directly,
    states_that_need_two,
)
