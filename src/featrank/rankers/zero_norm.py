"""Zero norm: the weights of a linear SVM rescale the features, repeatedly."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from featrank._utils.blas import one_thread
from featrank._utils.progress import report
from featrank.base.parameters import NOT_NEGATIVE, POSITIVE
from featrank.base.ranker import Floats, Ranker
from featrank.base.shown_values import ShownValues
from featrank.base.tuning import Tunable
from featrank.kernels import Groups
from featrank.solvers.elimination import squared_weights
from featrank.solvers.standardise import centred, of_length_one

# Share of the largest scale below which a feature has vanished. From there it only decreases.
VANISHED = 1e-3
# Largest violation of the optimality conditions of an SVM. It is small because errors multiply.
EXACT = 1e-9


class ZeroNorm(Ranker):
    r"""Rank features by how long they survive repeated rescaling by the weights of a linear SVM.

    .. math::
        w = \arg\min_{w, b}\ \tfrac12 \lVert w \rVert^2
        + C \sum_t \max(0,\ 1 - y_t (w^\top (z * x_t) + b)), \qquad
        z_j \leftarrow \frac{z_j |w_j|}{\max_i z_i |w_i|}

    The first SVM has z = 1. A feature with a small weight is scaled down, which makes it more
    expensive for the next SVM. The scales of all but a few features fall to 0. This lowers
    :math:`\sum_j \ln(\varepsilon + z_j)`, a surrogate for the number of features in use, the zero
    norm of the weights. Scales are relative to the largest, so that C keeps its meaning. For the
    published hard margin, a large C, this changes nothing.

    A feature has vanished when its scale is at most a thousandth of the largest. Features that have
    not vanished rank by their final scale. The others follow by the SVM at which they vanished, the
    last one first, and then by their scale there. A constant comes last. Duplicates of a feature
    share its weight and score.

    With several classes there is an SVM for each pair of classes, all with the same scales, and
    :math:`|w_j|` is the root of the sum of squares over the pairs.

    Results show the final scale of features that have not vanished. ``scores_`` only encode the
    order: the number of SVMs that the feature outlasted, plus a fraction.

    Read more in docs/methods/l0.md.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        How many features to select: a number, a fraction, "auto" for features that have not
        vanished, or None for all.
    C : float or "cv", default=0.1
        Cost of a margin violation. A large C is the published hard margin, where the last features
        separate the classes. A small one tolerates errors, and ends with fewer features. "cv"
        chooses among 0.01, 0.1, 1, 10 and 100 by cross-validation and keeps 0.1 unless another
        value is clearly better.
    standardize : bool, default=True
        Whether to scale the features to standard deviation 1 for the first SVM. If not, features on
        a larger scale get smaller weights.
    max_iter : int, default=100
        Largest number of SVMs.
    tol : float, default=1e-6
        Stop if no scale changes by more than this, relative to the largest scale of 1.

    Attributes
    ----------
    scale_ : ndarray of shape (n_features,)
        Final z, 0 for features that have vanished.
    objective_ : ndarray of shape (n_iter,)
        Σ ln(ε + z) after each SVM, with ε = 0.001.
    n_left_ : ndarray of shape (n_iter,)
        Number of features that had not vanished after each SVM.
    n_iter_ : int
        Number of SVMs.

    See Also
    --------
    SVMRFE : Removes features instead of rescaling them.
    FSV : One plane with a penalty on the number of features.

    Notes
    -----
    The SVMs are solved exactly, and only for features that have not vanished. With more features
    than samples, this uses the Gram matrix of the samples. Memory in addition to X: two float64
    copies of X.

    References
    ----------
    .. [1] J. Weston, A. Elisseeff, B. Schölkopf and M. Tipping, "Use of the zero-norm with linear
       models and kernel methods", Journal of Machine Learning Research 3 (2003).

    Examples
    --------
    >>> from featrank import ZeroNorm
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> ranker = ZeroNorm(n_features_to_select=3).fit(X, y)
    >>> ranker.get_feature_names_out().tolist()
    ['worst radius', 'worst texture', 'worst smoothness']
    """

    name = "l0"
    purpose = "Sparse linear SVM"
    kind = "embedded"
    family = "margin"
    selects = True
    invariances = frozenset({"shift", "scale"})
    redundancy_aware = True
    complexity = "O(Tn·min(T, n)) for the first of several SVMs"
    published_complexity = "N/A"
    reference = "Weston et al. 2003"
    tunable = Tunable("C", (0.01, 100.0, 10.0, 1.0, 0.1), fallback=0.1)

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "C": [POSITIVE],
        "tol": [NOT_NEGATIVE],
    }

    C: float | str = 0.1
    standardize: bool = True
    max_iter: int = 100
    tol: float = 1e-6

    def score_components(self) -> dict[str, Floats]:
        """Return the final scales."""
        return {"scale": self.scale_}

    def shown_values(self) -> ShownValues:
        """Return the final scale of each feature that has not vanished, 1 for the largest."""
        return ShownValues(np.where(self.scale_ > 0, self.scale_, np.nan), "scale")

    def _own_count(self) -> int:
        return int(np.count_nonzero(self.scale_))

    def _memory(self, n_samples: int, n_features: int) -> int:
        return 16 * n_samples * n_features + 8 * min(n_samples, n_features) ** 2

    def _score(self, X: Any, y: Any) -> Floats:
        groups = Groups.of(y, int(y.max()) + 1)
        columns = self._columns(X, groups)
        left, scale = np.arange(len(columns)), np.ones(len(columns))
        scores, objective, n_left = np.zeros(len(columns)), [], []
        for iteration in range(self.max_iter):
            report(iteration, self.max_iter)
            last, scale = scale, self._rescaled(columns[left], scale, groups)
            change = np.abs(scale - last).max()
            scores[left] = iteration + np.minimum(scale / VANISHED, 1.0)
            stays = scale > VANISHED
            left, scale = left[stays], scale[stays]
            n_left.append(len(left))
            objective.append(_log_sum(scale, len(columns)))
            if not len(left) or (iteration and change <= self.tol):
                break
        report(self.max_iter, self.max_iter)
        scores[left] = len(n_left) + scale
        self.scale_ = np.zeros(len(columns))
        self.scale_[left] = scale
        self.objective_, self.n_left_ = np.array(objective), np.array(n_left)
        self.n_iter_ = len(n_left)
        return scores

    def _columns(self, X: Any, groups: Groups) -> Floats:
        """Return the features in rows, the samples grouped by class."""
        features = centred(X, groups.order, order="F")
        if self.standardize:
            features = of_length_one(features)
            features *= len(X) ** 0.5
        return features.T

    def _rescaled(self, columns: Floats, scale: Floats, groups: Groups) -> Floats:
        """Return z·|w| of the SVM on the features times z, scaled to 1 for the largest."""
        columns *= scale[:, np.newaxis]
        with one_thread():
            squares = squared_weights(columns.T, groups.offsets, C=self.C_, tol=EXACT)
        scale = scale * np.sqrt(squares)
        largest = scale.max()
        return scale / largest if largest > 0 else scale


def _log_sum(scale: Floats, n_features: int) -> float:
    """Return Σ ln(ε + z) over all features; those without a scale have vanished."""
    gone = n_features - len(scale)
    return float(np.log(VANISHED + scale).sum() + gone * np.log(VANISHED))
