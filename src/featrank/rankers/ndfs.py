"""NDFS: nonnegative spectral clusters and a sparse regression on them, learned jointly."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils.blas import one_thread_if_small
from featrank._utils.probe import Probe
from featrank._utils.progress import report
from featrank.base.ranker import Floats, Ranker
from featrank.neighbours.columns import Ranges, as_rows
from featrank.neighbours.graph import NearGraph, graph_bytes, probe_of_samples
from featrank.neighbours.spectral import smoothest, spectral_clusters
from featrank.solvers.duplicate_columns import originals
from featrank.solvers.sparse_rows import Ridge, row_lengths
from featrank.solvers.standardise import standardised

# Added to every initial indicator, in units of their mean, as an indicator of 0 stays 0.
MIXED = 0.2
# Updates of the indicators per regression.
UPDATES = 10
# Extrapolation of the indicators, in units of their last change: its value at the start and after a
# failure, and its growth after each success.
FURTHER, GROWTH = 1.0, 1.5
# A row's norm is smoothed near 0, so that it is differentiable.
ROUND = 1e-3
# Square matrices in memory at a time: of samples, or of features if there are fewer.
TABLES = 4


class NDFS(Ranker):
    r"""Rank features by how well they explain jointly learned clusters (unsupervised).

    Nonnegative discriminative feature selection:

    .. math::
        \min_{F \ge 0, W} \mathrm{Tr}(F^\top L F)
        + \alpha \big(\|X W - F\|^2 + \beta \|W\|_{2,1}\big)
        + \frac{\gamma}{2} \|F^\top F - I\|^2, \qquad
        L = I - D^{-1/2} S D^{-1/2}

    S is the graph that joins two samples if either is among the k nearest of the other by Euclidean
    distance, with the weight :math:`S_{ih} = e^{-\|x_i - x_h\|^2 / t}` (or 1), and D holds the sums
    of its rows. F has one row per sample and one column per cluster. The last term makes clusters
    disjoint. W has one row per feature, :math:`\|W\|_{2,1}` is the sum of the norms of its rows,
    and the score of a feature is the norm of its row. Features are centred, and so is F when
    compared with XW.

    F starts from a deterministic spectral clustering of the same graph. F and W are then updated in
    turn, and F is extrapolated in the direction of its updates as long as that lowers the
    objective. Rows of features irrelevant to the clusters vanish. These features are ordered by how
    much of the residual they would explain. A constant feature scores 0 and comes last. Duplicates
    of a feature count as one and share its score.

    Features with large units dominate the distances: scale them first if units are arbitrary,
    e.g. with ``sklearn.preprocessing.StandardScaler``.

    Read more in docs/methods/ndfs.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    n_clusters : int, default=5
        Number of clusters, the columns of F and W. A number that is too large does little harm:
        clusters are then split.
    n_neighbors : int, default=5
        Number k of nearest samples, at most all other samples.
    weights : {"heat", "binary"}, default="heat"
        Edge weights: the heat kernel, or 1.
    t : float or None, default=None
        Width of the heat kernel, in squared units of X. None uses the mean squared distance of the
        samples to their k nearest samples.
    alpha : float, default=1.0
        Weight of the features against the graph.
    beta : float, default=1.0
        Weight of the number of features. A feature is not used if its inner products with the
        columns of the residual of F have a norm below β/2.
    gamma : float, default=10.0
        Weight of the term that makes clusters disjoint. The paper uses 10⁸, which leaves F at its
        starting point.
    standardize : bool, default=True
        Whether to scale features to unit norm in the regression, so that their rows are comparable.
        With False the unit is the largest norm, and features with less variance are penalised more.
    max_iter : int, default=100
        Maximum number of regressions.
    tol : float, default=1e-4
        Iterations stop when the relative change of the objective is at most this.
    n_jobs : int or None, default=None
        Threads of the neighbour search, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features, n_columns)
        W. 0 for constants and duplicates of an earlier feature.
    indicators_ : ndarray of shape (n_samples, n_columns)
        F.
    clusters_ : ndarray of shape (n_samples,)
        The column of F with the largest value of each sample.
    objective_ : ndarray of shape (n_iter_,)
        The objective after each iteration, which never rises. A row's norm l counts as
        :math:`\sqrt{l^2 + 0.001^2}`.
    n_iter_ : int
        Number of iterations.
    t_ : float
        The width of the heat kernel.

    See Also
    --------
    MCFS : Computes the clusters first, then sparse regressions on them.
    UDFS : Also has an l2,1 penalty, with a local discriminant criterion.

    Notes
    -----
    Memory in addition to X: a float64 copy of X, the neighbour search, and several T × T or n × n
    matrices, whichever is smaller.

    References
    ----------
    .. [1] Z. Li, Y. Yang, J. Liu, X. Zhou and H. Lu, "Unsupervised feature selection using
       nonnegative spectral analysis", AAAI Conference on Artificial Intelligence (2012).

    Examples
    --------
    >>> from featrank import NDFS
    >>> from sklearn.datasets import load_iris
    >>> X, _ = load_iris(return_X_y=True, as_frame=True)
    >>> NDFS(n_features_to_select=2, n_clusters=3).fit(X).get_feature_names_out().tolist()
    ['petal length (cm)', 'petal width (cm)']
    """

    name = "ndfs"
    purpose = "Learned clusters"
    family = "sparse"
    supervised = False
    invariances = frozenset({"shift"})
    complexity = "O(T²n), O(T²n + n³) if T > n"
    published_complexity = "N/A"
    reference = "Li, Yang, Liu, Zhou and Lu 2012"

    n_clusters: int = 5
    n_neighbors: int = 5
    weights: str = "heat"
    t: float | None = None
    alpha: float = 1.0
    beta: float = 1.0
    gamma: float = 10.0
    standardize: bool = True
    max_iter: int = 100
    tol: float = 1e-4
    n_jobs: int | None = None

    def _probe(self, n_samples: int, n_features: int) -> Probe:
        fit, given = self._score, (self.n_neighbors, self.n_jobs)
        return probe_of_samples(fit, n_samples, n_features, *given)

    def _memory(self, n_samples: int, n_features: int) -> int:
        search = graph_bytes(n_samples, n_features, self.n_neighbors, self.n_jobs)
        tables = TABLES * min(n_samples, n_features) ** 2
        return search + 8 * (2 * n_samples * n_features + tables)

    def _score(self, X: Any, y: NDArray[np.intp] | None) -> Floats:
        near, indicators = self._graph(as_rows(X))
        features, spread = standardised(X)
        first = originals(features)
        taken = np.flatnonzero((first == np.arange(len(first))) & (spread > 0))
        unit = 1.0
        if not self.standardize:
            unit = float(spread.max()) or 1.0
            features *= spread / unit
        self.weights_ = np.zeros((len(first), indicators.shape[1]))
        with one_thread_if_small(features.size):
            weights, self.indicators_ = self._learnt(near, features[:, taken], indicators)
        self.weights_[taken] = weights / unit
        self.clusters_ = self.indicators_.argmax(axis=1)
        return np.linalg.norm(self.weights_, axis=1)[first]

    def _graph(self, X: Any) -> tuple[Any, Floats]:
        """Return the normalised graph, and initial cluster indicators."""
        graph = NearGraph.of(
            X,
            Ranges.of(X, self.n_jobs),
            self.n_neighbors,
            weights=self.weights,
            t=self.t,
            n_jobs=self.n_jobs,
        )
        self.t_ = graph.t
        cluster = spectral_clusters(smoothest(graph, X, self.n_clusters - 1))
        members = (cluster[:, np.newaxis] == np.unique(cluster)).astype(np.float64)
        indicators = members / np.sqrt(members.sum(axis=0))
        indicators += MIXED * np.sqrt(members.shape[1] / len(X))
        return graph.normalised()[0], indicators / np.linalg.norm(indicators, axis=0)

    def _learnt(self, near: Any, features: Floats, indicators: Floats) -> tuple[Floats, Floats]:
        """Update W, by a ridge regression reweighted by the row norms, and F in turn."""
        ridge, objective = Ridge.of(features), list[float]()
        slope, further = np.full(features.shape[1], 0.5), FURTHER
        while len(objective) < self.max_iter:
            weights = ridge.solve(_centred(indicators), self.beta * slope)
            length, explained = row_lengths(weights, ROUND), features @ weights
            slope, before = 0.5 / length, indicators
            for _ in range(UPDATES):
                indicators = self._updated(near, indicators, explained)
            value = self._value(near, indicators, explained, length)
            beyond = _beyond(before, indicators, further)
            reached = self._value(near, beyond, explained, length)
            further = GROWTH * further if reached < value else FURTHER
            if reached < value:
                indicators, value = beyond, reached
            objective.append(value)
            report(len(objective), self.max_iter)
            if len(objective) > 1 and objective[-2] - objective[-1] <= self.tol * objective[-1]:
                break
        report(self.max_iter, self.max_iter)
        self.objective_, self.n_iter_ = np.array(objective), len(objective)
        return weights, indicators

    def _updated(self, near: Any, F: Floats, explained: Floats) -> Floats:
        """Return F multiplied by the fourth root of its positive over its negative gradient part.

        This is the minimum of an upper bound of the objective, a sum of fourth powers of F. So the
        objective never rises.
        """
        grow = near @ F + self.alpha * (F.mean(axis=0) + np.maximum(explained, 0.0))
        shrink = (1 + self.alpha) * F + self.alpha * np.maximum(-explained, 0.0)
        together = F.T @ F
        return F * np.sqrt(np.sqrt((grow + self.gamma * F) / (shrink + self.gamma * F @ together)))

    def _value(self, near: Any, F: Floats, explained: Floats, length: Floats) -> float:
        smooth = float((F * (F - near @ F)).sum())
        unexplained = float(((explained - _centred(F)) ** 2).sum())
        overlap = float(((F.T @ F - np.eye(F.shape[1])) ** 2).sum())
        sparse = unexplained + self.beta * float(length.sum())
        return smooth + self.alpha * sparse + self.gamma / 2 * overlap


def _beyond(before: Floats, after: Floats, further: float) -> Floats:
    """Extrapolate from before to after: each indicator times a power of its last change."""
    change = np.divide(after, before, out=np.ones_like(after), where=before > 0)
    with np.errstate(over="ignore"):
        return after * change**further


def _centred(F: Floats) -> Floats:
    return F - F.mean(axis=0)
