"""MCFS: sparse regressions that explain the clusters of a sample graph."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils import threads
from featrank._utils.blas import one_thread_if_small
from featrank._utils.probe import Probe
from featrank.base.ranker import Floats, Ranker
from featrank.neighbours.columns import Ranges, as_rows
from featrank.neighbours.graph import NearGraph, graph_bytes, probe_of_samples
from featrank.neighbours.spectral import smoothest
from featrank.solvers.duplicate_columns import originals
from featrank.solvers.lassos import lassos_at
from featrank.solvers.standardise import standardised

# A function with a smaller maximal correlation is unrelated to X, except for rounding errors.
LEAST_CORRELATION = 1e-9


class MCFS(Ranker):
    r"""Rank features by their coefficients in sparse regressions on clusters (unsupervised).

    Multi-cluster feature selection. Each sample is connected to its nearest samples. The K
    smoothest functions on this graph, the axes of spectral clustering, are explained by as few
    features as possible:

    .. math::
        L y_k = \lambda_k D y_k, \qquad
        a_k = \arg\min_a \|y_k - X a\|^2 + \beta_k \|a\|_1, \qquad
        s_j = \max_k |a_{kj}|

    S is the graph that joins two samples if either is among the k nearest of the other by Euclidean
    distance, with the weight :math:`S_{ih} = e^{-\|x_i - x_h\|^2 / t}` (or 1); :math:`D_{ii} =
    \sum_h S_{ih}` and L = D - S. The constant solution y is left out. :math:`\beta_k` is the point
    where least angle regression uses ``n_nonzero`` features and one more would enter. Features and
    y are centred, and y has unit norm.

    Most features of wide data have no coefficient. They score below 0: :math:`\max_k
    |\mathrm{cor}(x_j, y_k)| - 1`. A constant feature scores -1 and comes last. Duplicates of a
    feature enter as one and share its score.

    Features with large units dominate the distances: scale them first if units are arbitrary,
    e.g. with ``sklearn.preprocessing.StandardScaler``.

    Read more in docs/methods/mcfs.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    n_clusters : int, default=5
        Number K of functions: the expected number of clusters, as in the paper. At most the number
        of samples minus 1.
    n_neighbors : int, default=5
        Number k of nearest samples, at most all other samples.
    weights : {"heat", "binary"}, default="heat"
        Edge weights: the heat kernel, or 1.
    t : float or None, default=None
        Width of the heat kernel, in squared units of X. None uses the mean squared distance of the
        samples to their k nearest samples.
    n_nonzero : int, default=50
        Maximum number of features with a coefficient in each regression. The paper uses the number
        of features to select. Here the ranking does not depend on that number.
    standardize : bool, default=True
        Whether to scale features to unit variance in the regressions, so that coefficients are
        comparable. False is the published formula, in which features with smaller values get larger
        coefficients.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    coefficients_ : ndarray of shape (n_features, n_functions)
        The coefficients a, of standardised features or, without ``standardize``, in units of X. 0
        for duplicates of an earlier feature.
    correlation_ : ndarray of shape (n_features,)
        Largest absolute correlation with a function.
    eigenvalues_ : ndarray of shape (n_functions,)
        λ of each function, ascending. Functions that separate components of the graph have 0.
    t_ : float
        The width of the heat kernel.

    See Also
    --------
    NDFS : Learns the clusters and the regression jointly.
    LaplacianScore : Faster, scores single features.

    Notes
    -----
    Memory in addition to X: a float64 copy of X and the neighbour search. If the most correlated
    features do not suffice to follow a regularisation path, also ``n_nonzero`` numbers per feature
    and thread. A graph with more components than ``n_clusters`` has more solutions with λ = 0 than
    needed. Then y are the principal axes of the component means.

    References
    ----------
    .. [1] D. Cai, C. Zhang and X. He, "Unsupervised feature selection for multi-cluster data",
       ACM SIGKDD International Conference on Knowledge Discovery and Data Mining (2010).

    Examples
    --------
    >>> from featrank import MCFS
    >>> from sklearn.datasets import load_iris
    >>> X, _ = load_iris(return_X_y=True, as_frame=True)
    >>> MCFS(n_features_to_select=2, n_clusters=3).fit(X).get_feature_names_out().tolist()
    ['sepal length (cm)', 'petal length (cm)']
    """

    name = "mcfs"
    purpose = "Sparse cluster regression"
    family = "sparse"
    supervised = False
    invariances = frozenset({"shift"})
    complexity = "O(T²n + KdTn)"
    published_complexity = "O(T²n + Kd³ + TKd² + n log n)"
    reference = "Cai, Zhang and He 2010"

    n_clusters: int = 5
    n_neighbors: int = 5
    weights: str = "heat"
    t: float | None = None
    n_nonzero: int = 50
    standardize: bool = True
    n_jobs: int | None = None

    def _probe(self, n_samples: int, n_features: int) -> Probe:
        fit, given = self._score, (self.n_neighbors, self.n_jobs)
        return probe_of_samples(fit, n_samples, n_features, *given)

    def _memory(self, n_samples: int, n_features: int) -> int:
        search = graph_bytes(n_samples, n_features, self.n_neighbors, self.n_jobs)
        # A copy of X, and products of the features in use with all features if few do not suffice.
        used = min(self.n_nonzero, n_samples) * min(threads.workers(self.n_jobs), self.n_clusters)
        return search + 8 * n_features * (n_samples + used)

    def _score(self, X: Any, y: NDArray[np.intp] | None) -> Floats:
        with one_thread_if_small(X.size):
            return self._explained(X, self._functions(as_rows(X)))

    def _explained(self, X: Any, functions: Floats) -> Floats:
        """Return scores by the contribution of features to the functions."""
        features, spread = standardised(X)
        first = originals(features)
        correlation = np.abs(functions.T @ features)
        functions = functions * (correlation.max(axis=1) > LEAST_CORRELATION)
        self.correlation_ = correlation.max(axis=0)[first]
        unit = float(spread.max()) or 1.0
        if not self.standardize:
            features *= spread / unit
        features[:, first != np.arange(len(first))] = 0.0
        most = min(self.n_nonzero, len(features) - 1)
        self.coefficients_ = lassos_at(features, functions, most, self.n_jobs)
        size = np.abs(self.coefficients_).max(axis=1)[first]
        if not self.standardize:
            self.coefficients_ /= unit
            size = size / unit
        return np.where(size > 0, size, np.minimum(self.correlation_, 1.0) - 1)

    def _functions(self, X: Any) -> Floats:
        """Return the smoothest functions on the graph, with mean 0 and unit norm."""
        ranges = Ranges.of(X, self.n_jobs)
        graph = NearGraph.of(
            X, ranges, self.n_neighbors, weights=self.weights, t=self.t, n_jobs=self.n_jobs
        )
        smooth = smoothest(graph, X, self.n_clusters)
        self.t_, self.eigenvalues_ = graph.t, np.maximum(smooth.values, 0.0)
        functions = smooth.functions - smooth.functions.mean(axis=0)
        return functions / np.linalg.norm(functions, axis=0)
