"""NDFS: nonnegative spectral clusters and a sparse regression on them, learnt together."""

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

# Added to every indicator of the first clusters, in units of their mean: what is 0 stays 0.
MIXED = 0.2
# Updates of the indicators for each regression.
UPDATES = 10
# Extrapolation of the indicators, in units of their last change: its value at first and after a
# failure, and its growth after each success.
FURTHER, GROWTH = 1.0, 1.5
# A row's length is rounded off near 0, so that it has a slope.
ROUND = 1e-3
# Tables of samples, or of features if there are fewer, that are held at a time.
TABLES = 4


class NDFS(Ranker):
    r"""Rank features by how well they explain clusters that are learnt with them (unsupervised).

    Nonnegative discriminative feature selection:

    .. math::
        \min_{F \ge 0, W} \mathrm{Tr}(F^\top L F)
        + \alpha \big(\|X W - F\|^2 + \beta \|W\|_{2,1}\big)
        + \frac{\gamma}{2} \|F^\top F - I\|^2, \qquad
        L = I - D^{-1/2} S D^{-1/2}

    S is the graph that joins two samples if either is among the k nearest of the other by
    Euclidean distance, with the weight :math:`S_{ih} = e^{-\|x_i - x_h\|^2 / t}` (or 1), and
    D holds the sums of its rows. F has one row per sample and one column per cluster; the last term
    makes clusters disjoint. W has one row per feature, :math:`\|W\|_{2,1}` is the sum of
    its rows' lengths, and the score of a feature is the length of its row. Features are centred,
    and so is F where it is compared with XW.

    F starts from spectral clustering by the same graph, without chance, and F and W are improved in
    turn; F is extrapolated in the direction of its updates as long as that lowers the objective.
    Features irrelevant to the clusters have rows that vanish; these are ordered by how much they
    would explain of the residual. A constant feature scores 0 and comes last. Duplicates of a
    feature take part as one and share its score.

    Features with large units dominate the distances: scale them first if units are arbitrary,
    e.g. with ``sklearn.preprocessing.StandardScaler``.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    n_clusters : int, default=5
        Number of clusters, the columns of F and W. More than there are do little harm: clusters
        are then divided.
    n_neighbors : int, default=5
        Number k of nearest samples; at most all the others are taken.
    weights : {"heat", "binary"}, default="heat"
        Weights of the graph: the heat kernel, or 1 for every pair that is joined.
    t : float or None, default=None
        Width of the heat kernel, in squared units of X. None is the mean squared distance of
        the samples to their k nearest.
    alpha : float, default=1.0
        Weight of the features against the graph.
    beta : float, default=1.0
        Weight of the number of features. A feature whose inner products with what is left of F
        to explain, a column each, have a length below β/2 has no part.
    gamma : float, default=10.0
        Weight of the clusters being disjoint. The paper has 10⁸, which leaves F as it was at the
        start.
    standardize : bool, default=True
        Whether features have unit length in the regression, so that their rows compare. False
        takes them in units of the longest, in which those with less spread cost more.
    max_iter : int, default=100
        Most regressions.
    tol : float, default=1e-4
        Relative change of the objective at which it has converged.
    n_jobs : int or None, default=None
        Threads of the search for neighbours, as in scikit-learn. The result does not depend on
        it.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features, n_columns)
        W; 0 for constants and duplicates of an earlier feature.
    indicators_ : ndarray of shape (n_samples, n_columns)
        F.
    clusters_ : ndarray of shape (n_samples,)
        The column in which each sample is largest.
    objective_ : ndarray of shape (n_iter_,)
        The objective after each turn, which never rises. A row's length l counts as
        :math:`\sqrt{l^2 + 0.001^2}`.
    n_iter_ : int
        Turns.
    t_ : float
        The width of the heat kernel.

    Notes
    -----
    Memory in addition to X: a copy in float64, that of the neighbour search, and some tables of
    T × T or n × n numbers, whichever is smaller.

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
        """The normalised graph, and indicators of clusters to start from."""
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
        """Improve W by a ridge whose costs are the slopes of the rows' lengths, and F, in turn."""
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
        """F times the root of what makes it grow over what makes it shrink.

        The objective is at most one whose minimum this is, a sum of fourth powers of F: hence the
        fourth root, and no step upwards.
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
    """Go on as from before to after: each indicator times its last change to a power."""
    change = np.divide(after, before, out=np.ones_like(after), where=before > 0)
    with np.errstate(over="ignore"):
        return after * change**further


def _centred(F: Floats) -> Floats:
    return F - F.mean(axis=0)
