"""UDFS: a sparse rotation in which neighbourhoods are compact."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank._utils.blas import one_thread_if_small
from featrank._utils.probe import Probe
from featrank._utils.progress import report
from featrank.base.parameters import POSITIVE
from featrank.base.ranker import Floats, Ranker
from featrank.base.tuning import Tunable
from featrank.neighbours.columns import Ranges, as_rows
from featrank.neighbours.graph import graph_bytes, nearest_rows, probe_of_samples
from featrank.neighbours.neighbourhoods import centred_products, scattered, with_own
from featrank.solvers.duplicate_columns import originals
from featrank.solvers.low_rank import diagonal_plus, product_is_made, smallest_vectors
from featrank.solvers.sparse_rows import row_lengths
from featrank.solvers.standardise import standardised

# A row's norm is smoothed near 0, so that it is differentiable. Rows that are not much longer count
# as 0, and norms that differ by less count as equal.
ROUND, NONE = 1e-3, 1e-2
# In memory at a time: square matrices of samples, or of features if there are fewer, copies of X,
# vectors of features per cluster, and bytes per pair of members of a neighbourhood.
TABLES, N_COPIES, VECTORS, PAIR_BYTES = 5, 4, 24, 48
# A scatter below this fraction of the largest possible one is a rounding error.
ROUNDING = 1e-12


class UDFS(Ranker):
    r"""Rank features by a sparse rotation that makes neighbourhoods compact (unsupervised).

    Unsupervised discriminative feature selection:

    .. math::
        \min_{W^\top W = I} \mathrm{Tr}(W^\top M W) + \gamma \|W\|_{2,1}, \qquad
        M = \sum_i \tilde X_i^\top (\tilde X_i \tilde X_i^\top + \lambda I)^{-1} \tilde X_i

    :math:`\tilde X_i` holds sample i and its k nearest samples, centred, one per row. W has one row
    per feature and ``n_clusters`` columns, and :math:`\|W\|_{2,1}` is the sum of the norms of its
    rows. The first term comes from a local discriminant criterion. It is small if the rotated
    samples differ little from their neighbours. The second term leaves few features in use.
    Features are ranked by the norm of their row of W, which is at most 1.

    The norms are almost equal for the features in use, and close to 0 for all others. Ties are
    broken by :math:`m_j = M_{jj} / \max_h M_{hh}`, the first term for a feature alone. The score is
    :math:`\|w_j\| - 0.01\,m_j`, or :math:`-m_j` if the norm is below 0.01. A constant feature would
    be the best by the formula, so it is left out, scores -2 and comes last. Duplicates of a feature
    count as one and share its score.

    Features with large units dominate the distances: scale them first if units are arbitrary,
    e.g. with ``sklearn.preprocessing.StandardScaler``.

    Read more in docs/methods/udfs.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    n_clusters : int, default=5
        Number of columns of W: the expected number of clusters, as in the paper. At least this many
        features are in use.
    n_neighbors : int, default=5
        Number k of nearest samples, at most all other samples.
    gamma : float or "cv", default=3.0
        Weight of the second term, in units of the mean of M's diagonal. Larger values leave fewer
        features in use. "cv" chooses among 0.03, 0.1, 0.3, 1, 3 and 10 by cross-validation, which
        needs class labels, and keeps 3 unless another value is clearly better.
    lam : float, default=1.0
        λ, in units of the mean squared distance of the samples from their mean.
    standardize : bool, default=True
        Whether to scale features to unit variance in M, where each sample counts as often as it
        occurs in a neighbourhood. Neighbours are always those of X as given. False is the published
        formula, in which the features with the smallest values are the best.
    max_iter : int, default=100
        Maximum number of iterations.
    tol : float, default=1e-6
        Iterations stop when the relative change of the objective is at most this.
    n_jobs : int or None, default=None
        Threads of the neighbour search, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features, n_columns)
        W. 0 for constants and duplicates of an earlier feature.
    local_scatter_ : ndarray of shape (n_features,)
        The diagonal of M. 0 for constants.
    penalty_, lam_ : float
        γ and λ in the units of the formula.
    objective_ : ndarray of shape (n_iter_,)
        The objective after each iteration, which never rises. A row's norm l counts as
        :math:`\sqrt{l^2 + 0.001^2}`.
    n_iter_ : int
        Number of iterations.

    See Also
    --------
    NDFS : Learns nonnegative cluster indicators.
    FSASL : Also learns which samples are neighbours.

    Notes
    -----
    Memory in addition to X: four float64 copies of X, the neighbour search, T (k + 1)² numbers for
    the neighbourhoods, and several T × T or n × n matrices, whichever is smaller.

    References
    ----------
    .. [1] Y. Yang, H. T. Shen, Z. Ma, Z. Huang and X. Zhou, "L2,1-norm regularized discriminative
       feature selection for unsupervised learning", International Joint Conference on Artificial
       Intelligence (2011).

    Examples
    --------
    >>> from featrank import UDFS
    >>> from sklearn.datasets import load_iris
    >>> X, _ = load_iris(return_X_y=True, as_frame=True)
    >>> UDFS(n_features_to_select=2, n_clusters=2).fit(X).get_feature_names_out().tolist()
    ['petal length (cm)', 'petal width (cm)']
    """

    name = "udfs"
    purpose = "Compact neighbourhoods"
    family = "sparse"
    supervised = False
    invariances = frozenset({"shift"})
    complexity = "O(T²n), O(T²n + n³) if T > n"
    published_complexity = "O(n³)"
    reference = "Yang, Shen, Ma, Huang and Zhou 2011"
    tunable = Tunable("gamma", (0.03, 0.1, 0.3, 1.0, 10.0, 3.0), fallback=3.0)

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"gamma": [POSITIVE]}

    n_clusters: int = 5
    n_neighbors: int = 5
    gamma: float | str = 3.0
    lam: float = 1.0
    standardize: bool = True
    max_iter: int = 100
    tol: float = 1e-6
    n_jobs: int | None = None

    def _probe(self, n_samples: int, n_features: int) -> Probe:
        fit, given = self._score, (self.n_neighbors, self.n_jobs)
        return probe_of_samples(fit, n_samples, n_features, *given)

    def _memory(self, n_samples: int, n_features: int) -> int:
        search = graph_bytes(n_samples, n_features, self.n_neighbors, self.n_jobs)
        tables = TABLES * min(n_samples, n_features) ** 2
        pairs = PAIR_BYTES * n_samples * min(self.n_neighbors + 1, n_samples) ** 2
        searched = VECTORS * min(self.n_clusters, n_features) * n_features
        return search + pairs + 8 * (N_COPIES * n_samples * n_features + tables + searched)

    def _score(self, X: Any, y: NDArray[np.intp] | None) -> Floats:
        rows = as_rows(X)
        near = nearest_rows(rows, Ranges.of(rows, self.n_jobs), self.n_neighbors, self.n_jobs)
        features, spread = standardised(X)
        first = originals(features)
        taken = np.flatnonzero((first == np.arange(len(first))) & (spread > 0))
        members = with_own(near)
        if self.standardize:
            features /= _counted_spread(features, members)
        else:
            features *= spread / (spread.max() or 1.0)
        self.local_scatter_ = np.zeros(len(first))
        self.weights_ = np.zeros((len(first), min(self.n_clusters, len(taken))))
        scatter = self._scatter(features[:, taken], members)
        self.local_scatter_[taken] = scatter.diagonal
        with one_thread_if_small(features.size):
            self.weights_[taken] = self._rotated(scatter)
        scores = np.where(spread > 0, self._by_weight()[first], -2.0)
        self.local_scatter_ = self.local_scatter_[first]
        return scores

    def _by_weight(self) -> Floats:
        length = np.sqrt((self.weights_**2).sum(axis=1))
        alone = self.local_scatter_ / (self.local_scatter_.max() or 1.0)
        return np.where(length > NONE, length - NONE * alone, -alone)

    def _scatter(self, features: Floats, members: NDArray[np.int64]) -> _Scatter:
        size = members.shape[1]
        total = float(np.einsum("ij,ij->", features, features))
        self.lam_ = self.lam * (total / len(features) or 1.0)
        blocks, mean = np.empty((len(members), size, size)), np.full((size, size), 1 / size)
        for own, products in centred_products(features, members):
            inverse = np.linalg.inv(products + self.lam_ * np.eye(size))
            inverse -= mean @ inverse
            blocks[own] = inverse - inverse @ mean
        scatter = _Scatter.of(features, scattered(blocks, members, len(features)))
        mean_scatter = float(scatter.diagonal.mean()) if len(scatter.diagonal) else 0.0
        significant = mean_scatter > ROUNDING * size / self.lam_
        self.penalty_ = self.gamma_ * (mean_scatter if significant else 1.0)
        return scatter

    def _rotated(self, scatter: _Scatter) -> Floats:
        """Minimise by linearising the row norms, which gives a sequence of eigenproblems."""
        diagonal, objective = scatter.diagonal, list[float]()
        count, weights = min(self.n_clusters, len(diagonal)), None
        # The start favours features that vary little within neighbourhoods.
        slope = (1 + diagonal * self.gamma_ / self.penalty_) / 2
        while count and len(objective) < self.max_iter:
            weights = smallest_vectors(scatter.plus(self.penalty_ * slope), count, weights)
            length = row_lengths(weights, ROUND)
            slope = 0.5 / length
            objective.append(scatter.within(weights) + self.penalty_ * float(length.sum()))
            report(len(objective), self.max_iter)
            if len(objective) > 1 and objective[-2] - objective[-1] <= self.tol * objective[-1]:
                break
        report(self.max_iter, self.max_iter)
        self.objective_, self.n_iter_ = np.array(objective), len(objective)
        return np.zeros((len(diagonal), 0)) if weights is None else weights


def _counted_spread(features: Floats, members: NDArray[np.int64]) -> Floats:
    """Return the root of the sum of squares, with each sample counted once per neighbourhood.

    Otherwise, samples that are near many others would penalise features on which they differ.
    """
    times = np.bincount(members.ravel(), minlength=len(features)) / members.shape[1]
    mean = times @ features / len(features)
    squares = np.einsum("i,ij,ij->j", times, features, features) - len(features) * mean**2
    return np.sqrt(np.where(squares > 0, squares, 1.0))


class _Scatter(NamedTuple):
    """M = XᵀBX, stored as an n × n matrix if that is small."""

    features: Floats
    between: Any
    table: Floats | None
    diagonal: Floats

    @classmethod
    def of(cls, features: Floats, between: Any) -> _Scatter:
        half = between @ features
        diagonal = np.maximum(np.einsum("ij,ij->j", features, half), 0.0)
        made = product_is_made(*features.shape)
        return cls(features, between, features.T @ half if made else None, diagonal)

    def plus(self, diagonal: Floats) -> Any:
        return diagonal_plus(diagonal, self.features, self.between, self.table, self.diagonal)

    def within(self, weights: Floats) -> float:
        """Tr(WᵀMW)."""
        rotated = self.features @ weights
        return float(np.einsum("ij,ij->", rotated, self.between @ rotated))
