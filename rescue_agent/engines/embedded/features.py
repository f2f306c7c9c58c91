"""Features of a moment for each decision, from the readings of its utterances.

Everything here is symmetric in the participants: nothing depends on their names, gender or order in the list. What differs
between two people is only what they said, to whom, and when.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from rescue_agent.engines.embedded.heads import Array
from rescue_agent.engines.embedded.lexicon import LEXICAL
from rescue_agent.engines.embedded.reading import VECTOR_SCALE, Reading
from rescue_agent.taxonomy import GROUP_LABEL, SUPPORTER, UTTERANCE_TYPE_NAMES

WINDOW: Final = 8
"""How many utterances back a window looks."""
DECAY: Final = 0.8
"""Weight of an utterance against the one after it, within a window."""
_N_TYPES: Final = len(UTTERANCE_TYPE_NAMES)


def _decayed_mean(vectors: Sequence[Array], width: int) -> Array:
    """Mean of `vectors` (oldest first), each weighted `DECAY` times the next; zeros of `width` when there is none."""
    if not vectors:
        return np.zeros(width, dtype=np.float32)
    weights = DECAY ** np.arange(len(vectors) - 1, -1, -1, dtype=np.float32)
    return np.asarray(np.average(np.stack(vectors), axis=0, weights=weights), dtype=np.float32)


def _array(*values: float) -> Array:
    return np.array(values, dtype=np.float32)


def window_features(readings: Sequence[Reading], dimension: int, size: int = WINDOW) -> Array:
    """What went on in the last `size` utterances: for the pattern, and as a part of every other window decision.

    Decayed mean embedding of the clients and of the supporter, decayed mean of utterance types, the widest and narrowest type profile
    over the speakers, heat, and how the turns went.
    """
    window = readings[-size:]
    clients = [r for r in window if not r.utterance.by_supporter]
    supporter = [r for r in window if r.utterance.by_supporter]
    return np.concatenate(
        [
            _decayed_mean([r.vector for r in clients], dimension) * VECTOR_SCALE,
            _decayed_mean([r.vector for r in supporter[-2:]], dimension) * VECTOR_SCALE,
            _decayed_mean([r.types for r in clients], _N_TYPES),
            *_speaker_extremes(clients),
            _heat(clients),
            _turn_taking(window),
        ]
    )


def _speaker_extremes(clients: Sequence[Reading]) -> tuple[Array, Array]:
    """Elementwise maximum and minimum of the speakers' type profiles: who differs, without saying who is who."""
    speakers = dict.fromkeys(r.speaker for r in clients)
    profiles = [_decayed_mean([r.types for r in clients if r.speaker == speaker], _N_TYPES) for speaker in speakers]
    stacked = np.stack(profiles) if profiles else np.zeros((1, _N_TYPES), dtype=np.float32)
    return stacked.max(axis=0), stacked.min(axis=0)


def _heat(clients: Sequence[Reading]) -> Array:
    """Mean, maximum, and trend of intensity; gap between speakers. All on 0-1 but the trend."""
    values = [r.intensity / 10 for r in clients] or [0.0]
    speakers = dict.fromkeys(r.speaker for r in clients)
    means = [float(np.mean([r.intensity / 10 for r in clients if r.speaker == s])) for s in speakers] or [0.0]
    half = len(values) // 2
    trend = float(np.mean(values[half:]) - np.mean(values[:half])) if half else 0.0
    return _array(float(np.mean(values)), max(values), trend, max(means) - min(means))


def _turn_taking(window: Sequence[Reading]) -> Array:
    """Shares of the window: supporter rows, direct talk, changes of speaker, the busiest speaker's rows and words; number of speakers."""
    n = max(1, len(window))
    clients = [r for r in window if not r.utterance.by_supporter]
    speakers = dict.fromkeys(r.speaker for r in clients)
    words = sorted(sum(len(r.utterance.text.split()) for r in clients if r.speaker == s) for s in speakers) or [0]
    rows = sorted(sum(r.speaker == s for r in clients) for s in speakers) or [0]
    changes = sum(a.speaker != b.speaker for a, b in pairwise(clients))
    direct = sum(_is_direct(r) for r in clients)
    return _array(
        1 - len(clients) / n,
        direct / n,
        changes / n,
        rows[-1] / max(1, len(clients)),
        words[-1] / max(1, sum(words)),
        min(len(speakers), 4) / 4,
    )


def _is_direct(reading: Reading) -> bool:
    """Whether a participant speaks to another one, not to the supporter."""
    _, _, to_one = reading.base[-3:]
    return bool(to_one)


def rows_since(readings: Sequence[Reading], speaker: str) -> int:
    """How many utterances ago `speaker` spoke last: 0 for the last one; the number of all when never."""
    return next((i for i, r in enumerate(reversed(readings)) if r.speaker == speaker), len(readings))


def rows_held(readings: Sequence[Reading]) -> int:
    """How many utterances the supporter has let pass; the number of all when it never spoke."""
    return rows_since(readings, SUPPORTER)


