"""A signed statistic of each feature, as enrichment analysis needs it.

Scores of rankings have no sign, and some are squared, so that noise features keep a large share of
the largest score. A t statistic is positive or negative, and near 0 for noise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import UsageError, unknown_name
from featrank.ranking.chunked_tests import class_moments
from featrank.ranking.evidence import SourceData
from featrank.statistics.feature_tests import class_tests
from featrank.statistics.welch import split_moments, welch_test

if TYPE_CHECKING:
    from featrank.ranking.ranking import Ranking

Floats = NDArray[np.float64]

# Columns that are read at a time.
BLOCK = 1024
# Share of the variance that a perfect correlation leaves unexplained by rounding.
ROUNDING = 1e-14


class SignedStatistic(NamedTuple):
    """One value per feature, in the order of the columns, and what it is."""

    values: Floats
    description: str


def signed_statistic(ranking: Ranking, of_class: Any = None) -> SignedStatistic:
    """Return Welch's t of a class against the rest, or the t of the correlation with the target.

    Parameters
    ----------
    ranking : Ranking
        Returned by ``featrank.rank``, with its data.
    of_class : label or None, default=None
        The class with positive values. None is the class of the ranking, or the second of two.

    Returns
    -------
    statistic : SignedStatistic
        Finite values: 0 if undefined, and twice the largest finite size if infinite.
    """
    data = ranking._data("A signed statistic")
    if data.regression_target is not None:
        t = _in_blocks(ranking, data.regression_target)
        return SignedStatistic(
            _finite(t), "the t statistic of Pearson's correlation with the target"
        )
    labels = list(data.class_labels)
    if not labels:
        raise UsageError(
            f"A signed statistic needs a target, and this ranking by {ranking.method} has none. "
            "Rank with a target to write an rnk file."
        )
    code = _class_code(ranking, labels, of_class)
    rest = repr(str(labels[1 - code])) if len(labels) == 2 else "the rest"
    description = f"Welch's t: positive values are higher in {str(labels[code])!r} than in {rest}"
    return SignedStatistic(_finite(_welch_t(data, code)), description)


def _class_code(ranking: Ranking, labels: list[Any], of_class: Any) -> int:
    if of_class is not None:
        names = [str(label) for label in labels]
        if str(of_class) not in names:
            raise UsageError(unknown_name("class", str(of_class), names))
        return names.index(str(of_class))
    code = ranking._class_of_interest()
    if code is not None:
        return code
    if len(labels) > 2:
        raise UsageError(
            f"A signed statistic compares one class with the rest, and there are {len(labels)} "
            "classes. Use `of_class=...`."
        )
    return 1


def _welch_t(data: Any, code: int) -> Floats:
    if not isinstance(data, SourceData):
        statistic = class_tests(data.X, data.classes.codes, values="none").statistic
        return np.asarray(statistic[code])
    moments = class_moments(data, code, "A signed statistic")
    return welch_test(*split_moments(moments))[0][1]


def _in_blocks(ranking: Ranking, target: Floats) -> Floats:
    data, n_features = ranking._data("A signed statistic"), len(ranking)
    starts = range(0, n_features, BLOCK)
    columns = (np.arange(start, min(start + BLOCK, n_features)) for start in starts)
    return np.concatenate([correlation_t(data.values(some), target) for some in columns])


def correlation_t(values: Floats, target: Floats) -> Floats:
    r"""Return the t statistic of each feature's correlation with the target.

    .. math:: t = r \sqrt{\frac{n - 2}{1 - r^2}}

    over the n samples without a missing value. It is NaN for a constant and for n < 3.

    Examples
    --------
    >>> correlation_t(np.array([[1.0], [2.0], [2.0], [4.0]]), np.array([1.0, 2.0, 3.0, 4.0]))
    array([3.4017])
    """
    known = ~np.isnan(values)
    n = known.sum(axis=0)
    x, y = _centred(values, known), _centred(np.where(known, target[:, np.newaxis], np.nan), known)
    with np.errstate(divide="ignore", invalid="ignore"):
        xx, yy, xy = (x**2).sum(axis=0), (y**2).sum(axis=0), (x * y).sum(axis=0)
        unexplained = ((y - x * (xy / xx)) ** 2).sum(axis=0)
        unexplained = np.where(unexplained > ROUNDING * yy, unexplained, 0.0)
        t = xy / np.sqrt(xx * unexplained / (n - 2))
    return np.where((n > 2) & (xx > 0) & (yy > 0), t, np.nan)


def _centred(values: Floats, known: NDArray[np.bool_]) -> Floats:
    """Return deviations from the mean in units of the largest, 0 where a value is missing."""
    low = np.where(known, values, np.inf).min(axis=0)
    high = np.where(known, values, -np.inf).max(axis=0)
    total = np.where(known, values, 0.0).sum(axis=0)
    mean = np.where(low == high, low, total / np.maximum(known.sum(axis=0), 1))
    deviations = np.where(known, values - mean, 0.0)
    largest = np.abs(deviations).max(axis=0)
    return deviations / np.where(largest > 0, largest, 1.0)


def _finite(t: Floats) -> Floats:
    """Replace undefined values by 0, and infinite ones by twice the largest finite size."""
    t = np.where(np.isnan(t), 0.0, t)
    largest = np.abs(t[np.isfinite(t)]).max(initial=0.0) or 1.0
    return np.clip(t, -2 * largest, 2 * largest)
