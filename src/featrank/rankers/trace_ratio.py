"""Trace ratio: contribution to the best ratio of between-class to within-class scatter."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from featrank.base.parameters import AT_LEAST_1, SHARE
from featrank.base.ranker import Floats
from featrank.base.summary import SummaryRanker
from featrank.summaries.column_stats import ColumnStats
from featrank.summaries.relevance import scatters

# Far more iterations than needed: each one raises the ratio, and steps shrink quickly.
MOST_ROUNDS = 100
LARGEST = float(np.finfo(np.float64).max)


class TraceRatio(SummaryRanker):
    r"""Rank features by their contribution to the largest trace ratio of m features.

    .. math::
        \lambda = \max_{|I| = m} \frac{\sum_{j \in I} B_j}{\sum_{j \in I} E_j}, \qquad
        B_j = \sum_c n_c (\mu_{jc} - \mu_j)^2, \qquad
        E_j = \sum_c \sum_{t \in c} (x_{tj} - \mu_{jc})^2, \qquad
        s_j = B_j - \lambda E_j

    B and E are the scatters between and within the classes, so λ is the ratio of the traces of both
    scatter matrices of the subset. A feature's own ratio B/E, the Fisher score, does not determine
    the ratio of a subset, where features with more scatter have more influence. The m features with
    the largest scores have the largest ratio of all :math:`\binom{n}{m}` subsets. They are found by
    iterating :math:`\lambda \leftarrow` the ratio of the m features with the largest scores, which
    converges in a few steps.

    The ranking depends on m. By default :math:`m = n`, and λ is the ratio of all features. It does
    not depend on ``n_features_to_select``. For the best subset of ten, use ``subset_size=10`` and
    ``n_features_to_select=10``. A small m makes λ large, and features after the first m are then
    ordered mainly by their scatter within classes.

    Features with large units have more influence: scale them first if units are arbitrary. On
    standardised features the order is that of the class-weighted Fisher score for any m.

    A constant feature is in no subset and comes last. If at least m features have perfect
    separation (E = 0 and B > 0), the ratio is unbounded. One more feature is then added to the
    subset, and the features with perfect separation come first.

    Read more in docs/methods/trace-ratio.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    subset_size : int, float or None, default=None
        Size m of the subset: a number, a fraction of the features, or None for all. At most all
        features are used.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    between_, within_ : ndarray of shape (n_features,)
        B and E.
    ratio_ : float
        λ.
    objective_ : ndarray of shape (n_iter_,)
        The ratio of the selected features after each step.
    n_iter_ : int
        Number of steps.

    See Also
    --------
    FisherScore : Scores each feature on its own.
    ECFS : Also weighs mutual information and spread.

    References
    ----------
    .. [1] F. Nie, S. Xiang, Y. Jia, C. Zhang and S. Yan, "Trace ratio criterion for feature
       selection", AAAI Conference on Artificial Intelligence (2008).

    Examples
    --------
    >>> from featrank import TraceRatio
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> ranker = TraceRatio(n_features_to_select=2, subset_size=2).fit(X, y)
    >>> ranker.get_feature_names_out().tolist()
    ['petal length (cm)', 'petal width (cm)']
    >>> ranker.ratio_
    15.5...
    """

    name = "trace-ratio"
    purpose = "Trace ratio of a subset"
    family = "graph"
    invariances = frozenset({"shift"})
    complexity = "O(Tn)"
    published_complexity = "N/A"
    reference = "Nie et al. 2008"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "subset_size": [None, AT_LEAST_1, SHARE]
    }

    subset_size: int | float | None = None
    n_jobs: int | None = None

    def score_components(self) -> dict[str, Floats]:
        """Return the scatters between and within classes."""
        return {"between": self.between_, "within": self.within_}

    def _describe(self, digest: ColumnStats) -> dict[str, Floats]:
        between, within = scatters(digest.moments)
        return {"between": between, "within": within}

    def _combine(self, vectors: dict[str, Floats]) -> Floats:
        between, within = self.between_, self.within_ = vectors["between"], vectors["within"]
        varies = between + within > 0
        self.objective_ = best_ratio(between[varies], within[varies], self._size(len(between)))
        self.n_iter_ = len(self.objective_)
        self.ratio_ = float(self.objective_[-1]) if self.n_iter_ else 0.0
        scores = _excess(between, within, self.ratio_)
        lowest = _excess(np.zeros(1), np.max(between + within, keepdims=True), 1 + self.ratio_)
        return np.where(varies, scores, lowest)

    def _size(self, n_features: int) -> int:
        if self.subset_size is None:
            return n_features
        if isinstance(self.subset_size, Integral):
            return int(self.subset_size)
        return max(1, int(float(str(self.subset_size)) * n_features + 1e-9))


def best_ratio(between: Floats, within: Floats, size: int) -> Floats:
    """Return the increasing ratios up to the largest one of ``size`` features.

    If ``size`` features could have no scatter within classes, the subset is one larger than the
    number of such features. The result is empty if no feature has scatter within classes.
    """
    exact = int(np.sum(within == 0))
    if exact == len(within):
        return np.empty(0)
    size = min(max(size, exact + 1), len(within))
    ratios: list[float] = []
    for _ in range(MOST_ROUNDS):
        scores = _excess(between, within, ratios[-1] if ratios else 0.0)
        chosen = _largest(scores, size)
        ratio = _quotient(between[chosen].sum(), within[chosen].sum())
        if ratios and ratio <= ratios[-1]:
            break
        ratios.append(ratio)
    return np.array(ratios)


def _largest(scores: Floats, size: int) -> NDArray[np.intp]:
    """Return the indices of the largest scores, ascending."""
    chosen: NDArray[np.intp] = np.argpartition(-scores, size - 1)[:size]
    return np.sort(chosen)


def _excess(between: Floats, within: Floats, ratio: float) -> Floats:
    with np.errstate(over="ignore"):
        return np.maximum(between - ratio * within, -LARGEST)


def _quotient(between: float, within: float) -> float:
    with np.errstate(over="ignore"):
        return float(min(between / within, LARGEST))
