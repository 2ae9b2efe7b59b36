"""Scaling of feature values to edge weights, and scores of constants."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats

# Standardised features differ in spread only by rounding, and under "l1" only by the shape of their
# distributions. Neither should determine a ranking.
SAME_SPREAD = 1e-6


def min_max(values: Floats) -> Floats:
    """Scale to [0, 1]. If all values are equal, they become 0.

    Examples
    --------
    >>> min_max(np.array([2.0, 4.0, 3.0]))
    array([0. , 1. , 0.5])
    """
    low, high = values.min(), values.max()
    if high == low:
        return np.zeros_like(values)
    scaled = values - low
    scaled /= high - low
    return scaled


def scaled_spread(deviation: Floats, spread: Floats) -> Floats:
    """Scale the spread to [0, 1]. If all deviations are equal, it is 1, or 0 for constants."""
    varies = deviation > 0
    low = np.min(deviation, where=varies, initial=np.inf)
    if deviation.max() - low <= SAME_SPREAD * low:
        return min_max(varies.astype(np.float64))
    return min_max(spread)


def finite(relevance: Floats) -> Floats:
    """Replace infinite relevance by twice the largest finite value."""
    best = np.max(relevance, where=np.isfinite(relevance), initial=0.0)
    return np.where(np.isinf(relevance), 2 * best if best > 0 else 1.0, relevance)


def put_last(scores: Floats, constant: NDArray[np.bool_]) -> None:
    """Make sure that constants score below all other features."""
    if not constant.any() or constant.all():
        return
    if scores[constant].max() >= scores[~constant].min():
        np.maximum(scores, np.finfo(np.float64).tiny, out=scores)
        scores[constant] = 0.0
