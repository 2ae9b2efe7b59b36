"""Ridge regressions for all penalties at once, trained on some rows and scored on others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats
from featrank.solvers.linear_svm import Part
from featrank.values.numbers import by_power_of_two

Scorer = Callable[[Floats, Floats], Floats]

# Products may be this much larger than the ridge. Then nine digits of the weights are correct.
MOST = 1e7


def r_squared(predicted: Floats, y: Floats) -> Floats:
    """Return R² of each row of predictions: 1 is exact, 0 no better than the mean of y.

    NaN if y is constant, and -inf if errors overflow.

    Examples
    --------
    >>> r_squared(np.array([[1.0, 2.0, 3.0], [2.0, 2.0, 2.0]]), np.array([1.0, 2.0, 3.0]))
    array([1., 0.])
    """
    if y.min() == y.max():
        return np.full(len(predicted), np.nan)
    own, exponent = by_power_of_two(y)
    with np.errstate(over="ignore"):
        missed = np.sum((np.ldexp(predicted, -exponent) - own) ** 2, axis=1)
    return np.asarray(1 - missed / np.sum((own - own.mean()) ** 2))


def ridge_path(train: Floats, y: Floats, rest: Floats, penalties: Sequence[float]) -> Floats:
    r"""Return predictions for the rest, one row per penalty.

    .. math:: \min_{w, b}\ \frac1T \sum_t (y_t - w^\top x_t - b)^2 + \lambda \lVert w \rVert^2

    is solved exactly, from products shared by all penalties.

    Parameters
    ----------
    train, rest : ndarray of shape (n_rows, n_features)
        Standardised by the training rows.
    y : ndarray of shape (n_rows of train,)
        The target.
    penalties : sequence of float
        Values of λ. As features are standardised, 1 halves the weight of a single feature.

    Examples
    --------
    >>> train, y = np.array([[-1.0], [1.0]]), np.array([0.0, 4.0])
    >>> ridge_path(train, y, np.array([[2.0]]), [1.0, 0.0])
    array([[4.], [6.]])
    """
    middle, mean = train.mean(axis=0), y.mean()
    weights = _weights(train - middle, y - mean, [len(y) * penalty for penalty in penalties])
    return mean + weights @ (rest - middle).T


def _weights(rows: Floats, y: Floats, ridges: Sequence[float]) -> Floats:
    """Return the weights for centred rows, one row per ridge.

    Products of features, or of rows if there are fewer, are much faster than singular values. But
    as they are squares, too few digits are left if the penalty is small in comparison.
    """
    wide = rows.shape[0] < rows.shape[1]
    products = rows @ rows.T if wide else rows.T @ rows
    if not np.linalg.norm(products) <= MOST * min(ridges):
        return _weights_by_singular_values(rows, y, ridges)
    right = y if wide else rows.T @ y
    found = np.array([_solved(products, ridge, right) for ridge in ridges])
    return found @ rows if wide else found


def _solved(products: Floats, ridge: float, right: Floats) -> Floats:
    from scipy.linalg import cho_factor, cho_solve

    system = products.copy()
    np.fill_diagonal(system, products.diagonal() + ridge)
    factor = cho_factor(system, overwrite_a=True, check_finite=False)
    return np.asarray(cho_solve(factor, right, check_finite=False))


def _weights_by_singular_values(rows: Floats, y: Floats, ridges: Sequence[float]) -> Floats:
    left, sizes, right = np.linalg.svd(rows, full_matrices=False)
    kept = sizes > np.finfo(np.float64).eps * len(y) * sizes.max(initial=0.0)
    left, sizes, right = left[:, kept], sizes[kept], right[kept]
    return (np.array([sizes / (sizes**2 + ridge) for ridge in ridges]) * (left.T @ y)) @ right


class RidgeRegression:
    """Ridge regressions for all penalties, scored on the held-out rows by R² or another metric."""

    def __init__(self, penalties: Sequence[float], scorer: Scorer = r_squared):
        self.settings = tuple({"penalty": value} for value in penalties)
        self.scorer = scorer

    def scores(self, part: Part, columns: NDArray[np.integer], settings: Any) -> Floats:
        """Return one score per setting, for any unit of the target."""
        # In column order, so that equal sets of features have equal scores.
        train, rest = part.scaled(np.sort(columns))
        penalties = [setting["penalty"] for setting in settings]
        both, _ = by_power_of_two(np.concatenate([part.train_y, part.rest_y]))
        train_y, rest_y = np.split(both, [len(train)])
        return self.scorer(ridge_path(train, train_y, rest, penalties), rest_y)
