"""Linear SVMs with squared hinge loss on many rows, by Newton's method in the weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats

# Some ten steps are usual; each ends at the lowest point of its line, so that none is lost.
MOST_STEPS = 200


def squared_hinge_path(X: Floats, y: Floats, costs: Sequence[float]) -> Floats:
    r"""Return the weights and the intercept of a linear SVM for each cost C, one row each.

    .. math:: \min_{w, b}\ \tfrac12 (\lVert w \rVert^2 + b^2)
        + C \sum_t \max(0,\ 1 - y_t (w^\top x_t + b))^2

    for y of -1 and 1: what ``sklearn.svm.LinearSVC(dual=False)`` minimises. While the rows inside
    of the margin stay the same this is ridge regression on them, solved by one factorisation of a
    matrix of the features' size; that matrix changes by the rows that enter or leave the margin.
    Each cost starts from the solution of the one before [1]_.

    References
    ----------
    .. [1] S. S. Keerthi and D. DeCoste, "A modified finite Newton method for fast solution of
       large scale linear SVMs", Journal of Machine Learning Research 6 (2005).

    Examples
    --------
    >>> X, y = np.array([[0.0], [1.0], [3.0], [4.0]]), np.array([-1.0, -1.0, 1.0, 1.0])
    >>> squared_hinge_path(X, y, [0.1, 10.0]).round(3)
    array([[ 0.251, -0.223],
           [ 0.891, -1.738]])
    """
    solver = _Solver(np.column_stack([X, np.ones(len(X))]) * y[:, None])
    return np.array([solver.solve(cost) for cost in costs])


class _Solver:
    """The last solution, and the products of the rows inside of its margin."""

    def __init__(self, rows: Floats):
        self.rows = rows
        self.weights = np.zeros(rows.shape[1])
        self.margins = np.zeros(len(rows))
        self.inside = np.ones(len(rows), dtype=bool)
        self.products = rows.T @ rows

    def solve(self, cost: float) -> Floats:
        """Go on from the last solution to that for another cost."""
        for _ in range(MOST_STEPS):
            target = self._ridge(cost)
            margins = self.rows @ target
            if np.array_equal(margins < 1, self.inside):
                self.weights, self.margins = target, margins
                break
            step, change = target - self.weights, margins - self.margins
            length = _lowest(self.weights, step, self.margins, change, cost)
            self.weights = self.weights + length * step
            self.margins = self.margins + length * change
            if not self._moved(self.margins < 1):
                break
        return self.weights

    def _ridge(self, cost: float) -> Floats:
        """Return the best weights for the rows that are inside of the margin now."""
        from scipy.linalg.lapack import dposv

        matrix = self.products.copy()
        matrix.flat[:: len(matrix) + 1] += 1 / (2 * cost)
        wanted = self.inside @ self.rows
        _, found, failed = dposv(matrix, wanted)
        # Only for a cost so large that rounding hides its term.
        return np.asarray(np.linalg.lstsq(matrix, wanted)[0] if failed else found)

    def _moved(self, inside: NDArray[np.bool_]) -> bool:
        """Add the rows that entered the margin, drop those that left; return whether any did."""
        entered, left = self.rows[inside & ~self.inside], self.rows[self.inside & ~inside]
        changed = len(entered) + len(left)
        self.inside = inside
        if changed < inside.sum():
            self.products += entered.T @ entered - left.T @ left
        else:
            rows = self.rows[inside]
            self.products = rows.T @ rows
        return changed > 0


def _lowest(weights: Floats, step: Floats, margins: Floats, change: Floats, cost: float) -> float:
    """Return how many steps lead to the lowest value on the line.

    The derivative on the line is piecewise linear and rising, with a knee where a row's margin
    passes 1.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        knees = (1 - margins) / change
    order = np.flatnonzero(knees > 0)
    order = order[np.argsort(knees[order], kind="stable")]
    slack, rate, knees = (1 - margins)[order], change[order], knees[order]
    entering = np.where(rate < 0, 2 * cost, -2 * cost)
    inside = (margins < 1) | ((margins == 1) & (change < 0))
    value = step @ weights - 2 * cost * ((1 - margins) @ (change * inside))
    slope = step @ step + 2 * cost * (change @ (change * inside))
    values = value - np.concatenate([[0.0], np.cumsum(entering * slack * rate)])
    slopes = slope + np.concatenate([[0.0], np.cumsum(entering * rate**2)])
    place = np.argmax(np.append(values[:-1] + slopes[:-1] * knees >= 0, True))
    return float(-values[place] / slopes[place])
