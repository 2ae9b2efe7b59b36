"""FSV: a separating hyperplane with few features, by successive linear programs."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank._utils.progress import report
from featrank.base.parameters import INSIDE_0_1
from featrank.base.ranker import Floats, Ranker
from featrank.base.shown_values import ShownValues
from featrank.exceptions import FeatrankError
from featrank.solvers.interior_point import hinge_vertex
from featrank.solvers.standardise import centred

# Far below relevant differences of the objective, far above rounding errors.
IMPROVEMENT = 1e-9
# Minimum number of features that enter the linear program at once.
ENTRANTS = 50
# A feature may enter with others if its reduced cost misses by at most this fraction.
NEAR = 0.1


class FSV(Ranker):
    r"""Rank features by their weight in a separating hyperplane that uses few features.

    .. math::
        \min_{w, b}\ (1 - \lambda) \sum_{c} \frac{1}{T_c} \sum_{t \in c}
        \max(0,\ 1 - y_t (w^\top x_t + b)) + \lambda \sum_j (1 - e^{-\alpha |w_j|})

    The second term is a smooth count of the features with a weight. It is concave in :math:`|w|`,
    and the problem is solved by successive linearisation. The count is replaced by its tangent at
    the last solution, which gives a linear program. The objective falls from one program to the
    next, until no program lowers it. The first program, with tangents at 0, is an SVM with an l1
    penalty. Features enter a program only if their reduced cost requires it, so its size is that
    of the solution, not of X.

    Features are ranked in three bands. Features with a weight in the solution have the score
    :math:`|w_j| > 0`. Features with a weight in the first program only have scores in (-1, 0],
    ordered by that weight. All other features have scores in [-2, -1], ordered by the distance
    between the class means, which is the gradient of the first term at w = 0. A constant feature
    comes last. Among features that are equal up to sign, only the first can have a weight.

    With more than two classes, each is separated from all others, and weights and distances are
    summed over these problems.

    The ranking depends on the scale of the features, but not on shifts: standardise them first.
    ``fit`` stores one centred float64 copy of X.

    Read more in docs/methods/fsv.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    lam : float, default=0.05
        Weight λ of the number of features against the errors, in (0, 1).
    alpha : float, default=5.0
        Steepness of the smooth count. Near 0 it is an l1 penalty, and for large values it counts
        the features.
    max_iter : int, default=50
        Maximum number of linear programs per hyperplane.

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        w of each hyperplane. With two classes, positive weights point to the second of
        ``classes_``. Otherwise there is one hyperplane per class, against all other classes.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        b of each hyperplane.
    objective_ : list of ndarray
        For each hyperplane, the objective after each linear program that lowered it.
    n_iter_ : int
        Number of linear programs that lowered the objective.

    See Also
    --------
    ZeroNorm : Fewest features of a separating hyperplane, by reweighted SVMs.
    SVMRFE : Removes the features with the smallest SVM weights step by step.

    References
    ----------
    .. [1] P. S. Bradley and O. L. Mangasarian, "Feature selection via concave minimization and
       support vector machines", International Conference on Machine Learning (1998).

    Examples
    --------
    >>> from featrank import FSV
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> X = StandardScaler().set_output(transform="pandas").fit_transform(X)
    >>> FSV(n_features_to_select=3).fit(X, y).get_feature_names_out().tolist()
    ['worst radius', 'worst texture', 'worst concave points']
    """

    name = "fsv"
    purpose = "Sparse separating plane"
    kind = "embedded"
    family = "margin"
    invariances = frozenset({"shift"})
    redundancy_aware = True
    complexity = "O(Tn) per pass, a few linear programs of T rows"
    published_complexity = "N/A"
    reference = "Bradley and Mangasarian 1998"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"lam": [INSIDE_0_1]}

    lam: float = 0.05
    alpha: float = 5.0
    max_iter: int = 50

    def shown_values(self) -> ShownValues:
        """Return the absolute weight of each feature in the solution, if it has one."""
        weights = np.abs(self.coef_).sum(axis=0)
        return ShownValues(np.where(weights > 0, weights, np.nan), "weight")

    def _memory(self, n_samples: int, n_features: int) -> int:
        return 8 * n_samples * n_features

    def _score(self, X: Any, y: Any) -> Floats:
        X_centred = centred(X, np.arange(len(X)))
        distinct = first_of_equals(X_centred)
        n_classes = len(self.classes_)
        positives = [1] if n_classes == 2 else list(range(n_classes))
        programs = [_Program(X_centred, y == c, self.lam, distinct) for c in positives]
        paths = [self._path(program, k, len(programs)) for k, program in enumerate(programs)]
        self.coef_ = np.array([path[-1].weights for path in paths])
        shift = self.coef_ @ (X_centred[0] - X[0])
        self.intercept_ = np.array([path[-1].intercept for path in paths]) + shift
        self.objective_ = [
            np.array([self._value(program, plane) for plane in path])
            for program, path in zip(programs, paths, strict=True)
        ]
        self.n_iter_ = sum(map(len, paths))
        return banded(
            np.abs(self.coef_).sum(axis=0),
            np.sum([np.abs(path[0].weights) for path in paths], axis=0),
            np.sum([np.abs(program.pull) for program in programs], axis=0),
        )

    def _path(self, program: _Program, place: int, total: int) -> list[Plane]:
        """Return planes with falling objective, up to one that no linear program improves."""
        path = [self._next(program, program.zero)]
        for iteration in range(1, self.max_iter):
            report(place * self.max_iter + iteration, total * self.max_iter)
            last, new = path[-1], self._next(program, path[-1])
            less = self._tangents(last) @ (np.abs(last.weights) - np.abs(new.weights))
            if program.errors(last) - program.errors(new) + less <= IMPROVEMENT:
                break
            path.append(new)
        report((place + 1) * self.max_iter, total * self.max_iter)
        return path

    def _tangents(self, plane: Plane) -> Floats:
        return self.lam * self.alpha * np.exp(-self.alpha * np.abs(plane.weights))

    def _next(self, program: _Program, plane: Plane) -> Plane:
        """Solve the program with the tangents at the plane."""
        return program.solve(self._tangents(plane), np.flatnonzero(plane.weights))

    def _value(self, program: _Program, plane: Plane) -> float:
        count = -np.expm1(-self.alpha * np.abs(plane.weights)).sum()
        return program.errors(plane) + self.lam * float(count)


class Plane(NamedTuple):
    """The plane w·x + b = 0."""

    weights: Floats
    intercept: float


class _Program:
    """min Σ c_t·e_t + Σ cost_j·|w_j| over y_t·(w·x_t + b) + e_t ≥ 1, e ≥ 0."""

    def __init__(
        self, X: Floats, positive: NDArray[np.bool_], lam: float, distinct: NDArray[np.bool_]
    ):
        self.sign = np.where(positive, 1.0, -1.0)
        self.error_cost = (1 - lam) / np.where(positive, positive.sum(), (~positive).sum())
        self.pull = (self.error_cost * self.sign) @ X
        self.zero = Plane(np.zeros(X.shape[1]), 0.0)
        self._X, self._distinct = X, distinct
        # All features share one unit, as the solver's tolerances are absolute.
        self._unit = float(np.linalg.norm(X)) / np.sqrt(X.size) or 1.0

    def errors(self, plane: Plane) -> float:
        """Return the weighted sum of the margin violations."""
        margin = self.sign * (self._X @ plane.weights + plane.intercept)
        return float(self.error_cost @ np.maximum(0, 1 - margin))

    def solve(self, cost: Floats, start: NDArray[np.integer]) -> Plane:
        """Solve on the features in `start` and those whose reduced cost makes them enter."""
        used = start
        plane, price = self._solve(used, cost) if len(used) else (self.zero, self.error_cost)
        while len(entering := self._entering(price, cost, used)):
            most = max(ENTRANTS, len(used), len(self.sign) // 2)
            used = np.sort(np.concatenate([used, entering[:most]]))
            plane, price = self._solve(used, cost)
        return plane

    def _entering(
        self, price: Floats, cost: Floats, used: NDArray[np.integer]
    ) -> NDArray[np.integer]:
        """Return unused features whose weight would lower the objective, best first."""
        gain = np.abs((price * self.sign) @ self._X) - cost
        gain[~self._distinct] = -np.inf
        gain[used] = -np.inf
        if gain.max() <= IMPROVEMENT * self._unit:
            return np.empty(0, dtype=np.intp)
        # Features that would enter soon are added as well.
        entering = np.flatnonzero(gain > -NEAR * cost)
        return entering[np.argsort(-gain[entering], kind="stable")]

    def _solve(self, used: NDArray[np.integer], cost: Floats) -> tuple[Plane, Floats]:
        """Return the best plane on these features, and the dual value of each sample."""
        columns = self.sign[:, None] * self._X[:, used] / self._unit
        rows = np.hstack([columns, self.sign[:, None]])
        penalty = np.append(cost[used] / self._unit, 0.0)
        found = hinge_vertex(rows, self.error_cost, penalty)
        solution, price = found or _solved_by_highs(rows, self.error_cost, penalty)
        weights = np.zeros_like(self.zero.weights)
        weights[used] = solution[:-1] / self._unit
        weights[np.abs(weights) <= IMPROVEMENT * np.abs(weights).max()] = 0.0
        return Plane(weights, float(solution[-1])), price


def _solved_by_highs(rows: Floats, price: Floats, penalty: Floats) -> tuple[Floats, Floats]:
    """Solve a program that may have many solutions, and return one."""
    from scipy.sparse import csc_array, hstack, identity

    n_samples, n_used = len(rows), rows.shape[1] - 1
    dense = csc_array(np.hstack([rows[:, :-1], -rows[:, :-1], rows[:, -1:]]))
    result = solved(
        np.concatenate([penalty[:-1], penalty, price]),
        A_ub=-hstack([dense, identity(n_samples)], format="csc"),
        b_ub=-np.ones(n_samples),
        bounds=[(0, None)] * (2 * n_used) + [(None, None)] + [(0, None)] * n_samples,
    )
    weights = result.x[:n_used] - result.x[n_used : 2 * n_used]
    return np.append(weights, result.x[2 * n_used]), -result.ineqlin.marginals


def solved(costs: Floats, **program: Any) -> Any:
    """Return the solution of a linear program that is known to have one."""
    from scipy.optimize import linprog

    exact = {"primal_feasibility_tolerance": 1e-9, "dual_feasibility_tolerance": 1e-9}
    # The presolve reports some programs with costs near 0 as unbounded.
    for presolve in (True, False):
        options = {**exact, "presolve": presolve}
        result = linprog(costs, **program, method="highs", options=options)
        if result.x is not None:
            return result
    raise FeatrankError(f"FSV could not solve a linear program: {result.message}")


def first_of_equals(X: Floats) -> NDArray[np.bool_]:
    """Return a mask of the columns that do not repeat an earlier one up to sign.

    Examples
    --------
    >>> first_of_equals(np.array([[1.0, 2, -1, 1], [3, 0, -3, 3]]))
    array([ True,  True, False, False])
    """
    seen: set[bytes] = set()
    first = np.ones(X.shape[1], dtype=bool)
    for j in range(X.shape[1]):
        column = X[:, j]
        lead = column[np.argmax(column != 0)]
        key = _digest(column * np.sign(lead) + 0.0)
        first[j] = key not in seen
        seen.add(key)
    return first


def _digest(values: Floats) -> bytes:
    """Return a short hash, as the bytes of all columns would take as much memory as X."""
    from hashlib import blake2b

    return blake2b(values.tobytes(), digest_size=16).digest()


def banded(weight: Floats, first_weight: Floats, pull: Floats) -> Floats:
    """Return scores in three bands: weights, then first weights, then pulls."""
    middle = first_weight / (first_weight.max() or 1.0) - 1
    low = pull / (pull.max() or 1.0) - 2
    return np.where(weight > 0, weight, np.where(first_weight > 0, middle, low))
