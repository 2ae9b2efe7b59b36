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
from featrank.base.shown_values import ShownValues
from featrank.solvers.duplicate_columns import originals
from featrank.solvers.k_means import Labels, group_projector, k_means, single_spreads, within_spread
from featrank.solvers.simplex_projection import graph_laplacian, squared_distances
from featrank.solvers.sparse_rows import orthogonal_projection, row_lengths
from featrank.solvers.standardise import centred

# Projections per iteration, each reweighted by the row norms of the last one.
REWEIGHTINGS = 5
# Rows with at most this norm count as 0. The objective of a feature alone changes its score by
# less.
NONE = 1e-3
# Multiplications in the part of a fit that is timed.
PROBED_WORK = 4e7
# T × T matrices, and copies of X, in memory at a time.
SQUARES, N_COPIES = 7, 3


class UFSOL(Ranker):
    r"""Rank features by a sparse projection that preserves clusters and neighbour order.

    .. math::
        \min_{W, U, V}\ \|W^\top X - U V\|^2
        + \alpha \sum_{i,\, u \in N_i} \tfrac12 C_{iu} \|W^\top x_i - W^\top x_u\|^2
        + \beta \|W\|_{2,1}, \qquad W^\top W = I,\quad V \ge 0,\ V V^\top = I

    The columns of X are the centred samples. The first term is that of k-means: V holds the
    clusters of the projected samples and U their centres. The second term is ordinal locality: of
    two neighbours u, v of i, the nearer one should stay nearer. Summed over all such triplets, this
    gives every pair a weight, which is larger for nearer samples,

    .. math::
        \sum_{v \in N_i} (d_{iv} - d_{iu}) \quad\mathrm{scaled to}\quad
        C_{iu} = \frac{\max_v d_{iv} - d_{iu}}{\max_v d_{iv} - \min_v d_{iv}}

    with the Euclidean distances d of the samples in X as given. The l2,1 norm leaves few nonzero
    rows of W. Features are ranked by the norm of their row, which is at most 1.

    Small entries in the other rows only cancel noise and carry no information. There the ranking
    uses :math:`a_j`, the first two terms for the feature alone as a fraction of the largest. The
    score is :math:`\|w_j\| - 0.001\,a_j`, or :math:`-a_j` if the norm is at most 0.001. A constant
    feature scores -2 and comes last. Duplicates of a feature count as one and share its score.

    Features are scaled to unit norm, unless ``scale_features=False``. Otherwise features with a
    small variance would come first, as all terms favour them and W'W = I does not prevent it.

    W, U and V are updated in turn, and no iteration raises the objective. The result is a local
    minimum. Features with large units dominate the distances: scale them first if units are
    arbitrary.

    Read more in docs/methods/ufsol.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    n_clusters : int, default=2
        Expected number of clusters. With two, the projection has a single direction, the one with
        the clearest structure.
    n_components : int or None, default=None
        Number of columns of W, at most one per feature that varies. None is ``n_clusters - 1``, but
        at least 1: the dimension that centred cluster means span.
    n_neighbors : int, default=5
        Number k of nearest samples, at most all other samples.
    alpha : float, default=1.0
        Weight of ordinal locality.
    beta : float, default=1.0
        Weight of the l2,1 norm. Larger values leave fewer nonzero rows of W.
    scale_features : bool, default=True
        Whether to scale every feature to unit norm. With False only the largest norm is 1.
    tol : float, default=1e-6
        Iterations stop when the relative decrease of the objective is below this.
    max_iter : int, default=50
        Maximum number of iterations.

    Attributes
    ----------
    projection_ : ndarray of shape (n_features, n_components)
        W, for features of unit norm. 0 for constants and duplicates of an earlier feature.
    alone_ : ndarray of shape (n_features,)
        The first two terms for each feature alone, as a fraction of the largest. 0 for constants.
    labels_ : ndarray of shape (n_samples,)
        The cluster of each sample. The numbers are arbitrary.
    objective_ : ndarray of shape (n_iter_,)
        The objective after each iteration, which never rises.
    n_iter_ : int
        Number of iterations.

    See Also
    --------
    UDFS : Preserves neighbourhoods without their order.
    LaplacianScore : Much faster, for many samples.

    Notes
    -----
    Time is O(T²n) per iteration. Memory in addition to X: several T × T matrices and three copies
    of X.

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
    purpose = "Clusters and their order"
    kind = "embedded"
    family = "sparse"
    supervised = False
    invariances = frozenset({"shift"})
    complexity = "O(T²n)"
    published_complexity = "N/A"
    reference = "Guo, Guo, Kong and He 2017"

    _advice = "It stores matrices of all pairs of samples. Rank fewer samples, or use laplacian."

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

    def shown_values(self) -> ShownValues:
        """Return the length of each feature's row of W, if it is longer than 0.001."""
        lengths = np.where(self.scores_ > 0, self.scores_ + NONE * self.alone_, np.nan)
        return ShownValues(lengths, "row length")

    def _probe(self, n_samples: int, n_features: int) -> Probe:
        (rows, columns), ratio = smaller(_work, (n_samples, n_features), PROBED_WORK)
        return Probe(self._score, (rows, columns), ratio)

    def _memory(self, n_samples: int, n_features: int) -> int:
        return 8 * n_samples * (SQUARES * n_samples + N_COPIES * n_features)

    def _score(self, X: Any, y: NDArray[np.intp] | None) -> Floats:
        samples = centred(X, np.arange(len(X)))
        samples /= np.abs(samples).max() or 1.0  # so that no square overflows or underflows
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
        """Return the first two terms for each feature alone."""
        spreads = single_spreads(samples, min(self.n_clusters, len(samples)))
        spreads += self.alpha * np.einsum("tj,tj->j", samples, graph @ samples)
        return np.maximum(spreads, 0.0) + np.finfo(float).eps  # rounding may go below 0

    def _learn(self, samples: Floats, graph: Floats, alone: Floats) -> Floats:
        """Return the projection after iterations that each lower the objective."""
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
        """Start with the best single features, and norms by how good each is alone."""
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
    """W, the norms of its rows, and the cluster labels V."""

    weights: Floats
    lengths: Floats
    labels: Labels


def _work(n_samples: int, n_features: int) -> float:
    """Return the approximate amount of work, up to a factor, with a constant part."""
    rows = float(n_samples) * (n_samples + 200)
    return rows * (max(n_features, 100) + min(n_samples, n_features))


def ordinal_laplacian(squared: Floats, n_neighbors: int) -> Floats:
    """Return D - C for the pair weights C given by triplets of near samples.

    If all neighbours are equally distant, all weights are 1.
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
