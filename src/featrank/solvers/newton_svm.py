"""Linear SVMs with squared hinge loss on many rows, by Newton's method in the weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats

# About ten steps are usual. Each uses an exact line search.
MOST_STEPS = 200


def squared_hinge_path(X: Floats, y: Floats, costs: Sequence[float]) -> Floats:
    r"""Return the weights and the intercept of a linear SVM for each cost C, one row each.

    .. math:: \min_{w, b}\ \tfrac12 (\lVert w \rVert^2 + b^2)
        + C \sum_t \max(0,\ 1 - y_t (w^\top x_t + b))^2

    for y of -1 and 1, as in ``sklearn.svm.LinearSVC(dual=False)``. While the rows inside the margin
    stay the same, this is ridge regression on these rows, solved by one factorisation of an n × n
    matrix. The matrix is updated for rows that enter or leave the margin. Each cost starts from the
    solution for the previous one [1]_.

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
    """The last solution, and the products of the rows inside its margin."""

    def __init__(self, rows: Floats):
        self.rows = rows
        self.weights = np.zeros(rows.shape[1])
        self.margins = np.zeros(len(rows))
        self.inside = np.ones(len(rows), dtype=bool)
        self.products = rows.T @ rows

    def solve(self, cost: float) -> Floats:
        """Compute the solution for another cost, starting from the last one."""
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
        """Return the best weights for the rows currently inside the margin."""
        from scipy.linalg.lapack import dposv

        matrix = self.products.copy()
        matrix.flat[:: len(matrix) + 1] += 1 / (2 * cost)
        wanted = self.inside @ self.rows
        _, found, failed = dposv(matrix, wanted)
        # Only for a cost so large that rounding hides the penalty.
        return np.asarray(np.linalg.lstsq(matrix, wanted)[0] if failed else found)

    def _moved(self, inside: NDArray[np.bool_]) -> bool:
        """Add rows that entered the margin, drop rows that left, and return whether any did."""
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
    """Return the step length that minimises the objective on the line.

    The derivative on the line is piecewise linear and increasing, with a kink where a row's margin
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
