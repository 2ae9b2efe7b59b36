"""DGUFS: features and clusters, chosen jointly to depend on each other."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from featrank._utils.blas import one_thread_if_small
from featrank._utils.probe import Probe, smaller
from featrank._utils.progress import report
from featrank._utils.sklearn import Interval
from featrank.base.ranker import Floats, Ranker
from featrank.solvers.duplicate_columns import originals
from featrank.solvers.standardise import standardised

# The initial penalty μ of L = M, for terms of the objective with entries of size 1, and its growth.
# Slower growth takes longer, faster growth ends in worse minima. The penalty grows only if the
# residual falls to this fraction, so that the multiplier can catch up while L and M differ.
START, GROWTH, FALLEN = 1.0, 1.3, 0.95
# Largest number of samples for which a dense solver is fastest.
DENSE_UP_TO = 500
# For larger eigenproblems: relative error, and vectors beyond twice the number requested.
TOLERANCE, SPANNED = 1e-8, 20
# T × T matrices, and copies of X, in memory at a time.
TABLES, N_COPIES = 9, 3
# Multiplications in the part of a fit that is timed.
PROBED_WORK = 4e8


class DGUFS(Ranker):
    r"""Rank features by their dependence on jointly learned clusters (unsupervised).

    Dependence guided unsupervised feature selection. It looks for m features and a partition of the
    samples that depend on each other as much as possible, where the partition also depends on all
    the data:

    .. math::
        \min_{|J| = m,\; L} \; -\frac{1}{T^2} \Big[ (1 - \beta) \frac{1}{\sqrt m}
        \sum_{j \in J} x_j^\top L x_j + \beta \, \mathrm{tr}(\bar S L) \Big],
        \qquad L \succeq 0, \; \mathrm{rank}\,L \le K, \; 0 \le L_{ih} \le 1, \; L_{ii} = 1

    L is the matrix of a partition into K clusters: an entry is 1 if two samples share a cluster and
    0 if not, with values in between allowed. Both terms are Hilbert-Schmidt independence criteria,
    of L with the selected features, and with the similarity :math:`S_{ih} = e^{-\|x_i - x_h\|^2 /
    t}` of the samples, where t is the mean squared distance; :math:`\bar S` is S less the means of
    its rows and columns, in units in which its off-diagonal entries have a mean square of 1.
    :math:`x_j` is a feature with mean 0 and standard deviation 1.

    The score of a feature is its own dependence on the clusters at the end,

    .. math:: s_j = x_j^\top L x_j / T^2,

    which is between 0 and 1, and about 1/2 for a feature that is constant within each of two
    equally large clusters. The best m features are the J that minimises the objective for this L. A
    constant feature scores 0 and comes last. Duplicates of a feature are selected as one and share
    its score.

    Features with large units dominate the similarities: scale them first if units are arbitrary,
    e.g. with ``sklearn.preprocessing.StandardScaler``.

    Read more in docs/methods/dgufs.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    n_clusters : int, default=5
        Maximum number K of clusters, at most half the number of samples. With 1, nothing can depend
        on the clusters and the ranking is meaningless.
    n_selected : int, default=10
        Number m of features on which the clusters depend. The paper uses the number of features to
        select. Here the ranking does not depend on that number.
    beta : float, default=0.5
        Weight of the dependence on all data. With 1 the selected features do not affect the
        clusters, and with 0 only they do.
    standardize : bool, default=True
        Whether to scale features to unit variance in the first term. Similarities are always those
        of X as given. False is as in the authors' code: features with a large variance come first.
        Their unit is then the root mean square of the m largest standard deviations, and the unit
        of the scores is the largest one.
    max_iter : int, default=200
        Maximum number of iterations.
    tol : float, default=0.01
        Residual below which the iterations have converged.

    Attributes
    ----------
    selected_ : ndarray of shape (m,)
        Indices of the features J, ascending. Constants and duplicates are excluded, so there may be
        fewer than ``n_selected``.
    memberships_ : ndarray of shape (n_samples, n_clusters)
        V with :math:`L = V V^\top`: the product of two samples' rows is near 1 if they share a
        cluster, and near 0 if not. Signs and axes are arbitrary.
    objective_ : ndarray of shape (n_iter_,)
        The objective after each iteration. It tends to rise as L moves into its bounds.
    residuals_ : ndarray of shape (n_iter_,)
        The largest difference between L and its copy M, which is within the bounds.
    n_iter_ : int
        Number of iterations.
    converged_ : bool
        Whether the last residual is at most ``tol``. If not, L is not a partition, and ``notes()``
        reports it.

    See Also
    --------
    NDFS : Learns clusters and a sparse regression on them.
    HSICLasso : Supervised, with the same dependence measure.

    Notes
    -----
    The problem is that of the authors' code, with a bound on the number of clusters instead of a
    penalty. The formulas in the paper itself were not available.

    It is solved by the alternating direction method of multipliers: L satisfies the rank
    constraint, its copy M the bounds, and the penalty on their difference grows. This finds a local
    minimum, and the objective need not fall in every iteration.

    Memory in addition to X: up to three float64 copies of X, and nine T × T matrices.

    References
    ----------
    .. [1] J. Guo and W. Zhu, "Dependence guided unsupervised feature selection", AAAI Conference
       on Artificial Intelligence (2018).

    Examples
    --------
    >>> from featrank import DGUFS
    >>> from sklearn.datasets import load_iris
    >>> X, _ = load_iris(return_X_y=True, as_frame=True)
    >>> ranker = DGUFS(n_features_to_select=2, n_clusters=3, n_selected=2).fit(X)
    >>> ranker.get_feature_names_out().tolist()
    ['petal length (cm)', 'petal width (cm)']
    """

    name = "dgufs"
    purpose = "Dependence on clusters"
    family = "sparse"
    supervised = False
    invariances = frozenset({"shift"})
    complexity = "O(T²n + iK(T² + Tn))"
    published_complexity = "N/A"
    reference = "Guo and Zhu 2018"

    _advice = (
        "It stores matrices of all pairs of samples. Rank fewer samples, or use another method."
    )

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "beta": [Interval(Real, 0, 1, closed="both")]
    }

    n_clusters: int = 5
    n_selected: int = 10
    beta: float = 0.5
    standardize: bool = True
    max_iter: int = 200
    tol: float = 0.01

    def notes(self) -> list[str]:
        """Return a sentence if no clusters were found."""
        if self.converged_:
            return []
        return [
            f"DGUFS did not find stable clusters in {self.n_iter_} iterations, so the scores are "
            f"unreliable. Use `n_clusters={self.n_clusters + 1}` or more."
        ]

    def _probe(self, n_samples: int, n_features: int) -> Probe:
        (rows, columns), ratio = smaller(_work, (n_samples, n_features), PROBED_WORK)
        return Probe(self._score, (rows, columns), ratio)

    def _memory(self, n_samples: int, n_features: int) -> int:
        return 8 * (N_COPIES * n_samples * n_features + TABLES * n_samples**2)

    def _score(self, X: Any, y: NDArray[np.intp] | None) -> Floats:
        features, spread = standardised(X)
        with one_thread_if_small(max(features.size, len(features) ** 2)):
            plain = features * (spread / (spread.max() or 1.0))
            similarity = similarities(plain)
            if not self.standardize:
                features = plain
            del plain
            first = originals(features)
            taken = np.flatnonzero((first == np.arange(len(first))) & (spread > 0))
            terms = _Terms(features[:, taken], similarity, self.beta, self.n_selected)
            chosen, dependence = self._alternated(terms)
        self.selected_ = taken[chosen]
        scores = np.zeros(len(first))
        scores[taken] = dependence / len(features)
        return scores[first]

    def _alternated(self, terms: _Terms) -> tuple[NDArray[np.intp], Floats]:
        """Update L and J in turn, and return J and x'Lx of each feature."""
        size, n_features = terms.features.shape
        chosen, dependence = np.arange(n_features), np.zeros(n_features)
        clusters = _Clusters(size, min(self.n_clusters, max(size // 2, 1)))
        objective, residuals = list[float](), list[float]()
        while n_features and len(residuals) < self.max_iter:
            residuals.append(clusters.step(terms.table(chosen)))
            dependence = ((clusters.vectors.T @ terms.features) ** 2).sum(axis=0)
            chosen = best_rows(dependence, self.n_selected)
            objective.append(terms.objective(dependence[chosen], clusters.vectors))
            report(len(residuals), self.max_iter)
            if residuals[-1] <= self.tol:
                break
        report(self.max_iter, self.max_iter)
        self.memberships_, self.n_iter_ = clusters.vectors, len(residuals)
        self.objective_, self.residuals_ = np.array(objective), np.array(residuals)
        self.converged_ = not residuals or residuals[-1] <= self.tol
        return chosen, dependence


class _Terms:
    """The two terms of the objective, as T × T matrices and as numbers."""

    def __init__(self, features: Floats, similarity: Floats, beta: float, count: int):
        self.features, self.similarity, self.beta = features, similarity, beta
        self._count = min(count, features.shape[1])
        self._largest = np.sort(np.einsum("ij,ij->j", features, features))[::-1]

    def _unit(self, count: int) -> float:
        """Return the unit in which ``count`` unrelated features give entries of at most about 1."""
        return (
            (1 - self.beta) * len(self.features) * count**0.5 / float(self._largest[:count].sum())
        )

    def table(self, chosen: NDArray[np.intp]) -> Floats:
        """Return the matrix whose inner product with L is maximised."""
        part = self.features[:, chosen]
        table: Floats = self._unit(len(chosen)) * (part @ part.T)
        table += self.beta * self.similarity
        return table

    def objective(self, dependence: Floats, vectors: Floats) -> float:
        """Return the objective, from x'Lx of the selected features and V."""
        overall = self.beta * float(np.einsum("ij,ij->", self.similarity @ vectors, vectors))
        selected = self._unit(self._count) * float(dependence.sum())
        return -(selected + overall) / len(vectors) ** 2


class _Clusters:
    """L = VV', its copy M within the bounds, and the multiplier Λ of L = M."""

    def __init__(self, size: int, count: int):
        self.vectors = np.zeros((size, count))
        self._bounded, self._multiplier = np.zeros((2, size, size))
        self._weight, self._residual = START, np.inf

    def step(self, table: Floats) -> float:
        """Update L, M and Λ to maximise the inner product of the table with L.

        Return the residual, the largest difference of L and M.
        """
        table -= self._multiplier
        table /= self._weight
        table += self._bounded
        self.vectors = low_rank(table, self.vectors.shape[1])
        product = self.vectors @ self.vectors.T
        self._bounded = within_bounds(product + self._multiplier / self._weight)
        product -= self._bounded
        self._multiplier += self._weight * product
        residual = float(max(product.max(), -product.min()))
        if residual < FALLEN * self._residual:
            self._weight *= GROWTH
        self._residual = residual
        return residual


def _work(n_samples: int, n_features: int) -> float:
    """Return the approximate amount of work, up to a factor."""
    return float(n_samples) ** 2 * (n_samples + n_features)


def similarities(X: Floats) -> Floats:
    """Return the double-centred S, in units of its off-diagonal entries."""
    table = X @ X.T
    squared = table.diagonal().copy()
    table *= -2
    table += squared[:, np.newaxis] + squared
    np.maximum(table, 0.0, out=table)
    pairs = len(X) * (len(X) - 1)
    table /= -(float(table.sum()) / pairs or 1.0)
    np.exp(table, out=table)
    mean = table.mean(axis=0)
    table -= mean[:, np.newaxis] + mean
    table += mean.mean()
    diagonal = table.diagonal()
    off_diagonal = float(np.einsum("ij,ij->", table, table)) - float(diagonal @ diagonal)
    table /= np.sqrt(max(off_diagonal, 0.0) / pairs) or 1.0
    return table


def low_rank(table: Floats, count: int) -> Floats:
    """Return V with ``count`` columns, such that VV' is closest to a symmetric matrix."""
    values, vectors = _largest(table, count)
    return vectors * np.sqrt(np.maximum(values, 0.0))


def _largest(table: Floats, count: int) -> tuple[Floats, Floats]:
    from scipy.linalg import eigh
    from scipy.sparse.linalg import ArpackNoConvergence, eigsh

    size = len(table)
    if size > max(DENSE_UP_TO, 4 * count):
        # The starting vector is always the same.
        start = np.random.default_rng(0).standard_normal(size)
        kept = 2 * count + SPANNED
        try:
            values, vectors = eigsh(table, count, which="LA", v0=start, ncv=kept, tol=TOLERANCE)
        except ArpackNoConvergence:
            pass
        else:
            return values, vectors
    values, vectors = eigh(table, subset_by_index=(size - count, size - 1), check_finite=False)
    return values, vectors


def within_bounds(table: Floats) -> Floats:
    """Return the closest matrix with entries in [0, 1] and ones on the diagonal."""
    nearest: Floats = np.clip(table, 0.0, 1.0)
    np.fill_diagonal(nearest, 1.0)
    return nearest


def best_rows(dependence: Floats, count: int) -> NDArray[np.intp]:
    """Return the indices of the ``count`` largest values, ascending."""
    return np.sort(np.argsort(-dependence, kind="stable")[:count])
