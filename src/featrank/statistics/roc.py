"""ROC curves on a fixed grid, so that they can be averaged over trials."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError

__all__ = ["roc_points"]

Floats = NDArray[np.float64]

#: False positive rates 0, 0.02, …, 1.
POINTS = 51


def roc_points(y: Any, scores: Any, points: int = POINTS) -> Floats:
    """Return the true positive rate at evenly spaced false positive rates in [0, 1].

    The curve is linear between its corners, so ties count half. Where it rises vertically at a
    grid point, the upper end is used. The result is NaN for a single class.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        True or 1 for positives.
    scores : array-like of shape (n_samples,)
        Higher for positives.
    points : int, default=51
        Number of rates, including 0 and 1.

    Examples
    --------
    >>> from featrank.statistics import roc_points
    >>> roc_points([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], points=5).tolist()
    [0.5, 0.5, 1.0, 1.0, 1.0]
    >>> roc_points([0, 1, 0, 1], [3, 3, 3, 3], points=5).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    positive, values = np.asarray(y).astype(bool), np.asarray(scores, dtype=np.float64)
    if positive.ndim != 1 or values.shape != positive.shape or np.isnan(values).any():
        raise DataError(
            f"A ROC curve needs one score per sample, without NaN. Got {positive.shape} labels and "
            f"{values.shape} scores."
        )
    order = np.argsort(-values, kind="stable")
    hits = np.cumsum(positive[order])
    # A corner after each run of tied scores.
    last = np.flatnonzero(np.append(np.diff(values[order]) != 0, True)) if len(order) else order
    true = np.append(0, hits[last])
    false = np.append(0, last + 1 - hits[last])
    if true[-1] == 0 or false[-1] == 0:
        return np.full(points, np.nan)
    # Scaled to integers, which compare exactly.
    rates = np.interp(np.arange(points) * false[-1], false * (points - 1), true) / true[-1]
    return np.minimum(rates, 1.0)  # rounding may exceed it
