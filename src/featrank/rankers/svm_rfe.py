"""SVM-RFE: recursive elimination of the feature with the smallest weight in a linear SVM."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from featrank._utils.sklearn import Interval, RealNotInt
from featrank.base.parameters import AT_LEAST_1, NOT_NEGATIVE, POSITIVE
from featrank.base.ranker import TASKS, Floats, Ranker
from featrank.base.shown_values import ShownValues
from featrank.kernels import Groups
from featrank.solvers.elimination import Elimination, eliminate, eliminate_for_regression, spread


class SVMRFE(Ranker):
    r"""Rank features by recursive elimination with a linear SVM.

    .. math::
        \min_{w, b}\ \tfrac12 \lVert w \rVert^2
        + C \sum_t \max(0,\ 1 - y_t (w^\top x_t + b)), \qquad c_j = w_j^2

    The SVM is fitted, the features with the smallest :math:`c_j` are eliminated, the SVM is fitted
    to the remaining ones, and so on. The last eliminated feature ranks first. With several classes
    there is one SVM for each pair of classes, and :math:`c_j` is the sum over the pairs. For
    regression (``task="regression"``) support vector regression is used, whose loss is 0 where it
    misses y by no more than :math:`\varepsilon`:

    .. math::
        \min_{w, b}\ \tfrac12 \lVert w \rVert^2
        + C \sum_t \max(0,\ |y_t - w^\top x_t - b| - \varepsilon)

    Each fit starts from the previous one. An active-set method keeps the inverse of the optimality
    conditions on the free support vectors and updates it when a feature leaves, so the SVM is
    solved exactly (up to ``tol``) at every step. With more features than samples, it works on the
    Gram matrix of the samples, which loses one rank-one term per feature, and only computes weights
    that can be the smallest. Otherwise it works on the samples. Both find the same solution.
    ``fit`` holds one centred copy of X in float64.

    Of equal features, the one with the higher index leaves first. A constant feature, whose weight
    is 0, leaves before all others. Features on a larger scale get smaller weights. Standardise them
    first, unless their scale is meaningful.

    Results show :math:`c_j` in the last fit that included the feature. It is not comparable between
    features that left at different times. ``scores_`` only encode the order.

    Read more in docs/methods/svm-rfe.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all. Elimination stops when
        this many features remain, ranked by their :math:`c_j` in the last fit. With None it
        continues until one is left.
    C : float or None, default=None
        Cost of a margin violation, or of a regression error. None is 1 for classification, and the
        standard deviation of y for regression, so that the ranking does not depend on the units of
        y.
    step : int or float, default=1
        How many features leave after each fit: a number, or a fraction of all features.
    tol : float, default=1e-6
        Largest violation of the optimality conditions, in units of the margin, for regression in
        standard deviations of y.
    task : {"classification", "regression"}, default="classification"
        Whether the target holds class labels or numbers.
    epsilon : float or None, default=None
        Regression errors up to this size cost nothing, in the units of y. Ignored for
        classification. None is a tenth of the standard deviation of y. This is the default of
        scikit-learn's ``SVR`` for y with standard deviation 1.

    Attributes
    ----------
    criterion_ : ndarray of shape (n_features,)
        :math:`c_j` in the last fit that included the feature.
    n_iter_ : int
        Number of changes of the sets of free support vectors in all fits.

    See Also
    --------
    ZeroNorm : Rescales features by the weights instead of removing them.
    FSV : One plane with a penalty on the number of features.

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

    For regression:

    >>> ranker = SVMRFE(n_features_to_select=2, task="regression")
    >>> ranker.fit(X.drop(columns="alcohol"), X["alcohol"]).get_feature_names_out().tolist()
    ['color_intensity', 'proline']
    """

    name = "svm-rfe"
    purpose = "SVM weights, recursively"
    kind = "wrapper"
    family = "margin"
    tasks = TASKS
    invariances = frozenset({"shift"})
    redundancy_aware = True
    complexity = "O(Tn·min(T, n) + n·s²), s free support vectors"
    published_complexity = "O(T²n log n)"
    reference = "Guyon et al. 2002"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "step": [AT_LEAST_1, Interval(RealNotInt, 0, 1, closed="neither")],
        "tol": [POSITIVE],
        "epsilon": [None, NOT_NEGATIVE],
    }

    C: float | None = None
    step: int | float = 1
    tol: float = 1e-6
    task: str = "classification"
    epsilon: float | None = None

    def shown_values(self) -> ShownValues:
        """Return the squared weight of each feature in the last SVM that used it."""
        return ShownValues(self.criterion_, "squared weight", comparable=False)

    def _score(self, X: Any, y: Any) -> Floats:
        order, self.criterion_, self.n_iter_ = self._eliminated(X, y)
        scores = np.empty(len(order))
        scores[order] = np.arange(1, len(order) + 1)
        return scores

    def _eliminated(self, X: Any, y: NDArray[Any]) -> Elimination:
        keep = 1 if self.n_features_to_select is None else self._n_selected
        step = self._step(X.shape[1])
        if not self._regresses:
            groups, C = Groups.of(y, len(self.classes_)), _given(self.C, 1.0)
            return eliminate(X, groups, C=C, tol=self.tol, step=step, keep=keep)
        C, epsilon = _given(self.C, spread(y)), _given(self.epsilon, 0.1 * spread(y))
        return eliminate_for_regression(
            X, y, C=C, epsilon=epsilon, tol=self.tol, step=step, keep=keep
        )

    def _step(self, n_features: int) -> int:
        if isinstance(self.step, Integral):
            return int(self.step)
        return max(1, int(self.step * n_features))


def _given(value: float | None, otherwise: float) -> float:
    return otherwise if value is None else value
