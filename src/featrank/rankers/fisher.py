"""Fisher score: distance between class means in units of within-class standard deviation."""

from __future__ import annotations

from featrank.base.ranker import TASKS, Floats
from featrank.base.summary import SummaryRanker
from featrank.summaries.column_stats import ColumnStats
from featrank.summaries.regression import Location, explained_over_rest
from featrank.summaries.relevance import fisher_score, weighted_fisher_score


class FisherScore(SummaryRanker):
    r"""Rank features by between-class separation over within-class variance.

    .. math::
        f = \frac{(\mu_1 - \mu_2)^2}{s_1^2 + s_2^2}, \qquad
        f = \frac{\sum_c (\mu_c - \mu)^2}{\sum_c s_c^2}

    for two and for more classes, with sample variances :math:`s_c^2` (ddof 1). With
    ``class_weighted=True`` classes are weighted by their size,

    .. math:: f = \frac{\sum_c n_c (\mu_c - \mu)^2}{\sum_c (n_c - 1)\, s_c^2},

    which multiplied by (T - C)/(C - 1) is the F statistic of a one-way ANOVA.

    For a regression target, explained variance is divided by unexplained variance,

    .. math:: f = \frac{r^2}{1 - r^2},

    with Pearson's correlation r of feature and target. Multiplied by T - 2, it is the F statistic
    of a linear regression on the feature.

    A constant feature scores 0. A feature with perfect separation (constant within each class, but
    not overall) scores ``inf``. So does a feature that is a linear function of a regression target.

    Read more in docs/methods/fisher.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    class_weighted : bool, default=False
        Whether classes are weighted by their size. Ignored for regression.
    task : {"classification", "regression"}, default="classification"
        Whether the target holds class labels or numbers.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    correlation_ : ndarray of shape (n_features,)
        With ``task="regression"``: Pearson's correlation of each feature with the target.

    See Also
    --------
    MutualInformation : Also finds nonlinear differences between classes.
    TraceRatio : Fisher criterion of a whole subset of features.
    ECFS : Combines the Fisher score with mutual information and spread.

    References
    ----------
    .. [1] R. O. Duda, P. E. Hart and D. G. Stork, "Pattern classification" (2001).
    .. [2] Q. Gu, Z. Li and J. Han, "Generalized Fisher score for feature selection", UAI (2011).

    Examples
    --------
    >>> from featrank import FisherScore
    >>> FisherScore().fit([[0, 1], [1, 1], [5, 2], [6, 0]], ["a", "a", "b", "b"]).scores_
    array([25.,  0.])
    >>> FisherScore(task="regression").fit([[0, 1], [1, 1], [5, 2], [6, 0]], [0, 1, 3, 4]).scores_
    array([6.4000e+01, 5.2632e-02])
    """

    name = "fisher"
    purpose = "Class separation (Fisher)"
    family = "statistics"
    invariances = frozenset({"shift", "scale"})
    complexity = "O(Tn)"
    published_complexity = "O(Tn)"
    reference = "Gu, Li and Han 2011"
    tasks = TASKS

    class_weighted: bool = False
    task: str = "classification"
    n_jobs: int | None = None

    def _describe(self, digest: ColumnStats) -> dict[str, Floats]:
        if self._regresses:
            return Location.of(digest.moments)._asdict()
        score = weighted_fisher_score if self.class_weighted else fisher_score
        return {"fisher": score(digest.moments)}

    def _of_correlation(self, r: Floats) -> dict[str, Floats]:
        self.correlation_ = r
        return {"fisher": explained_over_rest(r)}

    def _combine(self, vectors: dict[str, Floats]) -> Floats:
        if not self._regresses:
            self.__dict__.pop("correlation_", None)  # of an earlier fit
        return vectors["fisher"]

    def score_components(self) -> dict[str, Floats]:
        """Return the correlation with the regression target."""
        return {"correlation": self.correlation_} if hasattr(self, "correlation_") else {}
