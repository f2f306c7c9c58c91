"""Plots of a corpus: how labels follow each other, and how emotion moves through an episode. PNG and SVG, without a display."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from rescue_agent.errors import InputError
from rescue_agent.files import replacing
from rescue_agent.schema import Episode
from rescue_agent.taxonomy import SCENARIOS, UTTERANCE_TYPE_NAMES, Scenario, pattern_names, strategy_names

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS: Final = ("png", "svg")
PARTS: Final = 10
"""An emotion arc has so many parts of equal length."""


def label_sequences(episodes: Sequence[Episode], scenario: Scenario) -> Iterator[tuple[str, tuple[str, ...], list[list[str]]]]:
    """Yield (name, labels, a sequence of known labels an episode) for patterns, moves and utterance types of a scenario."""
    own = [episode for episode in episodes if episode.scenario == scenario]
    kinds = {
        "patterns": (pattern_names(scenario), [[row.relation_cycle_state for row in e.rows] for e in own]),
        "moves": (strategy_names(scenario), [[m.strategy_type for row in e.rows for m in row.support_strategy] for e in own]),
        "utterance_types": (UTTERANCE_TYPE_NAMES, [[row.utterance_type for row in e.rows] for e in own]),
    }
    for name, (labels, sequences) in kinds.items():
        yield name, labels, [[label for label in sequence if label in labels] for sequence in sequences]


def transitions(labels: Sequence[str], sequences: Sequence[Sequence[str]]) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Counts, shape (labels, labels): entry (i, j) is how often label j comes next after label i within an episode."""
    counts = Counter(pair for sequence in sequences for pair in pairwise(sequence))
    return np.array([[counts[a, b] for b in labels] for a in labels], dtype=np.int64).reshape(len(labels), len(labels))


def emotion_arc(episode: Episode) -> list[float | None]:
    """Mean intensity (0-10) of participants' own emotions in each tenth of the episode's rows; None where a tenth has none."""
    parts: list[list[float]] = [[] for _ in range(PARTS)]
    for i, row in episode.client_rows():
        parts[i * PARTS // len(episode.rows)] += [
            e.intensity for e in row.internal_emotion if e.intensity is not None and e.person == row.primary_speaker
        ]
    return [sum(values) / len(values) if values else None for values in parts]


def save_plots(episodes: Sequence[Episode], folder: Path) -> list[Path]:
    """Save every plot for which there is something to show, as PNG and SVG.

    Returns:
        The files written: `transitions_{patterns,moves,utterance_types}_SCENARIO` and `emotion_arcs_SCENARIO`.

    Raises:
        InputError: when nothing is annotated, or the folder cannot be written.
    """
    import matplotlib

    try:
        folder.mkdir(parents=True, exist_ok=True)
        # no fonts embedded, and the same bytes on every run
        with matplotlib.rc_context({"svg.hashsalt": "rescue-agent", "svg.fonttype": "none", "font.size": 9}):
            written = [path for name, figure in _figures(episodes) for path in _save(figure, folder / name)]
    except OSError as error:
        raise InputError.at(str(folder), f"cannot be written ({error.strerror})", "name a folder that you can write") from None
    if not written:
        raise InputError("nothing to plot: no labels that follow each other, and no emotions with an intensity")
    return written


def _figures(episodes: Sequence[Episode]) -> Iterator[tuple[str, "Figure"]]:
    for scenario in SCENARIOS:
        for kind, labels, sequences in label_sequences(episodes, scenario):
            counts = transitions(labels, sequences)
            if counts.any():
                yield (
                    f"transitions_{kind}_{scenario}",
                    _heat_map(counts, labels, f"{scenario}: {kind.replace('_', ' ')}, what follows what"),
                )
        arcs = [arc for episode in episodes if episode.scenario == scenario and any(arc := emotion_arc(episode))]
        if arcs:
            yield f"emotion_arcs_{scenario}", _arcs(arcs, f"{scenario}: emotion through an episode")


def _heat_map(counts: np.ndarray[tuple[int, int], np.dtype[np.int64]], labels: Sequence[str], title: str) -> "Figure":
    """Rows are the earlier label, columns the next; the colour is the share of its row, the number the count."""
    from matplotlib.figure import Figure

    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    figure = Figure(figsize=(2.6 + 0.6 * len(labels), 2.2 + 0.5 * len(labels)), layout="constrained")
    axes = figure.add_subplot()
    image = axes.imshow(shares, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    axes.set_xticks(range(len(labels)), labels, rotation=45, ha="right")
    axes.set_yticks(range(len(labels)), labels)
    axes.set(xlabel="next", ylabel="earlier", title=title)
    for (i, j), n in np.ndenumerate(counts):
        if n:
            axes.text(j, i, str(n), ha="center", va="center", color="white" if shares[i, j] > 0.6 else "black")
    figure.colorbar(image, label="share of the earlier label")
    return figure


def _arcs(arcs: Sequence[Sequence[float | None]], title: str) -> "Figure":
    """A thin line an episode, a thick one for their mean."""
    from matplotlib.figure import Figure

    values = np.array(arcs, dtype=float)
    middles = (np.arange(PARTS) + 0.5) * 100 / PARTS
    seen = ~np.isnan(values).all(axis=0)
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    for arc in values:
        known = ~np.isnan(arc)
        axes.plot(middles[known], arc[known], color="tab:blue", alpha=0.08 + 0.6 / len(values) ** 0.5, linewidth=1)
    axes.plot(middles[seen], np.nanmean(values[:, seen], axis=0), color="tab:red", linewidth=2.5, label=f"mean of {len(values)} episodes")
    axes.set(xlim=(0, 100), ylim=(0, 10), xlabel="% of the episode's turns", ylabel="mean intensity (0-10)", title=title)
    axes.legend()
    return figure


def _save(figure: "Figure", stem: Path) -> Iterator[Path]:
    for kind in FORMATS:
        path = stem.with_name(f"{stem.name}.{kind}")
        with replacing(path) as temporary:
            figure.savefig(temporary, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else {"Software": None})
        yield path
