"""SPEC: smoothness of each feature on the similarity graph of the samples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from featrank._utils.probe import PROBED, Probe
from featrank._utils.sklearn import StrOptions
from featrank.base.ranker import Floats, Ranker
from featrank.kernels import neighbours as kernels
from featrank.kernels.neighbours import Links
from featrank.neighbours.columns import Ranges, as_rows, map_columns
from featrank.neighbours.complete_graph import all_pairs, pair_bytes
from featrank.neighbours.graph import largest_unit, near_pairs, powers_of_two
from featrank.neighbours.nearest import probe_shape, search_bytes
from featrank.neighbours.pairs import pair_links
from featrank.neighbours.spectral import smoothest_of

# Bytes per pair of neighbours: indices, distances and weights, while the graph is built.
BYTES_OF_A_NEAR_PAIR = 150
# Widths, in units of the largest range, outside which all similarities are 0 or 1.
LEAST, MOST = 1e-100, 1e100
# Columns of a fit that is timed.
PROBED_COLUMNS = 512


class SPEC(Ranker):
    r"""Rank features by their smoothness on the similarity graph of the samples (unsupervised).

    .. math::
        S_{ih} = e^{-\|x_i - x_h\|^2 / 2\delta^2}, \qquad D_{ii} = \sum_h S_{ih}, \qquad
        \mathcal L = D^{-1/2} (D - S) D^{-1/2}, \qquad
        \hat f_j = \frac{D^{1/2} f_j}{\|D^{1/2} f_j\|}

    :math:`\mathcal L` has the eigenvalues :math:`0 = \lambda_1 \le \lambda_2 \le \dots \le 2` and
    eigenvectors :math:`\xi_k`, where :math:`\xi_1 \propto D^{1/2} e` carries no information. With
    :math:`\alpha_k = \hat f_j^\top \xi_k`,

    .. math::
        \varphi_1 = \hat f_j^\top \mathcal L \hat f_j = \sum_k \alpha_k^2 \lambda_k, \qquad
        \varphi_2 = \frac{\sum_{k \ge 2} \alpha_k^2 \lambda_k}{\sum_{k \ge 2} \alpha_k^2}, \qquad
        \varphi_3 = \sum_{k=2}^{K} (2 - \lambda_k)\, \alpha_k^2

    A feature that is nearly the same for similar samples has a small :math:`\varphi_1` and
    :math:`\varphi_2` and a large :math:`\varphi_3`. The latter uses only the leading eigenvectors,
    which filters out noise. ``scores_`` are :math:`1 - \varphi_1`, :math:`1 - \varphi_2` or
    :math:`\varphi_3`: higher is better.

    :math:`\varphi_1` and :math:`\varphi_3` depend on the mean of a feature, as a constant is
    smooth: centre the features first. :math:`\varphi_2`, the default, does not. Features with large
    units dominate the similarities: scale them first if units are arbitrary, e.g. with
    ``sklearn.preprocessing.StandardScaler``. A constant feature scores -1 and comes last.

    Read more in docs/methods/spec.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    criterion : {"phi1", "phi2", "phi3"}, default="phi2"
        Which function of the spectrum ranks the features.
    width : float or None, default=None
        δ, in units of X. None uses half the root mean squared distance of all pairs of samples, so
        that multiplying X by a constant has no effect.
    n_neighbors : int or None, default=None
        Two samples are connected if either is among the ``n_neighbors`` nearest samples of the
        other. All other entries of S are 0, except the diagonal. None connects all pairs, as
        published.
    n_eigenvectors : int, default=4
        K - 1, the number of eigenvectors that :math:`\varphi_3` uses, enough to separate K
        clusters. At most the number of samples minus 1.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    phi_ : ndarray of shape (n_features,)
        The published value. For a constant feature it is 2, or 0 with "phi3".
    width_ : float
        δ.
    eigenvalues_ : ndarray of shape (K - 1,)
        :math:`\lambda_2 \dots \lambda_K` with "phi3", otherwise empty.

    See Also
    --------
    LaplacianScore : Uses only the nearest samples and is faster.
    MCFS : Considers features jointly instead of one by one.

    Notes
    -----
    :math:`\varphi_1` and :math:`\varphi_2` are sums over pairs of samples, and S is not stored. For
    :math:`\varphi_3`, memory grows with the square of the number of samples unless ``n_neighbors``
    is given.

    References
    ----------
    .. [1] Z. Zhao and H. Liu, "Spectral feature selection for supervised and unsupervised
       learning", International Conference on Machine Learning (2007).

    Examples
    --------
    >>> from featrank import SPEC
    >>> from sklearn.datasets import load_iris
    >>> X, _ = load_iris(return_X_y=True, as_frame=True)
    >>> SPEC(n_features_to_select=2).fit(X).get_feature_names_out().tolist()
    ['petal length (cm)', 'petal width (cm)']
    """

    name = "spec"
    purpose = "Smoothness over samples"
    family = "graph"
    supervised = False
    invariances = frozenset({"shift"})
    complexity = "O(T²n)"
    published_complexity = "N/A"
    reference = "Zhao and Liu 2007"

    _advice = "Use `n_neighbors=10` to connect only near samples."

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "criterion": [StrOptions({"phi1", "phi2", "phi3"})]
    }

    criterion: str = "phi2"
    width: float | None = None
    n_neighbors: int | None = None
    n_eigenvectors: int = 4
    n_jobs: int | None = None

    def _probe(self, n_samples: int, n_features: int) -> Probe | None:
        if self.criterion == "phi3":  # the number of products depends on the values
            return None
        if self.n_neighbors is None:
            columns = min(n_features, PROBED_COLUMNS)
            rows = min(n_samples, int((PROBED / columns) ** 0.5))
        else:
            rows, columns = probe_shape(n_samples, n_features)
        ratio = (n_samples / rows) ** 2 * n_features / columns
        return Probe(self._score, (rows, columns), ratio)

    def _memory(self, n_samples: int, n_features: int) -> int:
        if self.n_neighbors is None:
            table = 2 * 8 * n_samples**2 if self.criterion == "phi3" else 0
            return table + pair_bytes(n_samples)
        pairs = BYTES_OF_A_NEAR_PAIR * n_samples * min(self.n_neighbors, n_samples)
        return pairs + search_bytes(n_samples, n_features, 2, self.n_jobs)

    def _score(self, X: Any, y: NDArray[np.intp] | None) -> Floats:
        columns = _Columns(as_rows(X), self.n_jobs)
        self.width_ = self._width(columns)
        self.eigenvalues_ = np.empty(0)
        varies = columns.widths > 0
        if self.criterion == "phi3":
            self.phi_ = np.where(varies, self._leading(columns), 0.0)
            return np.where(varies, self.phi_, -1.0)
        self.phi_ = np.where(varies, self._smoothness(columns), 2.0)
        return 1 - self.phi_

    def _width(self, columns: _Columns) -> float:
        if self.width is not None:
            return float(self.width)
        count = len(columns.X)
        spread = columns.spread(np.ones(count))
        relative = np.where(columns.widths > 0, powers_of_two(columns.widths) / columns.unit, 0.0)
        squared = 2 / (count - 1) * float(np.sum(spread * relative**2))
        return float(np.sqrt(squared)) / 2 * columns.unit

    def _smoothness(self, columns: _Columns) -> Floats:
        """Return φ₁ or φ₂, as a sum over pairs of samples."""
        near, degree = np.zeros(len(columns.scale)), np.ones(len(columns.X))
        for links in self._weighted(columns):
            _add_degrees(links, degree)
            columns.add_differences(links, near)
        overall = columns.spread(degree, centred=self.criterion == "phi2")
        ratio = np.divide(near, overall, out=np.full_like(near, 2.0), where=overall > 0)
        return np.minimum(ratio, 2.0)  # rounding may exceed the bound

    def _leading(self, columns: _Columns) -> Floats:
        """Return φ₃, from the leading eigenvectors."""
        size = len(columns.X)
        near, degree = self._normalised(columns)
        count = min(self.n_eigenvectors, size - 1)
        smooth = smoothest_of(near, degree, columns.X, count)
        self.eigenvalues_ = np.maximum(smooth.values, 0.0)
        projected = columns.products(smooth.vectors * np.sqrt(degree)[:, np.newaxis])
        whole = columns.spread(degree, centred=False)
        total = np.zeros(len(whole))
        for value, product in zip(self.eigenvalues_, projected, strict=True):
            total += (2 - value) * product**2
        return np.divide(total, whole, out=np.zeros_like(total), where=whole > 0)

    def _normalised(self, columns: _Columns) -> tuple[Any, Floats]:
        """Return D^(-1/2) S D^(-1/2), and the row sums D, where S includes the diagonal."""
        size = len(columns.X)
        degree = np.ones(size)
        if self.n_neighbors is None:
            table = np.eye(size)
            for links in self._weighted(columns):
                _add_degrees(links, degree)
                rows = _ends(links)
                table[rows, links.neighbour] = table[links.neighbour, rows] = links.weight
            table /= np.sqrt(degree)
            table /= np.sqrt(degree)[:, np.newaxis]
            return table, degree
        (links,) = self._weighted(columns)
        _add_degrees(links, degree)
        rows = _ends(links)
        own = np.arange(size)
        first = np.concatenate([own, rows, links.neighbour])
        second = np.concatenate([own, links.neighbour, rows])
        weight = np.concatenate([np.ones(size), links.weight, links.weight])
        weight /= np.sqrt(degree[first] * degree[second])
        return csr_array((weight, (first, second)), shape=(size, size)), degree

    def _weighted(self, columns: _Columns) -> Iterator[Links]:
        """Yield the connected pairs with their similarities, chunk by chunk."""
        width = np.clip(self.width_ / columns.unit, LEAST, MOST)
        for links, squared in self._pairs(columns):
            yield links._replace(weight=np.exp(-squared / (2 * width**2)))

    def _pairs(self, columns: _Columns) -> Iterator[tuple[Links, Floats]]:
        X, unit = columns.X, columns.unit
        if self.n_neighbors is None:
            yield from all_pairs(X, unit, self.n_jobs)
            return
        pairs = near_pairs(X, columns.ranges, self.n_neighbors, self.n_jobs)
        yield pair_links(pairs.lower, pairs.higher, pairs.squared, len(X)), pairs.squared


class _Columns:
    """The features, each scaled by its own unit: the power of two at or below its range.

    ``unit`` is the largest unit.
    """

    def __init__(self, X: Any, n_jobs: int | None):
        self.X, self.n_jobs = X, n_jobs
        self.ranges = Ranges.of(X, n_jobs)
        self.widths = self.ranges.widths()
        self.unit = largest_unit(self.ranges)
        self.scale = 1 / powers_of_two(self.widths)

    def add_differences(self, links: Links, near: Floats) -> None:
        """Add Σ weight·(x_i - x_h)² over the links to ``near``."""

        def work(block: slice) -> None:
            part, scale = self.X[:, block], self.scale[block]
            kernels.differences(part, links, scale, near[block], square=True)

        map_columns(work, self.X.shape, self.n_jobs)

    def spread(self, weight: Floats, *, centred: bool = True) -> Floats:
        """Return Σ weight·(x - mean)² with the weighted mean, or Σ weight·x²."""
        near, spread = np.empty((2, self.X.shape[1]))
        nothing = np.zeros(0, np.int64)
        none = Links(nothing, np.zeros(1, np.int64), nothing, np.zeros(0))
        low, scale = self.ranges.low, self.scale

        def work(block: slice) -> None:
            columns = low[block], scale[block], near[block], spread[block]
            kernels.smoothness(self.X[:, block], *none, weight, *columns)

        map_columns(work, self.X.shape, self.n_jobs)
        if centred:
            return spread
        total = weight.sum()
        mean = self.products(weight[:, np.newaxis])[0] / total + low * scale
        return spread + total * mean**2

    def products(self, vectors: Floats) -> Floats:
        """Return Σ vector·(x - low), one row per vector.

        Rows are added one by one, as BLAS would not give duplicates of a feature identical results.
        """
        result = np.zeros((vectors.shape[1], self.X.shape[1]))

        def work(block: slice) -> None:
            low, scale, total = self.ranges.low[block], self.scale[block], result[:, block]
            for row, weights in zip(self.X[:, block], vectors, strict=True):
                total += weights[:, np.newaxis] * ((row - low) * scale)

        map_columns(work, self.X.shape, self.n_jobs)
        return result


def _ends(links: Links) -> NDArray[np.int64]:
    """Return the row that each link starts from."""
    return np.repeat(links.rows, np.diff(links.offsets))


def _add_degrees(links: Links, degree: Floats) -> None:
    for end in (_ends(links), links.neighbour):
        degree += np.bincount(end, links.weight, len(degree))
