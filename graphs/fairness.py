"""How fair a session was: swap consistency of the engine at its moments, and the balance of who got the supporter's attention."""

from collections.abc import Iterator, Sequence
from typing import Final

from graphs.record import DecisionRecord
from rescue_agent.engines.protocol import Engine
from rescue_agent.engines.swaps import SwapConsistency, swap_consistency
from rescue_agent.moment import Mode, Moment, Utterance
from rescue_agent.safety.fairness import Balance, balance
from rescue_agent.schema import Episode
from rescue_agent.taxonomy import SUPPORTER

_ASKED: Final = {True: 60, False: 3}
"""Moments that are asked again with two people swapped: many of an engine that computes, few of one that is paid by the token."""


def session_notes(
    episode: Episode, records: Sequence[DecisionRecord], engine: Engine, mode: Mode, *, follows_script: bool
) -> Iterator[str]:
    """What a transcript says at its end, a line each."""
    own = engine.for_group(episode.group)
    yield swap_note(swap_consistency((own, moment) for moment in _some_moments(episode, mode, _ASKED[engine.deterministic])))
    if follows_script:
        yield balance_note("human supporter", balance(episode.participants, [Utterance.of(row) for row in episode.rows]))
    yield balance_note("agent", agent_balance(episode, records))


def agent_balance(episode: Episode, records: Sequence[DecisionRecord]) -> Balance:
    """The balance of the session in which the agent's replies stand in the place of the human supporter's."""
    by_row = {record.row_index: record for record in records}
    turns: list[Utterance] = []
    moves: list[str | None] = []
    for _, row in episode.client_rows():
        turns.append(Utterance.of(row))
        record = by_row.get(row.row_index)
        if record and record.reply:
            turns.append(Utterance(speaker=SUPPORTER, target=(record.target.best,), text=record.reply))
            moves.append(record.strategy.best)
    return balance(episode.participants, turns, moves)


def swap_note(swaps: SwapConsistency) -> str:
    """Swap consistency as a line."""
    parts = ", ".join(f"{swap} {swaps.alike[swap]}/{n}" for swap, n in swaps.n.items())
    return f"swap consistency: {parts}" + (f"; {swaps.failed} could not be asked" if swaps.failed else "")


def balance_note(who: str, found: Balance) -> str:
    """A balance as a line."""
    if found.index is None:
        return f"balance index, {who}: none yet"
    alarm = " (alarm: over 0.2)" if found.alarm else ""
    talk = ", ".join(f"{one.person} {one.talk_share:.0%}" for one in found.attention)
    return f"balance index, {who}: {found.index:.2f} over {found.supporter_turns} turns{alarm}; share of the talk: {talk}"


def _some_moments(episode: Episode, mode: Mode, count: int) -> list[Moment]:
    positions = [position for position, _ in episode.client_rows()]
    chosen = positions[:: max(1, -(-len(positions) // count))]
    return [Moment.at(episode, position, with_current=True, window=20, mode=mode) for position in chosen]
