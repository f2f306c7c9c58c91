"""What the supporter sees, as Plotly figures: emotions over time, the relation graph, and the pattern belief.

Figures carry no colour of text or ground: the page's style sheet sets both, in light and dark. Plotly reads some HTML in names and hover
texts, so every one of them is escaped. `uirevision` keeps what a reader has zoomed or hidden when new turns come.
"""

from collections.abc import Mapping, Sequence
from html import escape
from math import cos, pi, sin
from typing import Any, Final

import plotly.graph_objects as go
from plotly.colors import qualitative

from rescue_agent.decisions import Edge, EmotionEstimate, RelationState
from rescue_agent.moment import Correction
from rescue_agent.page.bubbles import COLOURS
from rescue_agent.page.tab_strings import Language, say

_COLD, _NEUTRAL, _WARM = (217, 95, 2), (140, 140, 140), (43, 123, 186)
"""Warmth -1, 0 and 1: orange, grey and blue, which the colour-blind can tell apart."""
_BEND: Final = 0.14
"""How far an edge leaves the straight line, so that its way back stands beside it."""
_HEIGHT: Final = 250


def emotions(
    read: Sequence[EmotionEstimate], told: Mapping[int, Correction], people: Sequence[str], language: Language = "en"
) -> go.Figure:
    """Intensity 0-10 over the turns, a line a person; what somebody said of themselves instead is a diamond.

    Args:
        read: the reading of every turn, in order.
        told: position in `read` -> its speaker's own word.
    """
    figure = _figure(say("seen.emotions", language), yaxis={"range": [-0.3, 10.5], "dtick": 5})
    for place, person in enumerate(people):
        own = [(at, told.get(at) or emotion) for at, emotion in enumerate(read) if emotion.person == person]
        if own:
            figure.add_scatter(
                x=[at + 1 for at, _ in own],
                y=[felt.intensity for _, felt in own],
                name=escape(person),
                mode="lines+markers",
                line={"color": COLOURS[place % len(COLOURS)], "width": 2},
                marker={
                    "size": [11 if at in told else 7 for at, _ in own],
                    "symbol": ["diamond" if at in told else "circle" for at, _ in own],
                },
                hovertext=[escape(f"{person}: {_felt(felt, language)}") for _, felt in own],
                hoverinfo="text",
            )
    return figure


def _felt(felt: EmotionEstimate | Correction, language: Language) -> str:
    key = "seen.told" if isinstance(felt, Correction) else "replay.of_ten"
    return say(key, language, words=felt.description, intensity=f"{felt.intensity:.0f}")


def patterns(beliefs: Sequence[Mapping[str, float]], language: Language = "en") -> go.Figure:
    """The probability of each pattern over the turns, stacked to 1; `beliefs` holds the label -> probability of every turn."""
    figure = _figure(say("seen.patterns", language), yaxis={"range": [0, 1], "tickformat": ".0%"})
    labels = sorted({label for belief in beliefs for label in belief})
    for place, label in enumerate(labels):
        shares = [belief.get(label, 0.0) for belief in beliefs]
        figure.add_scatter(
            x=list(range(1, len(beliefs) + 1)),
            y=shares,
            name=escape(label.replace("_", " ")),
            mode="lines+markers",
            marker={"size": 3},
            line={"width": 0.5, "color": qualitative.Safe[place % len(qualitative.Safe)]},
            stackgroup="belief",
            hovertemplate=f"{escape(label)} %{{y:.0%}}<extra></extra>",
        )
    return figure


def relation_graph(relation: RelationState | None, people: Sequence[str], language: Language = "en") -> go.Figure:
    """The people in a circle and how each stands to each other: an edge's colour is its warmth, its width the tension, and its hover text
    says both, with the latest viewpoint.
    """
    hidden = {"visible": False, "range": [-1.35, 1.35]}
    figure = _figure(
        say("seen.relation", language),
        margin={"l": 5, "r": 5, "t": 34, "b": 5},
        xaxis=hidden,
        yaxis={**hidden, "scaleanchor": "x"},
        showlegend=False,
    )
    places = {person: _place(number, len(people)) for number, person in enumerate(people)}
    for edge in relation.edges if relation else ():
        if edge.source in places and edge.target in places:
            _add_edge(figure, edge, places[edge.source], places[edge.target], language)
    figure.add_scatter(
        x=[x for x, _ in places.values()],
        y=[y for _, y in places.values()],
        text=[escape(person) for person in places],
        mode="markers+text",
        textposition=["bottom center" if y < 0 else "top center" for _, y in places.values()],
        marker={"size": 24, "color": [COLOURS[number % len(COLOURS)] for number in range(len(people))]},
        hoverinfo="skip",
    )
    return figure


def _place(number: int, count: int) -> tuple[float, float]:
    """Two stand side by side; more stand in a circle, the first at its top."""
    angle = pi - number * pi if count == 2 else pi / 2 - 2 * pi * number / count
    return cos(angle), sin(angle)


def _add_edge(figure: go.Figure, edge: Edge, start: tuple[float, float], end: tuple[float, float], language: Language) -> None:
    (x0, y0), (x1, y1) = start, end
    across, along = x1 - x0, y1 - y0
    bend = (x0 + across / 2 + _BEND * along, y0 + along / 2 - _BEND * across)
    colour, width = _colour(edge.warmth), 1.5 + 7 * edge.tension
    from_, to = (x0 + 0.12 * across, y0 + 0.12 * along), (x1 - 0.12 * across, y1 - 0.12 * along)
    line = {"color": colour, "width": width, "shape": "spline"}
    xs, ys = zip(from_, bend, to, strict=True)
    figure.add_scatter(x=xs, y=ys, mode="lines", line=line, hoverinfo="skip")
    figure.add_annotation(
        **{"x": to[0], "y": to[1], "ax": bend[0], "ay": bend[1], "axref": "x", "ayref": "y"},
        **{"arrowhead": 2, "arrowwidth": max(2.0, width / 2), "arrowcolor": colour, "showarrow": True, "text": ""},
    )
    marker = {"size": 16, "color": colour, "opacity": 0.35}
    figure.add_scatter(x=[bend[0]], y=[bend[1]], mode="markers", marker=marker, hovertext=_stands(edge, language), hoverinfo="text")


def _stands(edge: Edge, language: Language) -> str:
    numbers = say("seen.edge", language, warmth=f"{edge.warmth:+.2f}", tension=f"{edge.tension:.2f}", alignment=f"{edge.alignment:+.2f}")
    said = [f"{edge.source} → {edge.target}: {numbers}", edge.viewpoint]
    return "<br>".join(escape(text) for text in said if text)


def _colour(warmth: float) -> str:
    """The colour of a warmth on -1..1."""
    pole = _WARM if warmth > 0 else _COLD
    mixed = (round(middle + (end - middle) * min(1.0, abs(warmth))) for middle, end in zip(_NEUTRAL, pole, strict=True))
    return f"rgb({', '.join(map(str, mixed))})"


def _figure(title: str, **layout: Any) -> go.Figure:  # noqa: ANN401  (Plotly's own properties)
    figure = go.Figure()
    figure.update_layout(
        title={"text": title, "font": {"size": 14}, "x": 0.01, "y": 0.98},
        height=_HEIGHT,
        margin={"l": 40, "r": 10, "t": 34, "b": 30},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        legend={"orientation": "h", "y": -0.15, "font": {"size": 11}},
        dragmode=False,
        uirevision="keep",
        template="none",
    )
    figure.update_layout(**layout)
    return figure
