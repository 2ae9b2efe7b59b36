"""Lilliefors' test of normality with unknown mean and variance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from featrank.exceptions import DataError

__all__ = ["NormalityTest", "lilliefors"]

SMALLEST = 5

# Each row: a p-value and the coefficients of the quantile of √n·D, a + b/√n + c/n + d/(n√n), fitted
# to simulated samples of 5 to 500 values by benchmarks/lilliefors.py.
QUANTILES = np.array(
    [
        (0.99, 0.37970, -0.25192, 0.65218, -1.03438),
        (0.95, 0.43077, -0.17338, 0.10916, -0.15136),
        (0.9, 0.46299, -0.13545, -0.14774, 0.24559),
        (0.8, 0.50854, -0.11860, -0.26148, 0.36193),
        (0.7, 0.54878, -0.16763, -0.02379, -0.04093),
        (0.6, 0.58574, -0.21272, 0.21570, -0.45495),
        (0.5, 0.62174, -0.23492, 0.33893, -0.69456),
        (0.4, 0.66072, -0.25965, 0.44354, -0.87023),
        (0.3, 0.70154, -0.20690, 0.12388, -0.40926),
        (0.2, 0.75530, -0.18332, -0.05936, -0.16731),
        (0.15, 0.79060, -0.18227, -0.07984, -0.19257),
        (0.1, 0.83752, -0.19584, -0.01092, -0.39394),
        (0.05, 0.91050, -0.21912, 0.12005, -0.76086),
        (0.02, 0.99493, -0.17320, -0.19939, -0.43000),
        (0.01, 1.04677, -0.01884, -0.95564, 0.43070),
        (0.005, 1.10519, -0.02646, -0.98215, 0.29751),
        (0.002, 1.19098, -0.23654, -0.12871, -1.07782),
        (0.001, 1.23625, -0.18843, -0.24780, -1.29226),
        (0.0005, 1.28733, -0.31053, 0.48833, -2.71091),
    ]
)


@dataclass(frozen=True)
class NormalityTest:
    """Lilliefors' statistic D, its p-value, and the number of values."""

    statistic: float
    p_value: float
    n: int


def lilliefors(values: Any) -> NormalityTest:
    """Test whether values are normal, with mean and variance estimated from them.

    D is the largest distance between the cumulative distributions of the standardised values
    and the standard normal distribution [1]_. Its p-value comes from simulated quantiles, good
    to about 0.01 down to 0.0005, and is extrapolated below. Both are NaN for constant values.

    Parameters
    ----------
    values : array-like of shape (n,)
        At least 5 finite numbers.

    References
    ----------
    .. [1] H. W. Lilliefors, "On the Kolmogorov-Smirnov test for normality with mean and variance
       unknown", Journal of the American Statistical Association 62 (1967).

    Examples
    --------
    >>> import numpy as np
    >>> from featrank.statistics import lilliefors
    >>> grid = np.linspace(0.01, 0.99, 50)
    >>> lilliefors(grid).p_value > 0.05, lilliefors(grid**4).p_value < 0.001
    (True, True)
    """
    sample = np.sort(np.asarray(values, dtype=np.float64).reshape(-1))
    n = len(sample)
    if n < SMALLEST or not np.isfinite(sample).all():
        raise DataError(
            f"Lilliefors' test needs at least {SMALLEST} finite values, got "
            f"{np.isfinite(sample).sum()} finite ones of {n}."
        )
    if sample[0] == sample[-1]:
        return NormalityTest(np.nan, np.nan, n)
    statistic = _distance(sample)
    return NormalityTest(statistic, _p_value(statistic, n), n)


def _distance(sample: np.ndarray) -> float:
    from scipy.special import ndtr

    n = len(sample)
    below = ndtr((sample - sample.mean()) / sample.std(ddof=1))
    steps = np.arange(1, n + 1) / n
    return float(max((steps - below).max(), (below - steps + 1 / n).max()))


def _p_value(statistic: float, n: int) -> float:
    """Interpolate log p in n·D², in which the tail is about straight."""
    levels, coefficients = QUANTILES[:, 0], QUANTILES[:, 1:]
    quantiles = coefficients @ float(n) ** (-np.arange(4) / 2)
    squares = np.concatenate([[0.0], np.maximum.accumulate(quantiles) ** 2])
    logs = np.concatenate([[0.0], np.log(levels)])
    square = n * statistic**2
    if square <= squares[-1]:
        return float(np.exp(np.interp(square, squares, logs)))
    slope = (logs[-1] - logs[-5]) / (squares[-1] - squares[-5])
    return float(np.exp(logs[-1] + slope * (square - squares[-1])))
