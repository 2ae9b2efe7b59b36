"""Laplacian score: features that vary little between neighbours and much over all samples."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils.probe import Probe
from featrank.base.ranker import Floats, Ranker
from featrank.kernels import neighbours as kernels
from featrank.kernels.neighbours import Links
from featrank.neighbours.columns import Ranges, as_rows, map_columns
from featrank.neighbours.graph import NearGraph, graph_bytes, powers_of_two
from featrank.neighbours.nearest import probe_shape


class LaplacianScore(Ranker):
    r"""Rank features by how well they preserve neighbourhoods of samples (unsupervised).

    .. math::
        L_j = \frac{\tilde f_j^\top L \tilde f_j}{\tilde f_j^\top D \tilde f_j}
            = \frac{\sum_{i < h} S_{ih} (x_{ij} - x_{hj})^2}{\sum_i D_{ii} (x_{ij} - \mu_j)^2},
        \qquad \mu_j = \frac{\sum_i D_{ii} x_{ij}}{\sum_i D_{ii}}

    S is the graph that joins two samples if either is among the k nearest of the other by Euclidean
    distance, with the weight :math:`S_{ih} = e^{-\|x_i - x_h\|^2 / t}` (or 1); :math:`D_{ii} =
    \sum_h S_{ih}` and L = D - S. A small :math:`L_j` is better, so the score is :math:`1 - L_j`,
    which is in [-1, 1]. A constant feature scores -1 and comes last. Ties between equally distant
    samples go to the first row.

    Features with large units dominate the distances: scale them first if units are arbitrary,
    e.g. with ``sklearn.preprocessing.StandardScaler``.

    Read more in docs/methods/laplacian.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    n_neighbors : int, default=5
        Number k of nearest samples, at most all other samples.
    weights : {"heat", "binary"}, default="heat"
        Edge weights: the heat kernel, or 1.
    t : float or None, default=None
        Width of the heat kernel, in squared units of X. None uses the mean squared distance of the
        samples to their k nearest samples, so that multiplying X by a constant has no effect.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    laplacian_ : ndarray of shape (n_features,)
        The published score L, where smaller is better. 2 for a constant feature.
    t_ : float
        The width of the heat kernel.

    See Also
    --------
    SPEC : Smoothness on the graph of all pairs of samples.
    MCFS : Considers features jointly instead of one by one.

    Notes
    -----
    Memory in addition to X: two bytes per value, or a few matrices of all pairwise distances if
    that is less. X is copied only if its rows are not contiguous or not floats.

    References
    ----------
    .. [1] X. He, D. Cai and P. Niyogi, "Laplacian score for feature selection", Advances in
       Neural Information Processing Systems 18 (2005).

    Examples
    --------
    >>> from featrank import LaplacianScore
    >>> from sklearn.datasets import load_iris
    >>> X, _ = load_iris(return_X_y=True, as_frame=True)
    >>> LaplacianScore(n_features_to_select=2).fit(X).get_feature_names_out().tolist()
    ['petal length (cm)', 'petal width (cm)']
    """

    name = "laplacian"
    purpose = "Sample neighbourhoods"
    family = "neighbours"
    supervised = False
    invariances = frozenset({"shift"})
    complexity = "O(T²n)"
    published_complexity = "N/A"
    reference = "He, Cai and Niyogi 2005"

    n_neighbors: int = 5
    weights: str = "heat"
    t: float | None = None
    n_jobs: int | None = None

    def _probe(self, n_samples: int, n_features: int) -> Probe:
        rows, columns = probe_shape(n_samples, n_features)
        ratio = (n_samples / rows) ** 2 * n_features / columns
        return Probe(self._score, (rows, columns), ratio)

    def _memory(self, n_samples: int, n_features: int) -> int:
        return graph_bytes(n_samples, n_features, self.n_neighbors, self.n_jobs)

    def _score(self, X: Any, y: NDArray[np.intp] | None) -> Floats:
        X = as_rows(X)
        ranges = Ranges.of(X, self.n_jobs)
        widths = ranges.widths()
        graph = NearGraph.of(
            X, ranges, self.n_neighbors, weights=self.weights, t=self.t, n_jobs=self.n_jobs
        )
        self.t_ = graph.t
        scale = 1 / powers_of_two(widths)
        # A common factor of S cancels in L.
        ratio = self._ratio(X, graph.links(), graph.degree(), ranges.low, scale)
        self.laplacian_ = np.where(widths > 0, ratio, 2.0)
        return 1 - self.laplacian_

    def _ratio(self, X: Any, links: Links, degree: Floats, low: Floats, scale: Floats) -> Floats:
        near, overall = np.empty((2, X.shape[1]))

        def work(block: slice) -> None:
            columns = low[block], scale[block], near[block], overall[block]
            kernels.smoothness(X[:, block], *links, degree, *columns)

        map_columns(work, X.shape, self.n_jobs)
        ratio = np.divide(near, overall, out=np.full_like(near, 2.0), where=overall > 0)
        return np.minimum(ratio, 2.0)  # rounding may exceed the bound of L
