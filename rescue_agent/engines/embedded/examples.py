"""Training examples for every head, out of read episodes: the same views of a row that the engine has when it decides."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rescue_agent.corpus.moves import supporter_move
from rescue_agent.engines.embedded import features
from rescue_agent.engines.embedded.heads import Array
from rescue_agent.engines.embedded.reading import Reading
from rescue_agent.neutral import neutral_text
from rescue_agent.schema import Episode, Row
from rescue_agent.taxonomy import UTTERANCE_TYPE_NAMES, pattern_names


@dataclass(frozen=True)
class ReadEpisode:
    """An episode and the readings of its rows."""

    episode: Episode
    names: tuple[str, ...]
    readings: tuple[Reading, ...]

    def rows(self) -> Iterator[tuple[int, Row]]:
        """Yield (position, row)."""
        return enumerate(self.episode.rows)


def type_examples(read: Sequence[ReadEpisode]) -> Iterator[tuple[Array, str]]:
    """Utterance types: what is said in a client row, and its type."""
    for item in read:
        for row, reading in zip(item.episode.rows, item.readings, strict=True):
            if not row.by_supporter and row.utterance_type in UTTERANCE_TYPE_NAMES:
                yield reading.base, row.utterance_type


def own_intensity(row: Row) -> float:
    """Intensity of the first emotion that the speaker has in this row; NaN where there is none."""
    own = (e.intensity for e in row.internal_emotion if e.person == row.primary_speaker and e.intensity is not None)
    return next(own, float("nan"))


def emotion_pairs(read: Sequence[ReadEpisode]) -> Iterator[tuple[Reading, str]]:
    """ER: what is read in a client row, and the neutral wording of its speaker's emotion."""
    for item in read:
        for row, reading in zip(item.episode.rows, item.readings, strict=True):
            own = [e for e in row.internal_emotion if e.person == row.primary_speaker and e.emotion_description]
            if own and not row.by_supporter:
                yield reading, neutral_text(own[0].emotion_description, item.names)


def viewpoint_pairs(read: Sequence[ReadEpisode]) -> Iterator[tuple[Reading, str]]:
    """VP: what is read in a client row, and the neutral wording of each viewpoint of its speaker."""
    for item in read:
        for row, reading in zip(item.episode.rows, item.readings, strict=True):
            own = [v for v in row.viewpoints_attitudes if v.source == row.primary_speaker and v.viewpoint]
            if not row.by_supporter:
                yield from ((reading, neutral_text(v.viewpoint, item.names)) for v in own)


def pattern_examples(read: Sequence[ReadEpisode]) -> Iterator[tuple[Array, str]]:
    """RPP: the window before a labelled row, and its label."""
    for item in read:
        for i, row in item.rows():
            if row.relation_cycle_state in pattern_names(item.episode.scenario):
                yield features.window_features(item.readings[:i], len(item.readings[0].vector)), row.relation_cycle_state


def intervention_examples(read: Sequence[ReadEpisode]) -> Iterator[tuple[Array, str]]:
    """ITP: after each client row that has a next one, does the supporter speak?"""
    for item in read:
        for i, row in list(item.rows())[:-1]:
            if not row.by_supporter:
                x = features.intervention_features(item.readings[: i + 1], len(item.names), len(item.readings[0].vector))
                yield x, "speak" if item.episode.rows[i + 1].by_supporter else "hold"


def target_examples(read: Sequence[ReadEpisode]) -> Iterator[tuple[Array, int]]:
    """STP: features of every candidate before a supporter row with a strategy, and the position of the true one."""
    for item in read:
        for i, row in item.rows():
            move = supporter_move(item.episode, row)
            candidates = (*item.names, item.episode.group_label)
            if move and move[1] in candidates:
                x = [features.target_features(item.readings[:i], candidate, item.names) for candidate in candidates]
                yield np.stack(x), candidates.index(move[1])


def strategy_examples(read: Sequence[ReadEpisode]) -> Iterator[tuple[Array, str]]:
    """SSP: the window and the true target, and the strategy."""
    for item in read:
        for i, row in item.rows():
            move = supporter_move(item.episode, row)
            if move:
                yield features.strategy_features(item.readings[:i], move[1], item.names, len(item.readings[0].vector)), move[0]


def viewpoint_examples(read: Sequence[ReadEpisode]) -> Iterator[tuple[Array, str]]:
    """VP: for every client row and every other person present: is a viewpoint about them held?"""
    for item in read:
        for i, row in item.rows():
            seen = {v.target for v in row.viewpoints_attitudes if v.source == row.primary_speaker}
            for other in item.names if not row.by_supporter else ():
                if other != row.primary_speaker:
                    x = features.viewpoint_features(item.readings[: i + 1], other, len(item.names))
                    yield x, "held" if other in seen else "none"
