"""Bins of a regression target, and its correlation with each feature."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats
from featrank.values.numbers import by_power_of_two

if TYPE_CHECKING:
    from featrank.summaries.moments import Moments

# Number of strata of a regression target, if there are enough samples.
MOST_STRATA = 5
# An unexplained fraction of the variance below this is a rounding error.
EXACT = 1e-13


def auto_target_bins(n_samples: int) -> int:
    """Return the number of bins of a regression target: about twenty samples each, 3 to 10 bins.

    Examples
    --------
    >>> [auto_target_bins(n) for n in (10, 100, 1000)]
    [3, 5, 10]
    """
    return int(np.clip(n_samples // 20, 3, 10))


def bin_regression_target(y: Floats, bins: int, weights: Floats | None = None) -> NDArray[np.intp]:
    """Return quantile bins as codes 0, 1, …, and -1 if y is NaN.

    A value belongs to the bin that contains its mid-rank, so that equal values stay together, and
    the lowest and the highest value never share a bin.

    Examples
    --------
    >>> bin_regression_target(np.array([4.0, 1.0, 3.0, 2.0, np.nan]), 2)
    array([ 1,  0,  1,  0, -1])
    >>> bin_regression_target(np.array([7.0, 7.0, 7.0, 9.0]), 2)
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
    """Return quantile bins, from the lowest values on, to stratify splits.

    There are five, or fewer if a stratum would have fewer than ``least`` samples.

    Examples
    --------
    >>> strata_of(np.array([9.0, 1.0, 7.0, 3.0]), least=2)
    array([1, 0, 1, 0])
    >>> strata_of(np.array([9.0, 1.0, 7.0, 3.0]), least=3)
    array([0, 0, 0, 0])
    """
    for count in range(MOST_STRATA, 1, -1):
        codes = bin_regression_target(y, count)
        if np.bincount(codes).min() >= least:
            return codes
    return np.zeros(len(y), dtype=np.intp)


class Location(NamedTuple):
    """Mean, variance (ddof 1), smallest and largest value of each feature."""

    mean: Floats
    variance: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(cls, moments: Moments) -> Location:
        """Compute it from the moments of all classes."""
        return cls(moments.overall_mean(), moments.overall_variance(), moments.low, moments.high)

    @classmethod
    def taken_from(cls, vectors: dict[str, Floats]) -> Location | None:
        """Remove and return the vectors with its names, if they exist."""
        if not vectors.keys() >= set(cls._fields):
            return None
        return cls(*(vectors.pop(name) for name in cls._fields))


def correlation_with(
    X: Any, y: Floats, location: Location, weights: Floats | None = None, n_jobs: int | None = None
) -> Floats:
    r"""Return Pearson's correlation of each feature with a regression target, 0 for a constant.

    A feature is measured from 0 if that is one of its values, otherwise from the middle of its
    range. So no digits are lost to a large mean, and zeros of sparse data add nothing:

    .. math:: \sum_t (x_t - \bar x)(y_t - \bar y)
        = \sum_t (y_t - \bar y)(x_t - c) - (\bar x - c) \sum_t (y_t - \bar y)

    The last sum is a rounding error. The order of the rows does not affect sums over features, but
    may change the last bit of the mean of y.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        The samples.
    y : ndarray of shape (n_samples,)
        The target. Rows where it is NaN are ignored.
    location : Location
        Statistics of the rows that are used.
    weights : ndarray of shape (n_samples,), optional
        Number of samples that each row represents.
    """
    from featrank.summaries.columns import column_products

    factors, length, count = _factors(y, weights)
    low, high, mean = location.low, location.high, location.mean
    centre = np.where((low <= 0) & (high >= 0), 0.0, low + (high - low) / 2)
    sums = column_products(X, factors, centre, np.maximum(high - centre, centre - low), n_jobs)
    covariance = sums - (mean - centre) * factors.sum()
    product = length * np.sqrt(location.variance * max(count - 1, 1))
    r = np.divide(covariance, product, out=np.zeros_like(mean), where=product > 0)
    return np.clip(r, -1.0, 1.0)


def _factors(y: Floats, weights: Floats | None) -> tuple[Floats, float, float]:
    """Return w·(y - mean), the norm √Σw·(y - mean)², and Σw, where y is known.

    The first two are in units in which no factor exceeds 1.
    """
    known = ~np.isnan(y)
    share = known.astype(np.float64) if weights is None else np.where(known, weights, 0.0)
    taken, count = share > 0, float(share.sum())
    values = by_power_of_two(np.where(taken, y, 0.0))[0]
    # Subtract one of the values first, then the mean, as a mean far from 0 would be rounded.
    off = np.where(taken, values - values[np.argmax(taken)], 0.0)
    off = np.where(taken, off - share @ off / count, 0.0)
    factors, exponent = by_power_of_two(share * off)
    return factors, float(np.sqrt(factors @ np.ldexp(off, -exponent))), count


def explained_over_rest(r: Floats) -> Floats:
    r"""Return :math:`r^2 / (1 - r^2)`, or ``inf`` if all variance is explained.

    Examples
    --------
    >>> explained_over_rest(np.array([0.0, -0.5, 1.0]))
    array([0.    , 0.3333,    inf])
    """
    square = r**2
    rest = np.where(1 - square > EXACT, 1 - square, 0.0)
    with np.errstate(divide="ignore"):
        return np.divide(square, rest, out=np.zeros_like(r), where=square > 0)
