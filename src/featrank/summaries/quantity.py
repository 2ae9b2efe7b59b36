"""What a target that is a quantity has in common with each feature."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats
from featrank.values import by_power_of_two

from .columns import RowClasses, column_moments
from .moments import Moments

# Strata of a quantity, where there are samples enough.
MOST_STRATA = 5
# What is left of a variance that a quantity explains to the last digit.
EXACT = 1e-13


def auto_target_bins(n_samples: int) -> int:
    """Return into how many bins a quantity is cut: some twenty samples each, 3 to 10 bins.

    Examples
    --------
    >>> [auto_target_bins(n) for n in (10, 100, 1000)]
    [3, 5, 10]
    """
    return int(np.clip(n_samples // 20, 3, 10))


def quantity_bins(y: Floats, bins: int, weights: Floats | None = None) -> NDArray[np.intp]:
    """Return bins of about equal content as codes 0, 1, …; -1 where y is NaN.

    A value goes to the bin in which the middle of its share of the samples lies, so that equal
    values stay together, and the lowest and the highest never share a bin.

    Examples
    --------
    >>> quantity_bins(np.array([4.0, 1.0, 3.0, 2.0, np.nan]), 2)
    array([ 1,  0,  1,  0, -1])
    >>> quantity_bins(np.array([7.0, 7.0, 7.0, 9.0]), 2)
    array([0, 0, 0, 1])
    """
    codes = np.full(len(y), -1)
    known = np.flatnonzero(~np.isnan(y))
    share = np.ones(len(known)) if weights is None else weights[known]
    values, places = np.unique(y[known], return_inverse=True)
    own = np.bincount(places, share, len(values))
    middle = (np.cumsum(own) - own / 2) / own.sum()
    found = np.minimum((bins * middle).astype(np.intp), bins - 1)
    codes[known] = np.unique(found, return_inverse=True)[1].reshape(-1)[places]
    return codes


def strata_of(y: Floats, least: int) -> NDArray[np.intp]:
    """Return bins of about equal content, from the lowest values on, to balance splits by.

    There are five, or fewer where one of them would have less than ``least`` samples.

    Examples
    --------
    >>> strata_of(np.array([9.0, 1.0, 7.0, 3.0]), least=2)
    array([1, 0, 1, 0])
    >>> strata_of(np.array([9.0, 1.0, 7.0, 3.0]), least=3)
    array([0, 0, 0, 0])
    """
    for count in range(MOST_STRATA, 1, -1):
        codes = quantity_bins(y, count)
        if np.bincount(codes).min() >= least:
            return codes
    return np.zeros(len(y), dtype=np.intp)


def correlation_with(
    X: Any,
    y: Floats,
    mean: Floats,
    variance: Floats,
    weights: Floats | None = None,
    n_jobs: int | None = None,
) -> Floats:
    r"""Return Pearson's correlation of each feature with a quantity; 0 for a constant.

    With the weights :math:`w_t = y_t - \min y` it is a matter of two means of the feature,

    .. math:: \sum_t (x_t - \bar x)(y_t - \bar y) = \sum_t w_t\, (\bar x_w - \bar x),

    so that the sums over blocks, sparse values and threads serve here too.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        The samples.
    y : ndarray of shape (n_samples,)
        The quantity; rows where it is NaN take no part.
    mean, variance : ndarray of shape (n_features,)
        Of the rows that take part, the variance with ddof 1.
    weights : ndarray of shape (n_samples,), optional
        How many samples each row stands for.
    """
    known = ~np.isnan(y)
    share = known.astype(np.float64) if weights is None else np.where(known, weights, 0.0)
    values = by_power_of_two(np.where(share > 0, y, 0.0))[0]
    lowest = np.min(values, where=share > 0, initial=np.inf)
    above = np.where(share > 0, values - lowest, 0.0)
    above /= above.max(initial=0.0) or 1.0
    weighted = _mean(X, np.where(share > 0, 0, -1), share * above, n_jobs)
    total, count = share @ above, share.sum()
    squares = share @ (above - total / count) ** 2
    product = np.sqrt(squares) * np.sqrt(variance * max(count - 1, 1))
    covariance = total * (weighted - mean)
    r = np.divide(covariance, product, out=np.zeros_like(mean), where=product > 0)
    return np.clip(r, -1.0, 1.0)


def _mean(X: Any, codes: NDArray[np.integer], weights: Floats, n_jobs: int | None) -> Floats:
    moments: Moments = column_moments(X, RowClasses(codes, 1, weights), n_jobs)
    return moments.mean[0]


def explained_over_rest(r: Floats) -> Floats:
    r"""Return :math:`r^2 / (1 - r^2)`, ``inf`` where nothing is left to explain.

    Examples
    --------
    >>> explained_over_rest(np.array([0.0, -0.5, 1.0]))
    array([0.    , 0.3333,    inf])
    """
    square = r**2
    rest = np.where(1 - square > EXACT, 1 - square, 0.0)
    with np.errstate(divide="ignore"):
        return np.divide(square, rest, out=np.zeros_like(r), where=square > 0)
