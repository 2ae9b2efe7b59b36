"""Linear programs of a separating hyperplane, by an interior-point method that ends in a vertex."""

from __future__ import annotations

import numpy as np

from featrank.kernels import Floats

MOST_STEPS = 60
# Extra steps after convergence, to separate 0 from small values.
TRIES = 8
# Fraction of the way to the nearest bound for a step.
SHORT = 0.9995
# Largest duality gap, and largest violation of a bound.
DUALITY_GAP, SLACK = 1e-10, 1e-9


def hinge_vertex(rows: Floats, price: Floats, penalty: Floats) -> tuple[Floats, Floats] | None:
    r"""Return the unique solution of a hyperplane's linear program and its dual, or None.

    .. math::
        \min_w \sum_t c_t \max(0, 1 - z_t^\top w) + \sum_j p_j |w_j|
        = \max_u \sum_t u_t, \quad 0 \le u \le c, \quad |Z^\top u| \le p

    The rows z hold the samples times their sign. A bias is a column with penalty 0. Mehrotra's
    method [1]_ approximates the solution. It then identifies rows on the margin and nonzero
    weights. If these determine each other, they give a vertex, which is returned if the primal and
    dual objectives agree. With several solutions, or more rows on the margin than a vertex needs,
    the result is None.

    References
    ----------
    .. [1] S. Mehrotra, "On the implementation of a primal-dual interior point method", SIAM
       Journal on Optimization 2 (1992).

    Examples
    --------
    >>> rows = np.array([[1.0, -1], [0.5, 1], [3, 1]])
    >>> weights, dual = hinge_vertex(rows, np.full(3, 0.5), np.array([0.2, 0.0]))
    >>> weights.round(6), dual.round(6)
    (array([1.333333, 0.333333]), array([0.133333, 0.133333, 0.      ]))
    """
    interior = _Interior(rows, price, penalty)
    tries = 0
    # Without a vertex, bounds are reached exactly.
    with np.errstate(all="ignore"):
        for _ in range(MOST_STEPS):
            if interior.near():
                found = _vertex(rows, price, penalty, *interior.solution())
                tries += 1
                if found is not None or tries == TRIES:
                    return found
            if not interior.step():
                break
    return None


