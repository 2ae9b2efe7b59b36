"""The moderated t-test of every class against the rest, from moments."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from featrank.kernels import Floats
from featrank.summaries.shrinkage import VariancePrior


class PooledMoments(NamedTuple):
    """What the test needs of each feature, one row per class and one column per feature.

    Attributes
    ----------
    difference : ndarray
        Mean of the class minus mean of the rest.
    leverage : ndarray
        Variance of the difference in units of the residual variance, 1/n₁ + 1/n₂.
    variance, freedom : ndarray
        Residual variance and its degrees of freedom.
    """

    difference: Floats
    leverage: Floats
    variance: Floats
    freedom: Floats

    @classmethod
    def of(cls, count: Floats, mean: Floats, squares: Floats) -> PooledMoments:
        """Return them from the arrays of ``split_moments``. NaN for a group without values."""
        freedom = np.maximum(count.sum(axis=0) - (count > 0).sum(axis=0), 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            variance = squares.sum(axis=0) / np.where(freedom > 0, freedom, np.nan)
            return cls(mean[1] - mean[0], (1 / count).sum(axis=0), variance, freedom)


def moderated_t(pooled: PooledMoments) -> tuple[Floats, Floats]:
    r"""Return the moderated t and its two-sided p for each class against the rest.

    .. math:: \tilde t = \frac{\bar x_1 - \bar x_2}{\tilde s \sqrt{1/n_1 + 1/n_2}}, \qquad
        \tilde s^2 = \frac{d_0 s_0^2 + d\, s^2}{d_0 + d}

    with :math:`d_0 + d` degrees of freedom. The prior :math:`d_0, s_0^2` comes from the variances
    of all features. Both are NaN if a group has no values.
    """
    from scipy.special import stdtr

    t, p = np.empty_like(pooled.difference), np.empty_like(pooled.difference)
    for row, (difference, leverage, variance, freedom) in enumerate(zip(*pooled, strict=True)):
        prior = VariancePrior.of(variance, freedom)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = difference / np.sqrt(leverage * prior.squeezed(variance, freedom))
        t[row] = np.where(difference == 0, 0.0, ratio)
        p[row] = 2 * stdtr(prior.total_freedom(freedom), -np.abs(t[row]))
    return t, p
