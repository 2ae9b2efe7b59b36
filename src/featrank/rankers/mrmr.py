"""mRMR: features that are relevant to the class and not redundant among themselves."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from featrank._utils.sklearn import StrOptions
from featrank.base.greedy import Chosen
from featrank.base.information import LazySearch, SumRanker, choose
from featrank.base.ranker import TASKS, Floats
from featrank.base.shown_values import ShownValues
from featrank.exceptions import UsageError
from featrank.pairwise.correlation import Correlation
from featrank.pairwise.pair_tables import PairTables
from featrank.pairwise.sparse_columns import by_columns, is_sparse
from featrank.pairwise.sparse_correlation import SparseCorrelation
from featrank.summaries.columns import RowClasses, column_moments
from featrank.summaries.moments import Moments
from featrank.summaries.regression import (
    Location,
    auto_target_bins,
    bin_regression_target,
    correlation_with,
    explained_over_rest,
)

# Heading of the criterion in results.
CRITERIA = {
    "mid": "relevance − redundancy",
    "miq": "relevance / redundancy",
    "fcq": "F / correlation",
}
# Smaller absolute correlations count as this, so that none divides by almost zero.
LEAST_CORRELATION = 0.001


class MRMR(SumRanker):
    r"""Select features greedily for maximum relevance and minimum redundancy.

    .. math::
        \mathrm{mid: } I(f; C) - \frac{1}{|S|} \sum_{s \in S} I(f; s) \qquad
        \mathrm{miq: } \frac{I(f; C)}{\frac{1}{|S|} \sum_{s \in S} I(f; s)} \qquad
        \mathrm{fcq: } \frac{F(f, C)}{\frac{1}{|S|} \sum_{s \in S} |\rho(f, s)|}

    where S are the features selected so far, C is the class, I the mutual information of binned
    values, F the statistic of the analysis of variance and ρ Pearson's correlation (an absolute
    value below 0.001 counts as 0.001). The first selected feature has the largest relevance. Each
    further one has the largest criterion. Ties go to the larger relevance, then to the lower index.

    For regression, C is the binned target, and F is that of a linear regression on the feature,
    :math:`(T - 2)\, r^2 / (1 - r^2)`.

    "mid" is MIFS with β = 1/\|S\|. In "miq", a feature that shares no information with the
    selected ones has the criterion ``inf``, or 0 if it is unrelated to the class, too. In "fcq", a
    feature that separates the classes perfectly, or has a perfect linear relation to a regression
    target, has F and criterion ``inf``.

    Each step costs O(Tn), so k features cost O(kTn). With ``n_features_to_select=None`` all
    features are selected greedily, O(Tn²). The mutual information needs one byte per value. "fcq"
    makes a standardised copy of X in X's precision, and only computes correlations that can change
    the selection. For sparse X, a step only reads stored entries, and "fcq" makes only the selected
    features dense. The result is that of dense X, for "fcq" up to rounding. A constant feature is
    selected last.

    Results show the criterion at each selection. It depends on the features selected before, so it
    is not a strength. ``scores_`` only encode the order.

    Read more in docs/methods/mrmr.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all. The remaining
        features follow by relevance.
    criterion : {"mid", "miq", "fcq"}, default="mid"
        Difference or quotient of mutual information, or quotient of F and correlation.
    bins : int or "auto", default="auto"
        Number of bins of a feature for "mid" and "miq", at most 256. "auto" is 20 for more than
        200 samples, otherwise a tenth of the samples, but at least 10.
    binning : {"width", "quantile"}, default="width"
        Bins of equal width, or with about equally many samples.
    task : {"classification", "regression"}, default="classification"
        Whether the target holds class labels or numbers.
    target_bins : int or "auto", default="auto"
        Number of bins of a regression target for "mid" and "miq", with about equally many samples.
        "auto" is a twentieth of the samples, from 3 to 10.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    relevance_ : ndarray of shape (n_features,)
        I(f; C) in nats. For "fcq", the share η² of a feature's variance that lies between the
        classes, which orders features as F = (T - c)/(c - 1) · η²/(1 - η²) does for c classes, or
        r² with a regression target.
    criterion_ : ndarray of shape (n_features,)
        The criterion of each feature when it was selected, NaN for features that were not and
        for constants.

    See Also
    --------
    MIFS : Subtracts the sum of the redundancies instead of their mean.
    JMI : Finds features that are informative only together with others.
    DiverseECFS : Avoids redundancy by correlations, without bins.

    References
    ----------
    .. [1] H. Peng, F. Long and C. Ding, "Feature selection based on mutual information: criteria
       of max-dependency, max-relevance, and min-redundancy", IEEE Transactions on Pattern
       Analysis and Machine Intelligence 27 (2005).
    .. [2] C. Ding and H. Peng, "Minimum redundancy feature selection from microarray gene
       expression data", Journal of Bioinformatics and Computational Biology 3 (2005).

    Examples
    --------
    >>> from featrank import MRMR
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> ranker = MRMR(n_features_to_select=3).fit(X, y)
    >>> X.columns[ranker.order_[:3]].tolist()
    ['worst perimeter', 'concavity error', 'area error']
    """

    name = "mrmr"
    purpose = "Relevance minus redundancy"
    family = "information"
    redundancy_aware = True
    complexity = "O(kTn)"
    published_complexity = "N/A"
    reference = "Peng, Long and Ding 2005"
    tasks = TASKS

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "criterion": [StrOptions(set(CRITERIA))]
    }

    criterion: str = "mid"
    task: str = "classification"
    target_bins: int | str = "auto"

    def shown_values(self) -> ShownValues:
        """Return relevance against redundancy, for each feature when it was selected."""
        return ShownValues(self.criterion_, CRITERIA[self.criterion], comparable=False)

    def _criterion(self, relevance: Floats, total: Floats, n_chosen: int) -> Floats:
        redundancy = total / n_chosen
        return relevance - redundancy if self.criterion == "mid" else ratio(relevance, redundancy)

    def reads_in_chunks(self, source: Any, y: Any = None, missing: str = "error") -> bool:
        """Whether ``fit`` reads a source in chunks: not for "fcq" and not for regression."""
        counted = self.criterion != "fcq" and not self._regresses
        return super().reads_in_chunks(source, y, missing) and counted

    def _choose_by(self, tables: PairTables, count: int) -> Chosen:
        if self.criterion == "fcq":
            raise UsageError(
                'criterion="fcq" needs correlations, which cannot be computed from contingency '
                'tables. Use `criterion="mid"`.'
            )
        return super()._choose_by(tables, count)

    def _choose(self, X: Any, y: NDArray[Any], count: int) -> Chosen:
        if self.criterion != "fcq":
            return super()._choose(X, self._target_codes(y) if self._regresses else y, count)
        X = X if isinstance(X, np.ndarray) else by_columns(X)
        codes = np.zeros(len(y), np.intp) if self._regresses else y
        moments = column_moments(X, RowClasses(codes, int(codes.max()) + 1), self.n_jobs)
        correlation = self._correlation(X, moments)
        share, statistic = (
            self._regression(X, y, moments) if self._regresses else analysis_of_variance(moments)
        )
        best_of = partial(correlation.best_quotient, statistic, LEAST_CORRELATION)
        nothing = np.zeros_like(statistic)
        search = LazySearch(statistic, nothing, best_of)
        return *choose(search, moments.low < moments.high, count), share

    def _target_codes(self, y: Floats) -> NDArray[np.intp]:
        auto = self.target_bins == "auto"
        return bin_regression_target(y, auto_target_bins(len(y)) if auto else int(self.target_bins))

    def _regression(self, X: Any, y: Floats, moments: Moments) -> tuple[Floats, Floats]:
        """Return r² with the target, and the F statistic, of each feature."""
        r = correlation_with(X, y, Location.of(moments), n_jobs=self.n_jobs)
        return r**2, max(len(y) - 2, 1) * explained_over_rest(r)

    def _correlation(self, X: Any, moments: Moments) -> Correlation | SparseCorrelation:
        squares = moments.overall_variance() * (X.shape[0] - 1)
        scale = np.divide(1, np.sqrt(squares), out=np.zeros_like(squares), where=squares > 0)
        kind = SparseCorrelation if is_sparse(X) else Correlation.of
        return kind(X, moments.overall_mean(), scale, self.n_jobs)


def analysis_of_variance(moments: Moments) -> tuple[Floats, Floats]:
    """Return the share of the variance between classes, and the F statistic, of each feature."""
    between = moments.count @ (moments.mean - moments.overall_mean()) ** 2
    within = moments.m2.sum(axis=0)
    n_classes, n_samples = len(moments.count), moments.count.sum()
    scale = (n_samples - n_classes) / (n_classes - 1)
    return ratio(between, between + within), ratio(between * scale, within)


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Return the quotient of values that are not negative; 0/0 is 0."""
    quotient = np.zeros_like(numerator)
    with np.errstate(divide="ignore"):
        return np.divide(numerator, denominator, out=quotient, where=numerator > 0)