class _Interior:
    """An interior point x = (u, Zᵀu + p) in [0, (c, 2p)], and the multipliers of its bounds."""

    def __init__(self, rows: Floats, price: Floats, penalty: Floats):
        self.rows, self.penalty = rows, penalty
        self.boxed = np.flatnonzero(penalty)
        self.gain = np.concatenate([np.ones(len(rows)), np.zeros(len(self.boxed))])
        self.upper = np.concatenate([price, 2 * penalty[self.boxed]])
        self.inside, self.room = self.upper / 2, self.upper / 2
        self.low, self.high = np.ones_like(self.upper), 1 + self.gain
        self.multiplier = np.zeros(len(penalty))
        self._residuals()

    def _products(self, x: Floats) -> Floats:
        found = x[: len(self.rows)] @ self.rows
        found[self.boxed] -= x[len(self.rows) :]
        return np.asarray(found)

    def _adjoint(self, multiplier: Floats) -> Floats:
        return np.concatenate([self.rows @ multiplier, -multiplier[self.boxed]])

    def _residuals(self) -> None:
        self.unmet = -self.penalty - self._products(self.inside)
        self.slope = -self.gain - self._adjoint(self.multiplier) - self.low + self.high

    def near(self) -> bool:
        """Return whether the primal and dual objectives agree."""
        value = self.gain @ self.inside
        difference = value - self.penalty @ self.multiplier - self.upper @ self.high
        unmet = np.abs(self.unmet).max() <= SLACK * self.penalty.max()
        steep = np.abs(self.slope).max() <= SLACK
        return bool(abs(difference) <= DUALITY_GAP * (1 + value) and unmet and steep)

    def solution(self) -> tuple[Floats, Floats]:
        """Return the weights and the dual."""
        return -self.multiplier, self.inside[: len(self.rows)]

    def step(self) -> bool:
        """Go to the next point. Return False if the equations cannot be solved."""
        from scipy.linalg.lapack import dpotrf

        width = 1 / (self.low / self.inside + self.high / self.room)
        weighted = self.rows * np.sqrt(width[: len(self.rows), None])
        matrix = weighted.T @ weighted
        matrix[self.boxed, self.boxed] += width[len(self.rows) :]
        factor, failed = dpotrf(matrix, lower=1)
        if failed:
            return False
        below, above = self.inside * self.low, self.room * self.high
        x, low, high, _ = self._direction(factor, width, -below, -above)
        target = self._centre(x, low, high)
        below, above = target - below - x * low, target - above + x * high
        self._move(*self._direction(factor, width, below, above))
        return True

    def _direction(
        self, factor: Floats, width: Floats, below: Floats, above: Floats
    ) -> tuple[Floats, Floats, Floats, Floats]:
        from scipy.linalg.lapack import dpotrs

        right = self.slope - below / self.inside + above / self.room
        multiplier = dpotrs(factor, self.unmet + self._products(width * right), lower=1)[0]
        x = width * (self._adjoint(multiplier) - right)
        low = (below - self.low * x) / self.inside
        return x, low, (above + self.high * x) / self.room, multiplier

    def _lengths(self, x: Floats, low: Floats, high: Floats) -> tuple[float, float]:
        primal = min(_longest(self.inside, x), _longest(self.room, -x))
        return primal, min(_longest(self.low, low), _longest(self.high, high))

    def _centre(self, x: Floats, low: Floats, high: Floats) -> float:
        """Return the target product of values and multipliers."""
        primal, dual = (min(1.0, length) for length in self._lengths(x, low, high))
        now = self.inside @ self.low + self.room @ self.high
        after = (self.inside + primal * x) @ (self.low + dual * low)
        after += (self.room - primal * x) @ (self.high + dual * high)
        return float((after / now) ** 3 * now / (2 * len(x)))

    def _move(self, x: Floats, low: Floats, high: Floats, multiplier: Floats) -> None:
        primal, dual = (min(1.0, SHORT * length) for length in self._lengths(x, low, high))
        self.inside, self.room = self.inside + primal * x, self.room - primal * x
        self.low, self.high = self.low + dual * low, self.high + dual * high
        self.multiplier = self.multiplier + dual * multiplier
        self._residuals()


def _longest(values: Floats, step: Floats) -> float:
    falling = step < 0
    return float(np.min(-values[falling] / step[falling], initial=np.inf))


def _vertex(
    rows: Floats, price: Floats, penalty: Floats, weights: Floats, dual: Floats
) -> tuple[Floats, Floats] | None:
    """Return the vertex near a solution if it is optimal."""
    margins = rows @ weights
    tight = np.minimum(dual, price - dual) > price * np.abs(1 - margins)
    idle = (penalty - np.abs(dual @ rows)) * np.abs(weights).max()
    used = (penalty == 0) | (np.abs(weights) * penalty > idle)
    if tight.sum() != used.sum():
        return None
    basis = rows[np.ix_(tight, used)]
    exact, u = np.zeros_like(weights), np.where((margins < 1) & ~tight, price, 0.0)
    wanted = penalty * np.sign(weights) - u @ rows
    try:
        exact[used] = np.linalg.solve(basis, np.ones(len(basis)))
        u[tight] = np.linalg.solve(basis.T, wanted[used])
    except np.linalg.LinAlgError:
        return None
    return (exact, u) if _optimal(rows, price, penalty, exact, u) else None


def _optimal(rows: Floats, price: Floats, penalty: Floats, weights: Floats, dual: Floats) -> bool:
    value = price @ np.maximum(0, 1 - rows @ weights) + penalty @ np.abs(weights)
    within = np.maximum(-dual, dual - price).max() <= SLACK * price.max()
    priced = (np.abs(dual @ rows) - penalty).max() <= SLACK * penalty.max()
    return bool(value - dual.sum() <= DUALITY_GAP * (1 + value) and within and priced)
