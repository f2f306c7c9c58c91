"""The estimators behind the heads: scikit-learn's, a conditional logit, and out-of-fold predictions by group."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rescue_agent.engines.embedded.heads import Array, LinearHead
from rescue_agent.errors import InputError

FOLDS: Final = 5


def fit_classifier(x: Array, y: Sequence[str], labels: Sequence[str], strength: float, what: str) -> LinearHead:
    """A multinomial logistic regression over `labels`; a label that `y` lacks gets a score that only its absence explains.

    Args:
        x: shape (n, n_features).
        strength: inverse regularisation, scikit-learn's C.

    Raises:
        InputError: when `y` has fewer than two labels.
    """
    from sklearn.linear_model import LogisticRegression

    if len(set(y)) < 2:
        raise InputError(f"cannot fit {what}: the episodes hold {len(set(y))} of its labels, at least 2 are needed; give more data")
    model = LogisticRegression(C=strength, max_iter=3000).fit(x.astype(np.float64), list(y))
    weights, bias = np.asarray(model.coef_), np.asarray(model.intercept_)
    if len(model.classes_) == 2:
        weights, bias = np.concatenate([-weights, weights]) / 2, np.concatenate([-bias, bias]) / 2
    # a label never seen: as unlikely as one half of an example makes it
    full_weights, full_bias = np.zeros((len(labels), x.shape[1])), np.full(len(labels), bias.mean() - np.log(2 * len(y)))
    for i, label in enumerate(model.classes_):
        full_weights[labels.index(label)], full_bias[labels.index(label)] = weights[i], bias[i]
    return LinearHead(tuple(labels), full_weights.astype(np.float32), full_bias.astype(np.float32))


def fit_ridge(x: Array, y: Array, penalty: float) -> tuple[Array, Array]:
    """Ridge regression of `y` (n, m) on `x` (n, d): weights (m, d) and bias (m,)."""
    from sklearn.linear_model import Ridge

    model = Ridge(alpha=penalty).fit(x.astype(np.float64), y.astype(np.float64))
    # scikit-learn drops the second axis when there is one output
    return np.atleast_2d(model.coef_).astype(np.float32), np.atleast_1d(model.intercept_).astype(np.float32)


def fit_choice(choices: Sequence[Array], chosen: Sequence[int], strength: float) -> LinearHead:
    """A conditional logit: P(c) = softmax over one instance's candidates of w . x_c.

    Args:
        choices: per instance an array (n_candidates, n_features).
        chosen: per instance the position of the true candidate.
        strength: inverse regularisation.
    """
    from scipy.optimize import minimize

    width, n = choices[0].shape[1], len(choices)
    most = max(len(c) for c in choices)
    x, mask = np.zeros((n, most, width)), np.full((n, most), -np.inf)
    for i, candidates in enumerate(choices):
        x[i, : len(candidates)], mask[i, : len(candidates)] = candidates, 0.0
    rows = np.arange(n)

    def loss(w: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores = x @ w + mask
        scores -= scores.max(axis=1, keepdims=True)
        probabilities = np.exp(scores)
        probabilities /= probabilities.sum(axis=1, keepdims=True)
        expected = np.einsum("nc,ncd->d", probabilities, x)
        fit_term = -np.log(probabilities[rows, chosen]).sum()
        return strength * fit_term + 0.5 * w @ w, strength * (expected - x[rows, chosen].sum(axis=0)) + w

    solution = minimize(loss, np.zeros(width), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return LinearHead((), solution.x[None, :].astype(np.float32), np.zeros(1, dtype=np.float32))


def out_of_fold(groups: Sequence[str], predict: Callable[[NDArray[np.intp], NDArray[np.intp]], Array], n: int, width: int) -> Array:
    """Predictions for every example by a model that never saw its group, shape (n, width).

    Args:
        predict: (training positions, test positions) -> predictions for the test positions.
    """
    from sklearn.model_selection import GroupKFold

    result = np.zeros((n, width), dtype=np.float32)
    folds = min(FOLDS, len(set(groups)))
    if folds < 2:
        everything = np.arange(n)
        return predict(everything, everything)
    for train, test in GroupKFold(folds).split(np.zeros(n), groups=list(groups)):
        result[test] = predict(train, test)
    return result
