"""DGUFS: features and clusters found together, with maximal mutual dependence."""

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

# The weight μ of L = M at first, where the terms of the objective have entries of size 1, and its
# growth: with less it takes longer, with more it settles for less. It grows if the residual falls
# at least to this part, so that the multiplier catches up where L and M stay apart.
START, GROWTH, FALLEN = 1.0, 1.3, 0.95
# Largest number of samples for which a dense solver is fastest.
DENSE_UP_TO = 500
# Of the search for eigenvectors of more: relative error, and vectors beyond twice those wanted.
TOLERANCE, SPANNED = 1e-8, 20
# Tables of samples, and copies of X, in memory at a time.
TABLES, COPIES = 9, 3
# Multiplications of a part of a fit that is timed.
PROBED_WORK = 4e8


class DGUFS(Ranker):
    r"""Rank features by their dependence on clusters that are learnt with them (unsupervised).

    Dependence guided unsupervised feature selection. Some m features and a partition of the
    samples are sought that depend on each other as much as possible, while the partition also
    depends on all the data:

    .. math::
        \min_{|J| = m,\; L} \; -\frac{1}{T^2} \Big[ (1 - \beta) \frac{1}{\sqrt m}
        \sum_{j \in J} x_j^\top L x_j + \beta \, \mathrm{tr}(\bar S L) \Big],
        \qquad L \succeq 0, \; \mathrm{rank}\,L \le K, \; 0 \le L_{ih} \le 1, \; L_{ii} = 1

    L is the matrix of a partition into K clusters: with entries 0 and 1 it is 1 where two
    samples share a cluster. Both terms are Hilbert-Schmidt independence criteria, of L with the
    selected features, and with the similarity :math:`S_{ih} = e^{-\|x_i - x_h\|^2 / t}` of the
    samples, where t is the mean squared distance; :math:`\bar S` is S less the means of its rows
    and columns, in units in which its off-diagonal entries have a mean square of 1.
    :math:`x_j` is a feature with mean 0 and standard deviation 1.

    The score of a feature is its own dependence on the clusters at the end,

    .. math:: s_j = x_j^\top L x_j / T^2,

    which is between 0 and 1, and about 1/2 for a feature that is one value in each of two equal
    clusters. The best m are the J that minimises the objective for this L. A constant feature
    scores 0 and comes last. Duplicates of a feature are selected as one and share its score.

    Features with large units dominate the similarities: scale them first if units are arbitrary,
    e.g. with ``sklearn.preprocessing.StandardScaler``.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    n_clusters : int, default=5
        Most clusters K, and at most one for two samples. Nothing can depend on a single one, so
        that 1 says nothing.
    n_selected : int, default=10
        Number m of features on which the clusters depend. The paper takes the number of features
        that are to be selected; here the ranking does not depend on that number.
    beta : float, default=0.5
        Weight of the dependence on all data: with 1 the selected features have no say in the
        clusters, with 0 nothing else has.
    standardize : bool, default=True
        Whether features have unit spread in the first term; similarities are those of X as it
        is. False is as in the authors' code: features with a large spread come first.
        Their unit is then the root mean square of the m largest standard deviations, and that
        of the scores the largest one.
    max_iter : int, default=200
        Most iterations.
    tol : float, default=0.01
        Residual at which it has converged.

    Attributes
    ----------
    selected_ : ndarray of shape (m,)
        Indices of the features J, ascending. Constants and duplicates are not among them, so that
        there may be fewer than ``n_selected``.
    memberships_ : ndarray of shape (n_samples, n_clusters)
        V with :math:`L = V V^\top`: the product of two samples' rows is near 1 if they share a
        cluster, and near 0 if not. Signs and axes are arbitrary.
    objective_ : ndarray of shape (n_iter_,)
        The objective after each iteration. It rises on the whole, as L comes into its bounds.
    residuals_ : ndarray of shape (n_iter_,)
        The largest difference between L and its copy M, which is within the bounds.
    n_iter_ : int
        Iterations.
    converged_ : bool
        Whether the last residual is at most ``tol``. If not, L is not a partition, and
        ``remarks()`` says so.

    Notes
    -----
    The problem is that of the authors' code, where the number of clusters has a price in the place
    of a bound; the paper's own formulas were not at hand.

    It is solved by the alternating direction method of multipliers: L has the rank, a copy M of it
    the bounds, and the weight of their difference grows as it falls. This finds a local minimum,
    and the objective does not fall steadily on the way.

    Memory in addition to X: up to three copies in float64, and nine T × T tables.

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
    family = "sparse"
    supervised = False
    invariances = frozenset({"shift"})
    complexity = "O(T²n + iK(T² + Tn))"
    published_complexity = "N/A"
    reference = "Guo and Zhu 2018"

    _advice = (
        "Tables of all pairs of samples are held: rank fewer samples, or choose another method."
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
        """Return a sentence where no clusters were found."""
        if self.converged_:
            return []
        return [
            f"DGUFS: the clusters did not settle in {self.n_iter_} iterations, so that the scores "
            "are uncertain. Try more clusters (n_clusters) or iterations (max_iter)."
        ]

    def _probe(self, n_samples: int, n_features: int) -> Probe:
        (rows, columns), ratio = smaller(_work, (n_samples, n_features), PROBED_WORK)
        return Probe(self._score, (rows, columns), ratio)

    def _memory(self, n_samples: int, n_features: int) -> int:
        return 8 * (COPIES * n_samples * n_features + TABLES * n_samples**2)

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
        """Find L and J in turn; return J, and x'Lx of each feature."""
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
    """The two terms of the objective, as tables of samples and as numbers."""

    def __init__(self, features: Floats, similarity: Floats, beta: float, count: int):
        self.features, self.similarity, self.beta = features, similarity, beta
        self._count = min(count, features.shape[1])
        self._largest = np.sort(np.einsum("ij,ij->j", features, features))[::-1]

    def _unit(self, count: int) -> float:
        """The unit in which ``count`` unrelated features give entries of size 1, or less."""
        return (
            (1 - self.beta) * len(self.features) * count**0.5 / float(self._largest[:count].sum())
        )

    def table(self, chosen: NDArray[np.intp]) -> Floats:
        """The table whose product with L is to be large."""
        part = self.features[:, chosen]
        table: Floats = self._unit(len(chosen)) * (part @ part.T)
        table += self.beta * self.similarity
        return table

    def objective(self, dependence: Floats, vectors: Floats) -> float:
        """The objective, from x'Lx of the selected features and V."""
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
        """Update L, M and Λ for a table whose product with L is to be large.

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
    """Return about how much there is to do, up to a factor."""
    return float(n_samples) ** 2 * (n_samples + n_features)


def similarities(X: Floats) -> Floats:
    """S less the means of its rows and columns, in units of its off-diagonal entries."""
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
    """Return V with ``count`` columns, such that VV' is nearest to a symmetric table."""
    values, vectors = _largest(table, count)
    return vectors * np.sqrt(np.maximum(values, 0.0))


def _largest(table: Floats, count: int) -> tuple[Floats, Floats]:
    from scipy.linalg import eigh
    from scipy.sparse.linalg import ArpackNoConvergence, eigsh

    size = len(table)
    if size > max(DENSE_UP_TO, 4 * count):
        # Its start is the same always.
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
    """Return the nearest table with entries between 0 and 1, which are 1 on the diagonal."""
    nearest: Floats = np.clip(table, 0.0, 1.0)
    np.fill_diagonal(nearest, 1.0)
    return nearest


def best_rows(dependence: Floats, count: int) -> NDArray[np.intp]:
    """Return the indices of the ``count`` largest values, ascending."""
    return np.sort(np.argsort(-dependence, kind="stable")[:count])