def intervention_features(readings: Sequence[Reading], n_participants: int, dimension: int) -> Array:
    """For ITP, after the last reading: the utterance, the one before, how long the supporter has held, the window without embeddings."""
    last = readings[-1]
    before = readings[-2].full[dimension:] if len(readings) > 1 else np.zeros_like(last.full[dimension:])
    held = rows_held(readings)
    return np.concatenate(
        [
            last.full,
            before,
            window_features(readings, dimension)[2 * dimension :],
            _array(min(held, 8) / 8, held >= 1, held >= 2, held >= 3, held >= 5, n_participants / 5, len(readings) > held),
        ]
    )


def target_features(readings: Sequence[Reading], candidate: str, participants: Sequence[str]) -> Array:
    """For STP: one candidate, seen against the others. Participants and the group label share no weights but the bias block."""
    if candidate in GROUP_LABEL.values():
        group = _group_candidate(readings, candidate, len(participants))
        return np.concatenate([np.zeros(_PERSON_WIDTH, dtype=np.float32), group])
    person = _person_candidate(readings, candidate, len(participants))
    return np.concatenate([person, np.zeros(_GROUP_WIDTH, dtype=np.float32)])


_PERSON_WIDTH: Final = 16 + _N_TYPES
_GROUP_WIDTH: Final = 10


def _person_candidate(readings: Sequence[Reading], name: str, n_participants: int) -> Array:
    clients = [r for r in readings if not r.utterance.by_supporter]
    supporter = [r for r in readings if r.utterance.by_supporter]
    own = [r for r in clients if r.speaker == name]
    last = readings[-1] if readings else None
    words = sum(len(r.utterance.text.split()) for r in clients)
    own_words = sum(len(r.utterance.text.split()) for r in own)
    since = rows_since(readings, name)
    previous = clients[-2] if len(clients) > 1 else None
    return np.concatenate(
        [
            own[-1].types if own else np.zeros(_N_TYPES, dtype=np.float32),
            _array(
                last is not None and last.speaker == name,
                bool(clients) and clients[-1].speaker == name,
                previous is not None and previous.speaker == name,
                last is not None and name in last.utterance.target,
                last is not None and _mentions(last, name),
                last is not None and last.speaker == name and bool(last.base[-3]),
                last is not None and last.speaker == name and bool(last.base[-1]),
                min(since, 8) / 8,
                since >= 4,
                not own,
                own_words / max(1, words) - 1 / max(1, n_participants),
                own[-1].intensity / 10 if own else 0.0,
                bool(supporter) and name in supporter[-1].utterance.target,
                bool(supporter) and name in supporter[-1].utterance.target and rows_since(readings, name) < rows_held(readings),
                sum(name in r.utterance.target for r in supporter[-4:]) / 4,
                n_participants / 5,
            ),
        ]
    )


def _mentions(reading: Reading, name: str) -> bool:
    return name.casefold() in reading.utterance.text.casefold()


def _group_candidate(readings: Sequence[Reading], label: str, n_participants: int) -> Array:
    clients = [r for r in readings if not r.utterance.by_supporter]
    supporter = [r for r in readings if r.utterance.by_supporter]
    recent = clients[-3:]
    return _array(
        1.0,
        n_participants / 5,
        sum(_is_direct(r) for r in recent) / 3,
        len({r.speaker for r in recent}) / 3,
        min(rows_held(readings), 8) / 8,
        max((r.intensity for r in recent), default=0.0) / 10,
        bool(supporter) and label in supporter[-1].utterance.target,
        sum(label in r.utterance.target for r in supporter[-4:]) / 4,
        not clients,
        bool(readings) and readings[-1].utterance.by_supporter,
    )


def strategy_features(readings: Sequence[Reading], target: str, participants: Sequence[str], dimension: int) -> Array:
    """For SSP: the window, the last utterance, and how the target stands in it."""
    last = readings[-1].full if readings else np.zeros(dimension + len(LEXICAL) + 3 + _N_TYPES + 1, dtype=np.float32)
    return np.concatenate([window_features(readings, dimension), last, target_features(readings, target, participants)])


def viewpoint_features(readings: Sequence[Reading], other: str, n_participants: int) -> Array:
    """For VP, of the speaker of the last reading about `other`: the utterance, and how `other` is present in it."""
    last = readings[-1]
    addressed, mentioned = other in last.utterance.target, _mentions(last, other)
    before = [r for r in readings[:-1] if not r.utterance.by_supporter]
    others = max(1, n_participants - 1)
    flags = _array(
        addressed,
        mentioned,
        bool(before) and before[-1].speaker == other,
        rows_since(readings, other) <= 3,
        1 / others,
        addressed or mentioned or others == 1,
    )
    return np.concatenate([flags, last.full[-(_N_TYPES + 1) :], last.base * float(flags[5]), last.base * float(1 - flags[5]) * 0.5])


def recall_vector(vectors: Sequence[Array] | Array) -> Array:
    """Where a moment lies in memory: decayed mean embedding of its last four utterances, L2-normalised; zeros when there is none."""
    mean = _decayed_mean(list(vectors[-4:]), 0)
    norm = float(np.linalg.norm(mean))
    return np.asarray(mean / norm, dtype=np.float32) if norm else mean
