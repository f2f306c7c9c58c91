"""A trained recogniser of moves: which move do a supporter's words carry out? It reads the words alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from rescue_agent.corpus.moves import supporter_move
from rescue_agent.embedding import Embedder
from rescue_agent.engines.embedded.estimators import fit_classifier
from rescue_agent.engines.embedded.heads import Array, LinearHead
from rescue_agent.engines.embedded.lexicon import LEXICAL, lexical_features
from rescue_agent.moment import Moment
from rescue_agent.neutral import neutral_text
from rescue_agent.schema import Episode
from rescue_agent.taxonomy import SCENARIOS, Scenario, strategy_names

_STRENGTH: Final = 3.0
_SCALE: Final = 2.0


@dataclass(frozen=True)
class Recogniser:
    """A head a scenario."""

    heads: Mapping[Scenario, LinearHead]
    embedder: Embedder

    def ranking(self, scenario: Scenario, words: str, names: Sequence[str]) -> list[str]:
        """The moves of `scenario`, likeliest first."""
        head = self.heads[scenario]
        order = np.argsort(-head.scores(_features([words], names, self.embedder))[0], kind="stable")
        return [head.labels[i] for i in order]


def fit_recogniser(episodes: Sequence[Episode], embedder: Embedder) -> Recogniser:
    """A recogniser from the supporter's rows with a move.

    Raises:
        InputError: when a scenario has fewer than two moves in `episodes`.
    """
    heads = {scenario: _fit([e for e in episodes if e.scenario == scenario], scenario, embedder) for scenario in SCENARIOS}
    return Recogniser(heads, embedder)


def _fit(episodes: Sequence[Episode], scenario: Scenario, embedder: Embedder) -> LinearHead:
    found: list[Array] = [np.zeros((0, embedder.dimension + len(LEXICAL)), dtype=np.float32)]
    ys: list[str] = []
    for episode in episodes:
        names = Moment.at(episode, len(episode.rows), with_current=False).participants
        moves = [(row.dialogue_cleaned, move[0]) for row in episode.rows if (move := supporter_move(episode, row))]
        if moves:
            found.append(_features([words for words, _ in moves], names, embedder))
            ys.extend(label for _, label in moves)
    return fit_classifier(np.concatenate(found), ys, strategy_names(scenario), _STRENGTH, f"the recogniser of {scenario} moves")


def _features(texts: Sequence[str], names: Sequence[str], embedder: Embedder) -> Array:
    neutral = [neutral_text(text, names) for text in texts]
    return np.concatenate([embedder.encode(neutral) * _SCALE, np.stack([lexical_features(text) for text in neutral])], axis=1)
