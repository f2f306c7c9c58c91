r"""The relation state: directed edges between participants, and a forward filter over relation patterns.

**Edges.** When `s` speaks to or of `t`, with utterance-type probabilities :math:`p` and intensity :math:`u \in [0, 1]`, the edge
`s -> t` moves toward what the utterance shows, by the rate :math:`\eta` = `RATE`:

.. math::
    w &\leftarrow (1-\eta)\,w + \eta \sum_k p_k W_k \\
    h &\leftarrow (1-\eta)\,h + \eta\,(\tfrac12 + \tfrac12 u) \sum_k p_k H_k \\
    a &\leftarrow (1-\eta)\,a + \eta \sum_k p_k A_k

for warmth `w` in -1..1, tension `h` in 0..1 and alignment `a` in -1..1, with the tables `WARMTH`, `TENSION` and `ALIGNMENT`.

**Filter.** With belief :math:`b` over patterns, transition matrix :math:`T`, the pattern head's posterior :math:`q(y|x)` for the
window that ends in this row, and the training shares :math:`\pi(y)`, a row does

.. math:: b(y) \propto \Big(\sum_{y'} b(y')\,T_{y'y}\Big) \Big(\frac{q(y|x)}{\pi(y)}\Big)^{\alpha}

where :math:`q/\pi` is the scaled likelihood, and :math:`\alpha` tempers it since neighbouring windows share rows.
Both correspond to G^t and rho^t of the paper (section 3).
"""

from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rescue_agent.decisions import Edge, RelationState

Array = NDArray[np.float32]

RATE: Final = 0.35
WARMTH: Final[Mapping[str, float]] = {
    "accusation": -0.8,
    "defense": -0.3,
    "disclosure": 0.3,
    "request": 0.1,
    "reflection": 0.2,
    "repair": 0.8,
    "withdrawal": -0.4,
    "validation": 0.9,
}
TENSION: Final[Mapping[str, float]] = {"accusation": 1.0, "defense": 0.6, "request": 0.3, "withdrawal": 0.5, "disclosure": 0.2}
ALIGNMENT: Final[Mapping[str, float]] = {
    "accusation": -0.7,
    "defense": -0.6,
    "reflection": 0.3,
    "repair": 0.6,
    "withdrawal": -0.5,
    "validation": 1.0,
}


def move_edge(edge: Edge, types: Mapping[str, float], intensity: float, viewpoint: str = "") -> Edge:
    """The edge after one utterance along it.

    Args:
        types: utterance-type probabilities.
        intensity: of the speaker's emotion, 0-10.
        viewpoint: what the speaker thinks of the other by now; the earlier one stays when empty.
    """
    heat = 0.5 + 0.5 * intensity / 10
    return Edge(
        source=edge.source,
        target=edge.target,
        warmth=_toward(edge.warmth, _expected(types, WARMTH), -1),
        tension=_toward(edge.tension, heat * _expected(types, TENSION), 0),
        alignment=_toward(edge.alignment, _expected(types, ALIGNMENT), -1),
        viewpoint=viewpoint or edge.viewpoint,
    )


def _expected(types: Mapping[str, float], table: Mapping[str, float]) -> float:
    return sum(types.get(name, 0.0) * value for name, value in table.items())


def _toward(old: float, shown: float, low: float) -> float:
    return min(1.0, max(low, (1 - RATE) * old + RATE * shown))


def filter_step(belief: Array, transition: Array, posterior: Array, shares: Array, tempering: float) -> Array:
    """One step of the forward filter; every argument and the result are over the scenario's patterns (k,), `transition` is (k, k)."""
    weighed = (belief @ transition) * (posterior / shares) ** tempering
    return np.asarray(weighed / weighed.sum(), dtype=np.float32)


def with_edges(state: RelationState, edges: Iterable[Edge]) -> RelationState:
    """`state` with `edges` in the place of those between the same two people."""
    known = {(edge.source, edge.target): edge for edge in (*state.edges, *edges)}
    return state.model_copy(update={"edges": tuple(known.values())})
