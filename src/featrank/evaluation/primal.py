r"""Linear SVMs with squared hinge loss for many C, by Newton's method on the weights.

.. math:: \min_{w, b}\; \tfrac12 (\lVert w \rVert^2 + b^2)
          + C \sum_i \max(0, 1 - y_i (w^\top x_i + b))^2

is what ``LinearSVC(dual=False)`` minimises too. Between two changes of the set of rows inside the
margin the objective is a parabola, so that a Newton step from the right set ends in the minimum
itself; from one C to the next few rows change, and the products of the others are kept.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Steps for one C: far more than are needed, and an end in any case.
MOST_STEPS = 100
SMALLEST_STEP = 1e-6


def squared_hinge_path(X: Floats, y: Floats, values: Sequence[float]) -> Floats:
    """Return the weights for each C, the intercept last; ``y`` is +1 or -1.

    Examples
    --------
    >>> X = np.array([[-2.0], [-1.0], [1.0], [2.0]])
    >>> squared_hinge_path(X, np.array([-1.0, -1, 1, 1]), [0.1, 10]).round(3)
    array([[0.4  , 0.   ],
           [0.976, 0.   ]])
    """
    rows = np.column_stack([X, np.ones(len(X))]) * y[:, None]
    inside = _Inside(rows)
    weights = np.zeros(rows.shape[1])
    path = np.empty((len(values), len(weights)))
    for number, C in enumerate(values):
        path[number] = weights = _minimum(rows, inside, weights, C)
    return path


def _minimum(rows: Floats, inside: _Inside, weights: Floats, C: float) -> Floats:
    """Return the weights that minimise the objective, from those of another C on."""
    gaps = 1 - rows @ weights
    for _ in range(MOST_STEPS):
        inside.set_to(gaps > 0)
        target = inside.minimum(C)
        weights, gaps, arrived = _towards(rows, weights, target, gaps, C)
        if arrived and np.array_equal(gaps > 0, inside.mask):
            break
    return weights


def _towards(
    rows: Floats, weights: Floats, target: Floats, gaps: Floats, C: float
) -> tuple[Floats, Floats, bool]:
    """Go to the target, or as far on the way as the objective falls; tell whether all the way."""
    before, share = _objective(weights, gaps, C), 1.0
    aims = 1 - rows @ target
    while share > SMALLEST_STEP:
        reached = weights + share * (target - weights)
        left = gaps + share * (aims - gaps)
        if _objective(reached, left, C) <= before:
            return reached, left, share == 1.0
        share /= 2
    # Nothing is to be gained but roundings.
    return target, aims, True


def _objective(weights: Floats, gaps: Floats, C: float) -> float:
    hinge = np.maximum(gaps, 0)
    return float(weights @ weights / 2 + C * (hinge @ hinge))


class _Inside:
    """The rows inside the margin: their products, kept up as the set changes."""

    def __init__(self, rows: Floats):
        self.rows, self.mask = rows, np.ones(len(rows), bool)
        self.products, self.sums = rows.T @ rows, rows.sum(axis=0)

    def set_to(self, mask: NDArray[np.bool_]) -> None:
        """Make these the rows inside."""
        entered, left = self.rows[mask & ~self.mask], self.rows[self.mask & ~mask]
        if len(entered) + len(left) < np.count_nonzero(mask):
            self.products = self.products + entered.T @ entered - left.T @ left
            self.sums = self.sums + entered.sum(axis=0) - left.sum(axis=0)
        else:
            inside = self.rows[mask]
            self.products, self.sums = inside.T @ inside, inside.sum(axis=0)
        self.mask = mask

    def minimum(self, C: float) -> Floats:
        """Return the minimum of the parabola: (I + 2C·RᵀR) w = 2C·Rᵀ1."""
        from scipy.linalg import LinAlgError, cho_factor, cho_solve, lstsq

        matrix, sums = 2 * C * self.products, 2 * C * self.sums
        matrix.flat[:: len(matrix) + 1] += 1
        try:
            return np.asarray(cho_solve(cho_factor(matrix), sums, check_finite=False))
        except LinAlgError:
            # Columns of very different sizes: roundings have eaten the unit matrix.
            return np.asarray(lstsq(matrix, sums)[0])
