"""Fisher score: how far apart the class means are, in units of the spread within classes."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

from featrank.base import Floats
from featrank.summaries import Digest, fisher_score, weighted_fisher_score
from featrank.summary_ranker import SummaryRanker


class FisherScore(SummaryRanker):
    r"""Rank features by between-class separation over within-class spread.

    .. math::
        f = \frac{(\mu_1 - \mu_2)^2}{s_1^2 + s_2^2}, \qquad
        f = \frac{\sum_c (\mu_c - \mu)^2}{\sum_c s_c^2}

    for two and for more classes, with sample variances :math:`s_c^2` (ddof 1). With
    ``class_weighted=True`` classes count by their size,

    .. math:: f = \frac{\sum_c n_c (\mu_c - \mu)^2}{\sum_c (n_c - 1)\, s_c^2},

    which times (T - C)/(C - 1) is the F statistic of an analysis of variance.

    A constant feature scores 0; one that separates the classes exactly (constant within each
    class, and not over all) scores ``inf``.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    class_weighted : bool, default=False
        Whether classes count by their size.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    References
    ----------
    .. [1] R. O. Duda, P. E. Hart and D. G. Stork, "Pattern classification" (2001).
    .. [2] Q. Gu, Z. Li and J. Han, "Generalized Fisher score for feature selection", UAI (2011).

    Examples
    --------
    >>> from featrank import FisherScore
    >>> FisherScore().fit([[0, 1], [1, 1], [5, 2], [6, 0]], ["a", "a", "b", "b"]).scores_
    array([25.,  0.])
    """

    name = "fisher"
    invariances = frozenset({"shift", "scale"})
    complexity = "O(Tn)"
    published_complexity = "O(Tn)"
    reference = "Gu, Li and Han 2011"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **SummaryRanker._parameter_constraints,
        "class_weighted": ["boolean"],
        "n_jobs": [None, Integral],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        class_weighted: bool = False,
        n_jobs: int | None = None,
    ):
        self.n_features_to_select = n_features_to_select
        self.class_weighted = class_weighted
        self.n_jobs = n_jobs

    def _describe(self, digest: Digest) -> dict[str, Floats]:
        score = weighted_fisher_score if self.class_weighted else fisher_score
        return {"fisher": score(digest.moments)}

    def _combine(self, vectors: dict[str, Floats]) -> Floats:
        return vectors["fisher"]
