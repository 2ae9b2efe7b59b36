"""LLC-fs: feature weights and clusters learned jointly by local regressions."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from featrank._utils.blas import one_thread_if_small
from featrank._utils.probe import Probe
from featrank._utils.progress import report
from featrank._utils.sklearn import Interval
from featrank.base.ranker import Floats, Ranker
from featrank.neighbours.local_learning import LocalLearning, learning_bytes
from featrank.neighbours.nearest import probe_shape
from featrank.solvers.duplicate_columns import originals
from featrank.solvers.standardise import standardised

# Slopes below this, relative to the largest possible one, are rounding errors: the clusters are
# then constant within every neighbourhood.
NONE = 1e-12


class LLCFS(Ranker):
    r"""Rank features by their weight in local regressions of the clusters (unsupervised).

    Local learning-based clustering with feature weights. The clusters Y are chosen so that a
    regression on a sample's neighbours predicts its cluster. A weight :math:`\tau_l` is large if
    these regressions rely on the feature:

    .. math::
        w_i^c, b_i^c = \arg\min_{w, b} \beta \sum_{h \in N_i} (y_h^c - w^\top x_h - b)^2
        + \sum_l \frac{w_l^2}{\tau_l}, \qquad
        \min_{Y^\top Y = I} \sum_{i, c} (y_i^c - w_i^{c\top} x_i - b_i^c)^2
        = \mathrm{Tr}(Y^\top M Y)

    .. math::
        \tau_l = \frac{\sqrt{\sum_{i, c} (w_{il}^c)^2}}{\sum_m \sqrt{\sum_{i, c} (w_{im}^c)^2}}

    :math:`N_i` are the k nearest samples of sample i by the distance :math:`\sum_l \tau_l (x_{il} -
    x_{hl})^2`. The prediction for sample i is linear in the values of its neighbours, with
    coefficients in row i of A. So M = (I - A)ᵀ(I - A), and Y holds its eigenvectors with the
    smallest eigenvalues. Neighbours, Y and τ are updated in turn. The score of a feature is
    :math:`\tau_l`. Scores sum to 1.

    The constant vector is always the first of Y. It has no slope and no effect. If the neighbour
    graph is disconnected, vectors that are constant on each component would have no slope either,
    and τ would be 0/0. Each sample then gets its k nearest samples outside its own component as
    additional neighbours, so that the regressions see what distinguishes the components. If no
    slope remains, τ does not change.

    A constant feature scores 0 and comes last. Duplicates of a feature share its score.

    Read more in docs/methods/llc-fs.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    n_clusters : int, default=2
        Expected number of clusters: the number of vectors Y, including the constant one. 1 counts
        as 2.
    n_neighbors : int, default=10
        Number k of nearest samples, at most all other samples.
    beta : float, default=0.1
        Weight β of the errors. Features have unit variance and the weights sum to 1, so β does not
        depend on the units or the number of features.
    standardize : bool, default=True
        Whether to scale features to unit variance, so that slopes are comparable. τ then starts as
        each feature's share of the total variance, so that the first neighbours are those of X as
        given. False is the published formula: τ starts uniform, and features in larger units keep
        larger slopes. The unit is then the largest standard deviation.
    max_iter : int, default=20
        Maximum number of steps.
    tol : float, default=1e-3
        Steps stop when the absolute changes of the weights sum to at most this.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features,)
        The weights τ.
    objective_ : ndarray of shape (n_iter_,)
        Tr(YᵀMY) of each step. It may rise when neighbours change.
    change_ : ndarray of shape (n_iter_,)
        Sum of the absolute changes of the weights in each step.
    n_iter_ : int
        Number of steps.

    See Also
    --------
    MCFS : Explains the clusters of the same samples by sparse regressions.
    LaplacianScore : Faster, scores single features.

    Notes
    -----
    Memory in addition to X: a few float64 copies of X and T k² numbers, more if the neighbour graph
    is disconnected. Up to 4,000 samples, also a T × T matrix.

    References
    ----------
    .. [1] H. Zeng and Y.-m. Cheung, "Feature selection and kernel learning for local
       learning-based clustering", IEEE Transactions on Pattern Analysis and Machine Intelligence
       33, 1532-1547 (2011).

    Examples
    --------
    >>> from featrank import LLCFS
    >>> from sklearn.datasets import load_iris
    >>> X, _ = load_iris(return_X_y=True, as_frame=True)
    >>> LLCFS(n_features_to_select=2).fit(X).get_feature_names_out().tolist()
    ['petal length (cm)', 'petal width (cm)']
    """

    name = "llc-fs"
    purpose = "Weights for clustering"
    family = "neighbours"
    supervised = False
    invariances = frozenset({"shift"})
    complexity = "O(T²n + Tk³) per step"
    published_complexity = "N/A"
    reference = "Zeng and Cheung 2011"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_neighbors": [Interval(Integral, 2, None, closed="left")]
    }

    n_clusters: int = 2
    n_neighbors: int = 10
    beta: float = 0.1
    standardize: bool = True
    max_iter: int = 20
    tol: float = 1e-3

    def _probe(self, n_samples: int, n_features: int) -> Probe:
        rows, columns = probe_shape(n_samples, n_features)
        ratio = self.max_iter * (n_samples / rows) ** 2 * n_features / columns
        step = clone(self).set_params(max_iter=1)
        return Probe(step._score, (rows, columns), ratio)

    def _memory(self, n_samples: int, n_features: int) -> int:
        return 3 * 8 * n_samples * n_features + learning_bytes(n_samples, self.n_neighbors)

    def notes(self) -> list[str]:
        """Return a sentence if the weights were still changing at the end."""
        last = self.change_[-1] if self.n_iter_ else 0.0
        if last <= self.tol:
            return []
        return [f"The weights changed by {last:.2g} in the last of {self.n_iter_} steps."]

    def _score(self, X: Any, y: NDArray[np.intp] | None) -> Floats:
        features, spread = standardised(X)
        features *= np.sqrt(len(features))
        size = spread / (spread.max() or 1.0)
        if self.standardize:
            weights = size**2
        else:
            features *= size
            weights = (size > 0).astype(np.float64)
        with one_thread_if_small(features.size):
            self.weights_ = self._learned(features, weights / (weights.sum() or 1.0))
        return self.weights_[originals(X)]

    def _learned(self, features: Floats, weights: Floats) -> Floats:
        objective, change = list[float](), list[float]()
        while weights.any() and len(objective) < self.max_iter:
            length, error = self._slopes(features, weights)
            updated = weights * length
            if updated.sum() <= NONE * self.beta:
                updated = weights
            updated = updated / updated.sum()
            objective.append(error)
            change.append(float(np.abs(updated - weights).sum()))
            weights = updated
            report(len(objective), self.max_iter)
            if change[-1] <= self.tol:
                break
        report(self.max_iter, self.max_iter)
        self.objective_, self.change_ = np.array(objective), np.array(change)
        self.n_iter_ = len(objective)
        return weights

    def _slopes(self, features: Floats, weights: Floats) -> tuple[Floats, float]:
        """Return the norms of the features' slopes divided by τ, and the objective.

        In the weighted features z = τ^(1/2) x the slopes are UZ, so w = τ UX.
        """
        learning = LocalLearning.of(features * np.sqrt(weights), self.n_neighbors, self.beta)
        values, vectors = learning.smoothest(max(self.n_clusters - 1, 1))
        squared = np.zeros(len(weights))
        for vector in vectors.T:
            slope = learning.slopes(vector) @ features
            squared += np.einsum("ij,ij->j", slope, slope)
        return np.sqrt(squared), float(values.sum())
