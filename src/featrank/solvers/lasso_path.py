"""The path of the lasso: exactly where each feature enters as the penalty falls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats

# Part of the largest penalty at which the path ends: below, rounding decides.
FLOOR = 1e-8
# Penalties that differ by less than this part are equal: the lower index enters first.
TIE = 1e-10
# Part of its square that a feature needs outside the span of those in use.
OUTSIDE = 1e-10
# How much slower than the penalty a product must fall to meet it: that of a copy does not.
SLOWER = 1e-9
# Residual of the equations, as part of their right side, from which on the inverse is made anew.
DRIFT = 1e-6
# Steps on which the penalty stays the same; more of them go round in circles.
STANDSTILL = 100
# Features in use for which there is room at once.
FIRST_ROOM = 64

Products = Callable[[int], Floats]


class Path(NamedTuple):
    """What entered, at which penalties, and the weights where the path ended.

    ``order`` holds the features in the order in which they first entered, ``penalties`` the λ
    of each first entry, ``used`` and ``weights`` the features that had a weight at the end.
    """

    order: NDArray[np.intp]
    penalties: Floats
    used: NDArray[np.intp]
    weights: Floats


def lasso_path(
    target: Floats,
    products: Products,
    *,
    most: int,
    rank: int,
    positive: bool = False,
    least: float = 0.0,
    told: Callable[[int], None] = lambda entered: None,
) -> Path:
    r"""Follow the solution of the lasso from the largest penalty downwards.

    .. math:: \min_\beta\ \tfrac12 \lVert y - \sum_j \beta_j x_j \rVert^2 + \lambda
        \sum_j |\beta_j|

    Between two changes of the set A of features in use the weights are linear in λ,
    :math:`\beta_A = G_{AA}^{-1} (b_A - \lambda s_A)` with the products :math:`G = X^\top X`,
    :math:`b = X^\top y` and the signs s, and so is each feature's product with the residual. A
    feature enters where that product reaches λ and leaves where its weight reaches 0 [1]_ [2]_.

    Parameters
    ----------
    target : ndarray of shape (n_features,)
        Products b of the features and y.
    products : callable
        Gives the products of feature j with all features.
    most : int
        The path ends when so many features have entered, or where λ is next to nothing.
    rank : int
        Bound on the rank of X: no more features are in use at once.
    positive : bool, default=False
        Whether weights must not be negative.
    least : float, default=0.0
        The path ends where λ falls to this.
    told : callable
        Called with the number of features that have entered, each time one does.

    References
    ----------
    .. [1] M. R. Osborne, B. Presnell and B. A. Turlach, "A new approach to variable selection in
       least squares problems", IMA Journal of Numerical Analysis 20 (2000).
    .. [2] B. Efron, T. Hastie, I. Johnstone and R. Tibshirani, "Least angle regression", Annals
       of Statistics 32 (2004).

    Examples
    --------
    >>> X, y = np.array([[2.0, 1, 0], [0, 1, 0], [0, 0, 1]]), np.array([2.0, 1, -1])
    >>> path = lasso_path(X.T @ y, lambda j: X.T @ X[:, j], most=3, rank=3)
    >>> path.order, path.penalties.round(3)
    (array([0, 1, 2]), array([4., 2., 1.]))
    >>> path.used, path.weights.round(3)
    (array([0, 1, 2]), array([0.5, 0.5, 0. ]))
    """
    search = Search(target, products, min(most, rank), positive=positive, least=least)
    while len(search.entered) < most and search.step():
        told(len(search.entered))
    order = np.array(list(search.entered), dtype=np.intp)
    return Path(order, np.array(list(search.entered.values())), *search.solution())


class Search:
    """The penalty, the features in use there, and what is known of all others.

    With ``ends_full`` the path ends where there is no room for one more.
    """

    def __init__(
        self,
        target: Floats,
        products: Products,
        most: int,
        *,
        positive: bool = False,
        least: float = 0.0,
        ends_full: bool = False,
    ):
        self.target, self.products = target, products
        self.ends_full = ends_full
        self.positive = positive
        self.used = _Used(min(most, len(target)), len(target))
        self.entered: dict[int, float] = {}
        self.penalty = float(np.max(target if positive else np.abs(target), initial=0.0))
        self.floor = max(FLOOR * self.penalty, least)
        self.fixed, self.slope = target, np.zeros_like(target)
        self.fixed_weights = self.weight_slopes = np.empty(0)
        # Of no use now: in use, or in the span of what is in use.
        self.barred = np.zeros(len(target), dtype=bool)
        # Who has just left, and the sign that it had: it is on the border still.
        self.left: tuple[int, float] | None = None
        self.standing = 0

    def step(self) -> bool:
        """Go to the next penalty at which a feature enters or leaves; False if there is none."""
        joining, entry, sign = self._next_entry()
        leaving, exit_ = self._next_exit()
        reached = max(entry, exit_)
        if self.standing > STANDSTILL:
            return False
        if not reached > self.floor:
            self.penalty = 0.0 if self.ends_full else self.penalty
            return False
        if self.ends_full and self.used.is_full and entry > exit_:
            self.penalty = reached
            return False
        still = reached >= self.penalty * (1 - TIE)
        self.penalty = reached
        if exit_ >= entry:
            self._leave(leaving)
        elif not self._enter(joining, sign):
            return True
        self.standing = self.standing + 1 if still else 0
        return True

    def solution(self) -> tuple[NDArray[np.intp], Floats]:
        """Return the features with a weight, in ascending order, and their weights."""
        places = self.used.places
        order = np.argsort(places)
        return places[order], self.weights()[order]

    def weights(self) -> Floats:
        """Return the weights at the penalty, in the order of ``used``."""
        return self.fixed_weights - self.penalty * self.weight_slopes

    def _next_entry(self) -> tuple[int, float, float]:
        """Return the feature whose product with the residual meets the penalty next."""
        # Above 0 a product meets the penalty of its own sign alone.
        side = 1.0 if self.positive else np.copysign(1.0, self.fixed)
        room = 1 - side * self.slope
        room[self.barred] = 0.0
        if self.left is not None and self.left[1] * self.fixed[self.left[0]] > 0:
            room[self.left[0]] = 0.0
        meets = np.zeros_like(room)
        np.divide(side * self.fixed, room, out=meets, where=room > SLOWER)
        highest = min(float(meets.max()), self.penalty)
        feature = int(np.argmax(meets >= highest * (1 - TIE)))
        product = self.fixed[feature] + highest * self.slope[feature]
        return feature, highest, 1.0 if product > 0 else -1.0

    def _next_exit(self) -> tuple[int, float]:
        """Return the place among the features in use whose weight is the next to become 0."""
        falling = self.used.signs * self.weight_slopes < 0
        if not falling.any():
            return -1, 0.0
        zero = np.zeros_like(self.weight_slopes)
        np.divide(self.fixed_weights, self.weight_slopes, out=zero, where=falling)
        place = int(np.argmax(zero))
        return place, min(float(zero[place]), self.penalty)

    def _enter(self, feature: int, sign: float) -> bool:
        self.barred[feature] = True
        if not self.used.add(feature, sign, self.products(feature)):
            return False
        self.left = None
        self.entered.setdefault(feature, self.penalty)
        self._solve()
        return True

    def _leave(self, place: int) -> None:
        self.left = int(self.used.places[place]), float(self.used.signs[place])
        self.used.remove(place)
        self.barred[:] = False
        self.barred[self.used.places] = True
        self._solve()

    def _solve(self) -> None:
        """Find the weights and all products with the residual as lines in λ."""
        places, signs = self.used.places, self.used.signs
        lines = self.used.solve(np.array([self.target[places], signs]).T)
        self.fixed_weights, self.weight_slopes = lines.T
        fixed, self.slope = lines.T @ self.used.rows
        self.fixed = self.target - fixed


class _Used:
    """Features in use: their products with all features, and the inverse of those among them."""

    def __init__(self, most: int, n_features: int):
        self._count, self._most = 0, most
        self._places, self._signs = np.empty(0, dtype=np.intp), np.empty(0)
        self._rows = np.empty((0, n_features))
        self._inner = self._inverse = np.empty((0, 0))

    @property
    def places(self) -> NDArray[np.intp]:
        """Return which features they are."""
        return self._places[: self._count]

    @property
    def signs(self) -> Floats:
        """Return the signs of their products with the residual."""
        return self._signs[: self._count]

    @property
    def rows(self) -> Floats:
        """Return their products with all features, a row each."""
        return self._rows[: self._count]

    @property
    def is_full(self) -> bool:
        """Whether there is no room for one more."""
        return self._count == self._most

    def add(self, feature: int, sign: float, row: Floats) -> bool:
        """Take in a feature; False if it is in the span of the others."""
        n = self._count
        own = row[self.places]
        share = self.solve(own[:, np.newaxis])[:, 0]
        rest = row[feature] - own @ share
        if n == self._most or not rest > OUTSIDE * row[feature]:
            return False
        if n == len(self._places):
            self._grow()
        self._inverse[:n, :n] += share[:, np.newaxis] * (share / rest)
        self._inverse[n, :n] = self._inverse[:n, n] = -share / rest
        self._inverse[n, n] = 1 / rest
        self._inner[n, :n] = self._inner[:n, n] = own
        self._inner[n, n] = row[feature]
        self._places[n], self._signs[n], self._rows[n] = feature, sign, row
        self._count += 1
        return True

    def remove(self, place: int) -> None:
        """Drop a feature; the last one takes its place."""
        n = self._count = self._count - 1
        for matrix in (self._inverse, self._inner):
            for side in (matrix, matrix.T):
                side[[place, n], : n + 1] = side[[n, place], : n + 1]
        for values in (self._places, self._signs, self._rows):
            values[place] = values[n]
        border = self._inverse[:n, n]
        self._inverse[:n, :n] -= border[:, np.newaxis] * (border / self._inverse[n, n])

    def solve(self, right: Floats) -> Floats:
        """Solve the equations of the products among them, refined by their residual once."""
        n = self._count
        inner, inverse = self._inner[:n, :n], self._inverse[:n, :n]
        found = inverse @ right
        residual = right - inner @ found
        if n and np.abs(residual).max() > DRIFT * np.abs(right).max():
            inverse[:] = np.linalg.inv(inner)
            found = inverse @ right
            residual = right - inner @ found
        return np.asarray(found + inverse @ residual)

    def _grow(self) -> None:
        """Make room for more; the system gives only what is written."""
        size = min(self._most, max(FIRST_ROOM, 2 * self._count))
        self._places = _extended(self._places, (size,))
        self._signs = _extended(self._signs, (size,))
        self._rows = _extended(self._rows, (size, self._rows.shape[1]))
        self._inner = _extended(self._inner, (size, size))
        self._inverse = _extended(self._inverse, (size, size))


def _extended(values: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    larger = np.empty(shape, dtype=values.dtype)
    larger[tuple(map(slice, values.shape))] = values
    return larger
