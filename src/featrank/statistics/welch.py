"""Welch's t-test of every class against the rest, from moments."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from featrank.summaries.column_stats import ColumnStats
from featrank.summaries.moments import Moments
from featrank.summaries.one_vs_rest import one_against_rest

Floats = NDArray[np.float64]


def split_moments(moments: Moments) -> tuple[Floats, Floats, Floats]:
    """Return counts, means and sums of squared deviations of the rest and of each class.

    The first layer of each array is the rest, the second the class, with one row per class and one
    column per feature. A mean without values is NaN.
    """
    pairs = [two.moments for two in one_against_rest(ColumnStats(moments, None))]
    counts = np.stack([np.broadcast_to(pair.counts, pair.mean.shape) for pair in pairs], axis=1)
    means = np.stack([pair.mean for pair in pairs], axis=1)
    squares = np.stack([pair.m2 for pair in pairs], axis=1)
    return counts.astype(np.float64), np.where(counts > 0, means, np.nan), squares


def welch_test(count: Floats, mean: Floats, squares: Floats) -> tuple[Floats, Floats]:
    """Return t and p for the arrays of ``split_moments``. Both are NaN with fewer than 2 values."""
    from scipy.special import stdtr

    with np.errstate(divide="ignore", invalid="ignore"):
        error = squares / (count - 1) / count
        total = error.sum(axis=0)
        difference = mean[1] - mean[0]
        # Relative to the total, so that nothing overflows.
        freedom = 1 / ((error / total) ** 2 / (count - 1)).sum(axis=0)
        t = np.where((total == 0) & (difference == 0), 0.0, difference / np.sqrt(total))
        p = 2 * stdtr(np.where(total > 0, freedom, 1.0), -np.abs(t))
    defined = (count > 1).all(axis=0)
    return np.where(defined, t, np.nan), np.where(defined, p, np.nan)
