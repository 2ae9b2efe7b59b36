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
from featrank.base.uncertainty import UncertaintyRanker
from featrank.kernels.contingency import Indices
from featrank.pairwise.pair_tables import PairTables


class FCBF(UncertaintyRanker):
    r"""Rank features by relevance and drop those made redundant by a more relevant feature.

    .. math:: SU(f, g) = \frac{2\, I(f; g)}{H(f) + H(g)}

    is the symmetric uncertainty of two discrete variables: 0 if they share nothing, 1 if each
    determines the other. Features f with :math:`SU(f, C) \ge \delta` are examined from the largest
    :math:`SU(f, C)` on, where C is the class. Ties are examined by index. Each f that is still
    there is predominant, and removes every later g with

    .. math:: SU(f, g) \ge SU(g, C).

    The score is :math:`SU(f, C)`, and 1 more for a predominant feature. So the predominant ones
    come first, then those that were removed, then those below δ, each by SU. ``predominant_`` is
    what the method selects, also as ``n_features_to_select="auto"``; a number takes the best of the
    ranking, and changes no score. A feature unrelated to the class, with SU = 0, is never
    predominant.

    By default the classes themselves cut a feature into intervals, as long as their description
    gets shorter by it (Fayyad and Irani, as published with the method). A feature that is not
    worth a cut, as most noise features, has no entropy: these features come last, ordered by the SU
    of their best cut, and score that SU less 1. A constant scores -1.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        How many features to select: a number, a fraction, "auto" for the predominant
        ones, or None for all.
    delta : float, default=0.0
        The smallest SU with the class of a feature that is examined, in [0, 1).
    bins : int or "auto", default="auto"
        Bins of a feature for "width" and "quantile", at most 256; "auto" is 20 for more than 200
        samples, else a tenth of the samples, at least 10.
    binning : {"mdl", "width", "quantile"}, default="mdl"
        Intervals drawn by the classes, or bins of equal width, or of about equal content. For
        counts and codes of categories "width" with as many ``bins`` as there are values takes each
        value for what it is. Many bins on few samples make any two features seem redundant.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    predominant_ : ndarray of shape (n_features,)
        True for the features that the method selects.
    relevance_ : ndarray of shape (n_features,)
        SU(f, C); for a feature that is not worth a cut, SU of its best cut less 1.

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
        self.predominant_ = np.zeros(len(relevance), bool)
        self.predominant_[chosen] = True
        return relevance + self.predominant_


def predominant(tables: PairTables, relevance: Floats, examined: Indices) -> Indices:
    """Return those of the features, in their order, that no feature before them makes redundant."""
    left, found = examined, []
    while len(left):
        found.append(left[0])
        shared = tables.uncertainty(int(left[0]), left[1:])
        left = left[1:][shared < relevance[left[1:]]]
        report(len(examined) - len(left), len(examined))
    return np.array(found, np.int64)
