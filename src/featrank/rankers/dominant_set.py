"""Dominant sets: clusters of redundant features, ranked by what each adds to its cluster."""

from __future__ import annotations

import os
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from featrank._utils.progress import report
from featrank._utils.sklearn import Interval
from featrank.base.greedy import Chosen
from featrank.base.information import InformationRanker
from featrank.base.parameters import POSITIVE
from featrank.base.ranker import Floats
from featrank.base.shown_values import ShownValues
from featrank.data.matrix import Matrix
from featrank.exceptions import DataError
from featrank.graph.dominant_sets import dominant_sets
from featrank.kernels.contingency import Indices
from featrank.pairwise.argmax_ties import first_of_largest
from featrank.pairwise.contingency import Contingency
from featrank.rankers.mrmr import ratio

# Number of features whose edges are computed between two progress reports.
ROWS = 64


class DominantSet(InformationRanker):
    r"""Cluster the features by shared information, then rank by what each adds to its cluster.

    1. The features are the vertices of a graph with edge weights

       .. math:: W_{ij} = \frac{2 I(f_i; f_j)}{H(f_i) + H(f_j)}, \qquad W_{ii} = 0.

    2. Replicator dynamics :math:`x_i \leftarrow x_i (Wx)_i / x^\top W x`, started from equal
       shares, end in an equilibrium whose support is a dominant set: features that share more with
       each other than with other features. The set is removed from the graph, and the search
       continues until every feature belongs to a set.
    3. Within a set D, features are selected greedily by the multidimensional interaction
       information of the selected features with the class C,

       .. math:: f_k = \arg\max_{f \in D} I(f_1, \ldots, f_{k-1}, f; C),

       with ties broken by :math:`I(f; C)`, then by index. Once no feature adds information, the
       remaining ones are ordered by :math:`I(f; C)`.

    The first choices of all sets rank first, then the second choices, and so on. Within such a
    round, features are ordered by what they added to the interaction information of their set, then
    by :math:`I(f; C)`. So the best feature has the largest mutual information with the class, and
    its duplicate comes a round later.

    The weights take 8n² bytes (200 MB for n = 5000) and O(Tn²) time, and the clustering up to
    O(n³). If there are many features, rank them with another method first and keep the best few
    thousand. A constant feature belongs to no set and comes last.

    Read more in docs/methods/dominant-set.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all. All other features
        follow, ordered by their relevance I(f; C).
    bins : int or "auto", default="auto"
        Bins of a feature, at most 256. "auto" is 20 for more than 200 samples, otherwise a tenth of
        the samples, but at least 10. Use few bins, as the joint information of several features
        needs many samples per bin.
    binning : {"width", "quantile"}, default="width"
        Bins of equal width, or quantile bins.
    tol : float, default=1e-6
        Tolerance for the distance from equilibrium, relative to xᵀWx.
    max_iter : int, default=100
        Maximum number of replicator steps per set. If they have not converged, shares are exchanged
        between pairs of features, which ends in a fixed point of the same dynamics.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    labels_ : ndarray of shape (n_features,)
        Index of each feature's dominant set, from 0 in the order in which they are found. -1 for a
        constant feature.
    n_iter_ : int
        Largest number of replicator steps for a set.
    relevance_ : ndarray of shape (n_features,)
        I(f; C) in nats.
    criterion_ : ndarray of shape (n_features,)
        What each selected feature added to the interaction information of its set. NaN for
        features that were not selected and for constants.

    See Also
    --------
    MRMR : Balances relevance and redundancy without clusters, and is faster.
    CMIM : Also considers what a feature adds to those selected.

    References
    ----------
    .. [1] Z. Zhang and E. R. Hancock, "A graph-based approach to feature selection",
       Graph-Based Representations in Pattern Recognition (2011).
    .. [2] M. Pavan and M. Pelillo, "Dominant sets and pairwise clustering", IEEE Transactions on
       Pattern Analysis and Machine Intelligence 29 (2007).

    Examples
    --------
    >>> from featrank import DominantSet
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> ranker = DominantSet(n_features_to_select=3, bins=5).fit(X, y)
    >>> X.columns[ranker.labels_ == 0].tolist()
    ['mean radius', 'mean perimeter', 'mean area', 'worst radius', 'worst perimeter', 'worst area']
    """

    name = "dominant-set"
    purpose = "Groups sharing information"
    family = "graph"
    redundancy_aware = True
    complexity = "O(Tn² + n³)"
    published_complexity = "N/A"
    reference = "Zhang and Hancock 2011"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "tol": [POSITIVE],
        "max_iter": [Interval(Integral, 0, None, closed="left")],
    }

    tol: float = 1e-6
    max_iter: int = 100

    def shown_values(self) -> ShownValues:
        """Return the information that each feature added to its set."""
        return ShownValues(self.criterion_, "added information", comparable=False)

    def _choose(self, X: Any, y: NDArray[np.intp], count: int) -> Chosen:
        _require_memory(X.shape[1])
        tables = Matrix(X, y).pair_tables(self)
        relevance = tables.relevance()
        round_, gain = np.full(tables.n_features, tables.n_features), np.zeros(tables.n_features)
        self.labels_ = np.full(tables.n_features, -1)
        for label, members in enumerate(self._sets(tables)):
            order, gains = by_interaction(tables, members, relevance)
            self.labels_[members] = label
            round_[order] = np.arange(len(order))
            gain[order] = gains
        chosen = np.lexsort((-relevance, -gain, round_))[:count]
        gain[self.labels_ < 0] = np.nan
        return chosen, gain[chosen], relevance

    def _sets(self, tables: Contingency) -> list[Indices]:
        weights = shared_information(tables)
        useful = np.flatnonzero(tables.entropy() > 0)
        graph = weights if len(useful) == len(weights) else weights[np.ix_(useful, useful)]
        sets, assigned, self.n_iter_ = [], 0, 1
        for members, n_iter in dominant_sets(
            graph, tol=self.tol, max_iter=self.max_iter, n_jobs=self.n_jobs
        ):
            sets.append(useful[members])
            assigned += len(members)
            self.n_iter_ = max(self.n_iter_, n_iter)
            report(tables.n_features + assigned, 2 * tables.n_features)
        return sets


