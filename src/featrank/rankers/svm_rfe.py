"""SVM-RFE: again and again, the feature of least weight leaves a support vector machine."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from featrank._sklearn import Interval, RealNotInt
from featrank.base import Floats, Ranker
from featrank.kernels import Groups
from featrank.solvers.elimination import eliminate


class SVMRFE(Ranker):
    r"""Rank features by when they leave a linear support vector machine.

    .. math::
        \min_{w, b}\ \tfrac12 \lVert w \rVert^2
        + C \sum_t \max(0,\ 1 - y_t (w^\top x_t + b)), \qquad c_j = w_j^2

    The machine is fitted, the features with the smallest :math:`c_j` leave, the machine is fitted
    to the rest, and so on. The last to leave ranks first. With several classes there is one
    machine for each pair of classes, and :math:`c_j` is the sum over the pairs.

    Each fit starts from the one before. An active-set method keeps the inverse of the optimality
    conditions on the free support vectors and updates it when a feature leaves, so that the
    machine is solved exactly (up to ``tol``) at every step. With more features than samples it
    works on the products of the samples, which lose one rank-one term a feature, and computes
    only those weights that can be the smallest; else it works on the samples. Both find the same
    solution. ``fit`` holds one centred copy of X in float64.

    Of equal features the one with the higher index leaves first; a constant feature, whose
    weight is 0, leaves before all others. Features on a larger scale get smaller weights:
    standardise them first, unless their scale means something.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all. Elimination stops when
        so many are left, and these rank by their :math:`c_j` in the last fit; for None it goes
        on until one is left.
    C : float, default=1.0
        Cost of a violated margin.
    step : int or float, default=1
        How many features leave after each fit: a number, or a fraction of all features.
    tol : float, default=1e-6
        Largest violation of the optimality conditions, in units of the margin.

    Attributes
    ----------
    criterion_ : ndarray of shape (n_features,)
        :math:`c_j` in the last fit that the feature took part in. Not comparable between
        features that left at different times; ``scores_`` counts places from the last one.
    n_iter_ : int
        Changes of the sets of free support vectors in all fits.

    References
    ----------
    .. [1] I. Guyon, J. Weston, S. Barnhill and V. Vapnik, "Gene selection for cancer
       classification using support vector machines", Machine Learning 46 (2002).

    Examples
    --------
    >>> from featrank import SVMRFE
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> X = StandardScaler().set_output(transform="pandas").fit_transform(X)
    >>> SVMRFE(n_features_to_select=3).fit(X, y).get_feature_names_out().tolist()
    ['flavanoids', 'hue', 'proline']
    """

    name = "svm-rfe"
    kind = "wrapper"
    invariances = frozenset({"shift"})
    complexity = "O(Tn·min(T, n) + n·s²), s free support vectors"
    published_complexity = "O(T²n log n)"
    reference = "Guyon et al. 2002"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **Ranker._parameter_constraints,
        "C": [Interval(Real, 0, None, closed="neither")],
        "step": [
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0, 1, closed="neither"),
        ],
        "tol": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        C: float = 1.0,
        step: int | float = 1,
        tol: float = 1e-6,
    ):
        self.n_features_to_select = n_features_to_select
        self.C = C
        self.step = step
        self.tol = tol

    def _score(self, X: Any, y: NDArray[np.intp] | None) -> Floats:
        assert y is not None
        groups = Groups.of(y, len(self.classes_))
        keep = 1 if self.n_features_to_select is None else self._n_selected
        order, self.criterion_, self.n_iter_ = eliminate(
            X, groups, C=self.C, tol=self.tol, step=self._step(X.shape[1]), keep=keep
        )
        scores = np.empty(len(order))
        scores[order] = np.arange(1, len(order) + 1)
        return scores

    def _step(self, n_features: int) -> int:
        if isinstance(self.step, Integral):
            return int(self.step)
        return max(1, int(self.step * n_features))
