"""UFSOL: a sparse projection that preserves clusters and the order of near samples."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank._utils.blas import one_thread_if_small
from featrank._utils.probe import Probe, smaller
from featrank._utils.progress import report
from featrank.base.parameters import NOT_NEGATIVE
from featrank.base.ranker import Floats, Ranker
from featrank.solvers.duplicate_columns import originals
from featrank.solvers.k_means import Labels, group_projector, k_means, single_spreads, within_spread
from featrank.solvers.simplex_projection import graph_laplacian, squared_distances
from featrank.solvers.sparse_rows import orthogonal_projection, row_lengths
from featrank.solvers.standardise import centred

# Projections in a turn, each at the lengths of the last one's rows.
REWEIGHTINGS = 5
# Rows that are not longer count as 0. The value of a feature alone changes its score by less.
NONE = 1e-3
# Multiplications of a part of a fit that is timed.
PROBED_WORK = 4e7
# Tables of T × T numbers, and of the size of X, that are held at once.
SQUARES, COPIES = 7, 3


class UFSOL(Ranker):
    r"""Rank features by a sparse projection that preserves clusters and neighbour order.

    .. math::
        \min_{W, U, V}\ \|W^\top X - U V\|^2
        + \alpha \sum_{i,\, u \in N_i} \tfrac12 C_{iu} \|W^\top x_i - W^\top x_u\|^2
        + \beta \|W\|_{2,1}, \qquad W^\top W = I,\quad V \ge 0,\ V V^\top = I

    The columns of X are the samples, less their mean. The first term is that of k-means: V holds
    the groups of the projected samples and U their centres. The second is ordinal locality: for
    two of the k nearest samples u, v of i, the nearer one is to stay nearer. Summed over all such
    triplets this gives every pair a weight, which grows as u comes nearer,

    .. math::
        \sum_{v \in N_i} (d_{iv} - d_{iu}) \quad\text{scaled to}\quad
        C_{iu} = \frac{\max_v d_{iv} - d_{iu}}{\max_v d_{iv} - \min_v d_{iv}}

    with the Euclidean distances d of the samples as they are given. The l2,1 norm lets few rows
    of W differ from 0. A feature is as good as its row is long, which is 1 at most.

    What is left of the other rows is there to cancel what disturbs these few, and says nothing.
    There :math:`a_j` decides, the first two terms for the feature alone as a part of the largest
    ones: the score is :math:`\|w_j\| - 0.001\,a_j`, and :math:`-a_j` if the row is not longer than
    0.001. A constant feature scores -2 and comes last. Duplicates of a feature take part as one and
    share its score.

    In W every feature has the length 1, unless ``scale_features=False``. A small spread is
    cheap for all terms, and W'W = I does not forbid it: without this the features with the least
    spread would come first.

    W, U and V are improved in turns, and no turn raises the value. What is found is a local
    minimum. Features with large units dominate the distances: scale them first if units are
    arbitrary.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    n_clusters : int, default=2
        Number of groups in which the samples are thought to fall. Two ask for a single direction,
        the one with the clearest structure.
    n_components : int or None, default=None
        Number of columns of W, at most one per feature that varies. None is ``n_clusters - 1``, but
        at least 1: as many directions as the centres span once the mean is taken off.
    n_neighbors : int, default=5
        Number k of nearest samples; at most all the others are taken.
    alpha : float, default=1.0
        Weight of ordinal locality.
    beta : float, default=1.0
        Weight of the l2,1 norm: with more of it, fewer rows of W differ from 0.
    scale_features : bool, default=True
        Whether every feature has the length 1 in W. Otherwise the longest one has.
    tol : float, default=1e-6
        The turns end when one lowers the value by less than this part of it.
    max_iter : int, default=50
        Most turns.

    Attributes
    ----------
    projection_ : ndarray of shape (n_features, n_components)
        W, of features of length 1; 0 for constants and duplicates of an earlier feature.
    alone_ : ndarray of shape (n_features,)
        The first two terms for each feature alone, as a part of the largest ones; 0 for constants.
    labels_ : ndarray of shape (n_samples,)
        The group of each sample; their numbers mean nothing.
    objective_ : ndarray of shape (n_iter_,)
        The value after each turn; it does not rise.
    n_iter_ : int
        Number of turns.

    Notes
    -----
    Time is O(T²n) per iteration, memory in addition to X some T × T tables and three copies of X.

    References
    ----------
    .. [1] J. Guo, Y. Guo, X. Kong and R. He, "Unsupervised feature selection with ordinal
       locality", IEEE International Conference on Multimedia and Expo (2017).

    Examples
    --------
    >>> from featrank import UFSOL
    >>> from sklearn.datasets import load_iris
    >>> X, _ = load_iris(return_X_y=True, as_frame=True)
    >>> UFSOL(n_features_to_select=1).fit(X).get_feature_names_out().tolist()
    ['petal length (cm)']
    """

    name = "ufsol"
    kind = "embedded"
    family = "sparse"
    supervised = False
    invariances = frozenset({"shift"})
    complexity = "O(T²n)"
    published_complexity = "N/A"
    reference = "Guo, Guo, Kong and He 2017"

    _advice = "It holds tables of all pairs of samples: rank fewer samples, or choose laplacian."

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "alpha": [NOT_NEGATIVE],
        "tol": [NOT_NEGATIVE],
    }

    n_clusters: int = 2
    n_components: int | None = None
    n_neighbors: int = 5
    alpha: float = 1.0
    beta: float = 1.0
    scale_features: bool = True
    tol: float = 1e-6
    max_iter: int = 50

    def _probe(self, n_samples: int, n_features: int) -> Probe:
        (rows, columns), ratio = smaller(_work, (n_samples, n_features), PROBED_WORK)
        return Probe(self._score, (rows, columns), ratio)

    def _memory(self, n_samples: int, n_features: int) -> int:
        return 8 * n_samples * (SQUARES * n_samples + COPIES * n_features)

    def _score(self, X: Any, y: NDArray[np.intp] | None) -> Floats:
        samples = centred(X, np.arange(len(X)))
        samples /= np.abs(samples).max() or 1.0  # so that no square is too small or too large
        lengths = np.linalg.norm(samples, axis=0)
        varies = lengths > 0
        self.objective_, self.n_iter_ = np.zeros(0), 0
        self.labels_ = np.zeros(len(X), np.intp)
        self.projection_ = np.zeros((X.shape[1], self.n_components or max(self.n_clusters - 1, 1)))
        self.alone_ = np.zeros(X.shape[1])
        if not varies.any():
            return np.full(X.shape[1], -2.0)
        graph = ordinal_laplacian(squared_distances(samples), self.n_neighbors)
        samples /= np.where(varies, lengths, 1.0) if self.scale_features else lengths.max()
        first = originals(samples)
        taken = np.flatnonzero(varies & (first == np.arange(len(first))))
        samples = samples if len(taken) == len(first) else samples[:, taken]
        with one_thread_if_small(samples.size):
            alone = self._alone(samples, graph)
            weights = self._learn(samples, graph, alone)
        self.projection_[taken, : weights.shape[1]] = weights
        self.alone_[taken] = alone / alone.max()
        scores = np.where(varies, self._by_length()[first], -2.0)
        self.alone_ = self.alone_[first]
        return scores

    def _by_length(self) -> Floats:
        length = np.linalg.norm(self.projection_, axis=1)
        return np.where(length > NONE, length - NONE * self.alone_, -self.alone_)

    def _alone(self, samples: Floats, graph: Floats) -> Floats:
        """Return the first two terms for each feature by itself."""
        spreads = single_spreads(samples, min(self.n_clusters, len(samples)))
        spreads += self.alpha * np.einsum("tj,tj->j", samples, graph @ samples)
        return np.maximum(spreads, 0.0) + np.finfo(float).eps  # rounding may pass 0

    def _learn(self, samples: Floats, graph: Floats, alone: Floats) -> Floats:
        """Return the projection after turns that each lower the value."""
        state, values = self._start(samples, alone), [np.inf]
        for turn in range(1, self.max_iter + 1):
            state = self._turn(samples, graph, state)
            values.append(self._value(samples, graph, state))
            report(turn, self.max_iter)
            if values[-2] - values[-1] <= self.tol * values[-1]:
                break
        report(self.max_iter, self.max_iter)
        self.objective_, self.n_iter_ = np.array(values[1:]), len(values) - 1
        self.labels_ = state.labels
        return state.weights

    def _start(self, samples: Floats, alone: Floats) -> _State:
        """Take the features that are the best alone, and lengths by how good each is alone."""
        lengths = alone.min() / alone
        count = min(self.projection_.shape[1], samples.shape[1])
        best = np.argsort(alone, kind="stable")[:count]
        weights = np.zeros((samples.shape[1], count))
        weights[best, np.arange(count)] = 1
        return _State(weights, lengths / np.linalg.norm(lengths), self._groups(samples[:, best]))

    def _turn(self, samples: Floats, graph: Floats, state: _State) -> _State:
        weights, lengths, labels = state
        structure = np.eye(len(labels)) - group_projector(labels) + self.alpha * graph
        for _ in range(REWEIGHTINGS):
            weights = orthogonal_projection(samples, structure, lengths, self.beta, weights)
            lengths = row_lengths(weights)
        return _State(weights, lengths, self._groups(samples @ weights, labels))

    def _groups(self, projected: Floats, labels: Labels | None = None) -> Labels:
        return k_means(projected, min(self.n_clusters, len(projected)), labels)

    def _value(self, samples: Floats, graph: Floats, state: _State) -> float:
        projected = samples @ state.weights
        near = self.alpha * np.vdot(projected, graph @ projected)
        grouped = within_spread(projected, state.labels)
        return float(grouped + near + self.beta * state.lengths.sum())


class _State(NamedTuple):
    """W, the lengths of its rows, and the groups V by their numbers."""

    weights: Floats
    lengths: Floats
    labels: Labels


def _work(n_samples: int, n_features: int) -> float:
    """Return about how much there is to do, up to a factor: some of it for any table."""
    rows = float(n_samples) * (n_samples + 200)
    return rows * (max(n_features, 100) + min(n_samples, n_features))


def ordinal_laplacian(squared: Floats, n_neighbors: int) -> Floats:
    """Return D - C of the weights that triplets of near samples give to pairs.

    If all neighbours are equally far, no one is nearer, and all weights are 1.
    """
    n_samples = len(squared)
    distances = np.sqrt(squared)
    np.fill_diagonal(distances, np.inf)
    nearest = np.argsort(distances, axis=1, kind="stable")[:, : min(n_neighbors, n_samples - 1)]
    near = np.take_along_axis(distances, nearest, axis=1)
    far, range_ = near[:, -1:], near[:, -1:] - near[:, :1]
    shares = np.divide(far - near, range_, out=np.ones_like(near), where=range_ > 0)
    weights = np.zeros_like(squared)
    np.put_along_axis(weights, nearest, shares, axis=1)
    return graph_laplacian(weights)
