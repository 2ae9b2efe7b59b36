"""Moderated t: the t statistic with variances that are shrunk across features."""

from __future__ import annotations

import numpy as np

from featrank.base.ranker import TASKS, Floats
from featrank.base.summary import SummaryRanker
from featrank.summaries.column_stats import ColumnStats
from featrank.summaries.moments import Moments
from featrank.summaries.regression import EXACT, Location
from featrank.summaries.relevance import scatters
from featrank.summaries.shrinkage import VariancePrior


class ModeratedT(SummaryRanker):
    r"""Rank features by the t statistic with variances shrunk across all features.

    With few samples, some features have a small variance by chance, and ordinary t statistics rank
    them first. The moderated t shrinks the variances towards a common value,

    .. math:: \tilde t = \frac{|\mu_1 - \mu_2|}{\tilde s \sqrt{1/n_1 + 1/n_2}}, \qquad
        \tilde s^2 = \frac{d_0 s_0^2 + d\, s^2}{d_0 + d},

    where :math:`s^2` is the pooled variance within classes with d degrees of freedom. The prior
    :math:`d_0, s_0^2` is estimated from the variances of all features. More than two classes are
    ranked by the moderated F statistic,

    .. math:: \tilde F = \frac{\sum_c n_c (\mu_c - \mu)^2}{(C - 1)\, \tilde s^2}.

    For a regression target, it is the moderated t of the slope of the feature on the target, and
    :math:`s^2` is the residual variance.

    A constant feature scores 0. Scores are ``inf`` only if variances cannot be shrunk, because
    there is a single feature or no feature varies within classes: then a feature with perfect
    separation scores ``inf``.

    Read more in docs/methods/moderated-t.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    task : {"classification", "regression"}, default="classification"
        Whether the target holds class labels or numbers.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    prior_freedom_ : float
        Prior degrees of freedom :math:`d_0`. ``inf`` if variances differ only by chance.
    prior_variance_ : float
        Prior variance :math:`s_0^2`.

    See Also
    --------
    FisherScore : Without shrinkage, for more samples.

    References
    ----------
    .. [1] G. K. Smyth, "Linear models and empirical Bayes methods for assessing differential
       expression in microarray experiments", Statistical Applications in Genetics and Molecular
       Biology 3 (2004).

    Examples
    --------
    >>> from featrank import ModeratedT
    >>> X = [[0.0, 1.0, 4.0], [0.1, 3.0, 2.0], [0.3, 8.0, 3.0], [0.4, 9.0, 5.0]]
    >>> ModeratedT().fit(X, ["a", "a", "b", "b"]).ranking_
    array([2, 1, 3])
    """

    name = "moderated-t"
    purpose = "Separation, few samples"
    family = "statistics"
    invariances = frozenset({"shift"})
    complexity = "O(Tn)"
    published_complexity = "N/A"
    reference = "Smyth 2004"
    tasks = TASKS

    task: str = "classification"
    n_jobs: int | None = None

    def _describe(self, digest: ColumnStats) -> dict[str, Floats]:
        moments = digest.moments
        return _regression_terms(moments) if self._regresses else _class_terms(moments)

    def _of_correlation(self, r: Floats) -> dict[str, Floats]:
        return {"correlation": r}

    def _combine(self, vectors: dict[str, Floats]) -> Floats:
        between, within, freedom = vectors["between"], vectors["within"], vectors["freedom"]
        if self._regresses:
            explained = vectors["correlation"] ** 2
            rest = np.where(1 - explained > EXACT, 1 - explained, 0.0)
            between, within = explained * between, rest * within
        variance = np.divide(within, freedom, out=np.full_like(within, np.nan), where=freedom > 0)
        prior = VariancePrior.of(variance, freedom)
        self.prior_freedom_, self.prior_variance_ = prior
        squeezed = np.nan_to_num(prior.squeezed(variance, freedom), posinf=np.inf)
        with np.errstate(divide="ignore"):
            score = np.divide(between, squeezed, out=np.zeros_like(between), where=between > 0)
        return np.sqrt(score) if vectors["is_t"].all() else score


def _class_terms(moments: Moments) -> dict[str, Floats]:
    """Return the mean square between classes, the squares within, and degrees of freedom."""
    between, within = scatters(moments)
    shape = moments.mean.shape
    count = np.broadcast_to(moments.counts, shape)
    n_classes = (count > 0).sum(axis=0)
    return {
        "between": np.where(n_classes > 1, between / np.maximum(n_classes - 1, 1), 0.0),
        "within": within,
        "freedom": np.maximum(count.sum(axis=0) - n_classes, 0.0),
        "is_t": np.full(shape[1], float(shape[0] == 2)),
    }


def _regression_terms(moments: Moments) -> dict[str, Floats]:
    """Return the sum of squares as both terms, which the correlation will divide."""
    location, shape = Location.of(moments), moments.mean.shape
    count = np.broadcast_to(moments.counts, shape).sum(axis=0)
    squares = location.variance * np.maximum(count - 1, 0)
    return location._asdict() | {
        "between": squares,
        "within": squares,
        "freedom": np.maximum(count - 2, 0.0),
        "is_t": np.ones(shape[1]),
    }