def shared_information(tables: Contingency) -> Floats:
    """Return the matrix of 2·I(f; s)/(H(f) + H(s)), with zeros on its diagonal."""
    n_features, entropy = tables.n_features, tables.entropy()
    weights = np.zeros((n_features, n_features))
    for start in range(0, n_features, ROWS):
        rows = range(start, min(start + ROWS, n_features))
        for feature, shared in zip(rows, tables.redundancies(rows), strict=True):
            both = entropy[feature] + entropy[feature + 1 :]
            weights[feature, feature + 1 :] = ratio(2 * shared, both)
        weights[start:, rows.start : rows.stop] += weights[rows.start : rows.stop, start:].T
        report(rows.stop, 2 * n_features)
    return weights


def by_interaction(
    tables: Contingency, members: Indices, relevance: Floats
) -> tuple[Indices, Floats]:
    """Order the members of a set by interaction information, and return what each adds."""
    left, order, gains = members, [], []
    states = np.zeros(tables.n_samples, np.int64)
    reached = 0.0
    while len(left) and reached < tables.class_entropy():
        values = tables.set_relevance(states.astype(np.uint32), left)
        if values.max() <= reached:
            break
        best = first_of_largest(values, relevance[left])
        order.append(left[best])
        gains.append(values[best] - reached)
        reached = values[best]
        states = tables.refined(states, int(left[best]))
        left = np.delete(left, best)
    rest = left[np.argsort(-relevance[left], kind="stable")]
    return np.concatenate([np.array(order, np.int64), rest]), np.append(gains, np.zeros(len(rest)))


def _require_memory(n_features: int) -> None:
    """Raise an error if the matrix of weights would not fit into memory."""
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return
    if 8 * n_features**2 > memory:
        raise DataError(
            f"DominantSet stores a weight per pair of features: {n_features} features need "
            f"{8 * n_features**2 / 1e9:.3g} GB, but this computer has {memory / 1e9:.3g} GB. "
            "Select the best 2000 features with another method first, e.g. mrmr."
        )
