"""FCBF: relevant features without those made redundant by a more relevant feature."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from featrank import kernels
from featrank._utils.progress import report
from featrank._utils.sklearn import Interval
from featrank.base.greedy import Chosen
from featrank.base.ranker import Floats
from featrank.base.shown_values import ShownValues
from featrank.base.uncertainty import UncertaintyRanker
from featrank.kernels.contingency import Indices
from featrank.pairwise.pair_tables import PairTables


class FCBF(UncertaintyRanker):
    r"""Rank features by relevance and drop those made redundant by a more relevant feature.

    .. math:: SU(f, g) = \frac{2\, I(f; g)}{H(f) + H(g)}

    is the symmetric uncertainty of two discrete variables: 0 if they are independent, 1 if each
    determines the other. Features f with :math:`SU(f, C) \ge \delta` are examined in decreasing
    order of :math:`SU(f, C)`, where C is the class. Ties are examined by index. Each f that has not
    been removed is predominant, and removes every later g with

    .. math:: SU(f, g) \ge SU(g, C).

    Predominant features come first, then the removed ones, then those below δ, each group by SU.
    ``predominant_`` is the method's selection, as is ``n_features_to_select="auto"``. If this is a
    number, it selects from the top of the ranking and changes no score. A feature unrelated to the
    class, with SU = 0, is never predominant.

    By default, the class labels determine how a feature is cut into intervals, by the minimum
    description length (Fayyad and Irani, as published with the method). A feature that is not worth
    a cut, as most noise features, has no entropy. Such features come last, by the SU of their best
    cut.

    Results show :math:`SU(f, C)`. ``scores_`` only encode the order: SU plus 1 for a predominant
    feature, the SU of the best cut minus 1 for a feature that is not worth a cut, and -1 for a
    constant.

    Read more in docs/methods/fcbf.md.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        How many features to select: a number, a fraction, "auto" for the predominant
        ones, or None for all.
    delta : float, default=0.0
        Features whose SU with the class is smaller are not examined, in [0, 1).
    bins : int or "auto", default="auto"
        Number of bins of a feature for "width" and "quantile", at most 256. "auto" is 20 for more
        than 200 samples, otherwise a tenth of the samples, but at least 10.
    binning : {"mdl", "width", "quantile"}, default="mdl"
        Intervals by the class labels, bins of equal width, or bins with about equally many
        samples. For counts and category codes, use "width" with as many ``bins`` as there are
        values, so that each value has its own bin. Many bins on few samples make any two features
        seem redundant.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    predominant_ : ndarray of shape (n_features,)
        True for the features that the method selects.
    criterion_ : ndarray of shape (n_features,)
        SU(f, C), 0 for a feature that is not worth a cut. Results show it.
    relevance_ : ndarray of shape (n_features,)
        The same, except that a feature that is not worth a cut has the SU of its best cut less 1.

    See Also
    --------
    CFS : Searches for a subset, and may keep redundant features that raise its merit.
    MRMR : Selects a given number of features.

    References
    ----------
    .. [1] L. Yu and H. Liu, "Feature selection for high-dimensional data: a fast
       correlation-based filter solution", International Conference on Machine Learning (2003).
    .. [2] U. M. Fayyad and K. B. Irani, "Multi-interval discretization of continuous-valued
       attributes for classification learning", International Joint Conference on Artificial
       Intelligence (1993).

    Examples
    --------
    >>> from featrank import FCBF
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> ranker = FCBF().fit(X, y)
    >>> int(ranker.predominant_.sum()), X.columns[ranker.order_[:3]].tolist()
    (7, ['worst perimeter', 'worst concave points', 'radius error'])
    """

    name = "fcbf"
    purpose = "Symmetrical uncertainty"
    family = "information"
    selects = True
    redundancy_aware = True
    complexity = "O(Tn log T + pTn), p predominant"
    published_complexity = "O(Tn log n)"
    reference = "Yu and Liu 2003"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "delta": [Interval(Real, 0, 1, closed="left")]
    }

    delta: float = 0.0

    def shown_values(self) -> ShownValues:
        """Return the symmetric uncertainty of each feature and the class."""
        return ShownValues(self.criterion_, "symmetric uncertainty")

    def _own_count(self) -> int:
        return int(self.predominant_.sum())

    def _choose_by(self, tables: PairTables, count: int) -> Chosen:
        relevance = tables.class_uncertainty()
        examined = kernels.argsort(-relevance)
        examined = examined[(relevance[examined] > 0) & (relevance[examined] >= self.delta)]
        chosen = predominant(tables, relevance, examined)
        return chosen, relevance[chosen], relevance

    def _scores_from(
        self, chosen: NDArray[np.integer], criterion: Floats, relevance: Floats
    ) -> Floats:
        self.relevance_ = relevance
        self.criterion_ = np.maximum(relevance, 0.0)
        self.predominant_ = np.zeros(len(relevance), bool)
        self.predominant_[chosen] = True
        return relevance + self.predominant_


def predominant(tables: PairTables, relevance: Floats, examined: Indices) -> Indices:
    """Return the features, in order, that no feature before them makes redundant."""
    left, found = examined, []
    while len(left):
        found.append(left[0])
        shared = tables.uncertainty(int(left[0]), left[1:])
        left = left[1:][shared < relevance[left[1:]]]
        report(len(examined) - len(left), len(examined))
    return np.array(found, np.int64)
