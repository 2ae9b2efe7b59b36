"""Mutual information: dependence between each binned feature and the class."""

from __future__ import annotations

from featrank.base.ranker import TASKS, Floats
from featrank.base.summary import SummaryRanker
from featrank.summaries.column_stats import ColumnStats
from featrank.summaries.relevance import mutual_information


class MutualInformation(SummaryRanker):
    r"""Rank features by their mutual information with the class, in nats.

    .. math:: m = \sum_y \sum_z p(z, y) \log \frac{p(z, y)}{p(z)\, p(y)}

    where z is the bin of a value, and p are proportions of the samples (the plug-in estimate). With
    ``normalized=True`` the score is the symmetric uncertainty :math:`2 m / (H(z) + H(y))`, between
    0 and 1. A constant feature scores 0.

    Bins are half-open, [a, b), except for the last. With equal-width bins, a value on an edge
    belongs to the bin above, even if a change of units rounds it down. A feature of integers with a
    range below ``bins`` gets one bin per integer. Quantile bins depend only on the order of the
    values, so an increasing transform does not change a score. A feature with at most ``bins``
    distinct values gets one bin per value. A regression target is cut into quantile bins, and y is
    the bin.

    Read more in docs/methods/mi.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    bins : int or "auto", default="auto"
        Number of bins. "auto" is 20 for more than 200 samples, otherwise a tenth of the samples,
        but at least 10.
    binning : {"width", "quantile"}, default="width"
        Bins of equal width, or quantile bins.
    normalized : bool, default=False
        Whether to return the symmetric uncertainty.
    task : {"classification", "regression"}, default="classification"
        Whether the target holds class labels or numbers.
    target_bins : int or "auto", default="auto"
        Number of bins of a regression target. "auto" is a twentieth of the samples, between 3 and
        10.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    See Also
    --------
    FisherScore : Faster, for differences between class means.
    MRMR : Mutual information minus redundancy.

    References
    ----------
    .. [1] M. Zaffalon and M. Hutter, "Robust feature selection by mutual information
       distributions", UAI (2002).

    Examples
    --------
    >>> from featrank import MutualInformation
    >>> MutualInformation().fit([[0, 1], [0, 0], [3, 1], [3, 0]], ["a", "a", "b", "b"]).scores_
    array([0.69314718, 0.        ])
    """

    name = "mi"
    purpose = "Mutual information"
    family = "information"
    invariances = frozenset({"shift", "scale"})
    complexity = "O(Tn)"
    published_complexity = "O(n²T²)"
    reference = "Zaffalon and Hutter 2002"
    tasks = TASKS

    bins: int | str = "auto"
    binning: str = "width"
    normalized: bool = False
    task: str = "classification"
    target_bins: int | str = "auto"
    n_jobs: int | None = None

    def _describe(self, digest: ColumnStats) -> dict[str, Floats]:
        return {"information": mutual_information(digest, self.normalized)}

    def _combine(self, vectors: dict[str, Floats]) -> Floats:
        return vectors["information"]
