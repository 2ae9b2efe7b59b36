"""Empirical Bayes shrinkage of the variances of many features (Smyth 2004)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from featrank.kernels import Floats

# Variances below this share of their median are raised to it before logarithms are taken.
FLOOR = 1e-5
# Newton's method converges quadratically, so this step leaves only rounding errors.
STEP, MAX_STEPS = 1e-8, 50
# The inverse of the trigamma function has asymptotes beyond these arguments.
SMALL, LARGE = 1e-6, 1e7


class VariancePrior(NamedTuple):
    """The prior distribution of the variances: scaled inverse chi-squared.

    Attributes
    ----------
    freedom : float
        Prior degrees of freedom: how many samples the other features are worth. ``inf`` if the
        variances differ no more than by chance, and 0 if they cannot be compared.
    variance : float
        Prior variance.
    """

    freedom: float
    variance: float

    @classmethod
    def of(cls, variance: Floats, freedom: Floats) -> VariancePrior:
        r"""Fit the prior to residual variances by the moments of their logarithms.

        With d residual degrees of freedom, :math:`e = \log s^2 - \psi(d/2) + \log(d/2)` has mean
        :math:`\log s_0^2 - \psi(d_0/2) + \log(d_0/2)` and variance
        :math:`\psi'(d/2) + \psi'(d_0/2)`.

        Variances that are NaN or have no degrees of freedom are ignored. If more than half of the
        variances are 0, these are ignored, too.

        Parameters
        ----------
        variance : ndarray of shape (n_features,)
            Residual variances.
        freedom : ndarray of shape (n_features,)
            Their degrees of freedom.

        Examples
        --------
        >>> VariancePrior.of(np.array([0.5, 1.0, 2.0, 30.0]), np.full(4, 10.0))
        VariancePrior(freedom=1.3..., variance=1.0...)
        """
        known = np.isfinite(variance) & (freedom > 0)
        if known.any() and np.median(variance[known]) == 0:
            known &= variance > 0
        variance, freedom = variance[known], freedom[known]
        if len(variance) < 2:
            return cls(0.0, float(variance[0]) if len(variance) else 0.0)
        return cls._of_several(np.maximum(variance, FLOOR * np.median(variance)), freedom)

    @classmethod
    def _of_several(cls, variance: Floats, freedom: Floats) -> VariancePrior:
        from scipy.special import digamma, polygamma

        half = freedom / 2
        e = np.log(variance) - digamma(half) + np.log(half)
        excess = np.var(e, ddof=1) - np.mean(polygamma(1, half))
        if not excess > 0:
            return cls(np.inf, float(np.mean(variance)))
        prior = inverse_trigamma(float(excess))
        return cls(2 * prior, float(np.exp(np.mean(e) + digamma(prior) - np.log(prior))))

    def squeezed(self, variance: Floats, freedom: Floats) -> Floats:
        r"""Return posterior variances, :math:`(d_0 s_0^2 + d s^2) / (d_0 + d)`."""
        if np.isinf(self.freedom):
            return np.where(np.isnan(variance) & (freedom > 0), np.nan, self.variance)
        own = np.where(freedom > 0, freedom * variance, 0.0)
        total = self.freedom + freedom
        both = self.freedom * self.variance + own
        return np.divide(both, total, out=np.full_like(both, np.nan), where=total > 0)

    def total_freedom(self, freedom: Floats) -> Floats:
        """Return prior plus own degrees of freedom, at most the sum over all features."""
        return np.minimum(self.freedom + freedom, np.nansum(freedom))


def inverse_trigamma(x: float) -> float:
    r"""Return y with :math:`\psi'(y) = x`, by Newton's method on :math:`1/\psi'`.

    Examples
    --------
    >>> inverse_trigamma(1.6449340668482264)  # pi squared over 6
    1.0
    """
    from scipy.special import polygamma

    if x > LARGE:
        return float(1 / np.sqrt(x))
    if x < SMALL:
        return 1 / x
    y = 0.5 + 1 / x
    for _ in range(MAX_STEPS):
        value = polygamma(1, y)
        step = value * (1 - value / x) / polygamma(2, y)
        y += step
        if -step < STEP * y:
            break
    return float(y)
