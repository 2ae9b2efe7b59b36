"""Values of several features on one axis, which a few extreme values do not squash."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Percentiles between which values are typical, of a feature and of all features. For normal values
# of standard deviation 1 their distance is 3.29.
TYPICAL, TYPICAL_WIDTH = (5, 95), 3.29
# The margin of the axis on either side of the typical values, as a share of their distance. The
# axis then contains four standard deviations of normal values on either side.
MARGIN = 0.7
# The axis contains all values if this makes it at most this many times as long.
STRETCH = 1.5


def robust_z_scores(values: Floats) -> Floats:
    """Return distances from each feature's median, in units of its robust standard deviation.

    This is the distance between the 5th and the 95th percentile over 3.29, or the standard
    deviation if the two are equal. Constants become 0 and NaN stays.

    Examples
    --------
    >>> robust_z_scores(np.array([[0.0], [1.0], [2.0], [np.nan]]))[:, 0].round(2)
    array([-1.83,  0.  ,  1.83,   nan])
    """
    scores = np.full(values.shape, np.nan)
    for j, column in enumerate(values.T):
        known = column[~np.isnan(column)]
        if len(known):
            scores[:, j] = (column - np.median(known)) / _unit(known)
    return scores


def axis_limits(values: Floats, inside: Floats) -> tuple[float, float]:
    """Return the ends of an axis: all values if possible, but at least those ``inside``.

    Examples
    --------
    >>> axis_limits(np.array([0.0, 1.0, 2.0]), np.array([1.0]))
    (0.0, 2.0)
    >>> round(axis_limits(np.append(np.linspace(-2, 2, 999), 1000), np.array([1.0]))[1], 1)
    4.3
    """
    known = values[~np.isnan(values)]
    if not len(known):
        return 0.0, 0.0
    least, most = float(known.min()), float(known.max())
    low, high = np.percentile(known, TYPICAL)
    low, high = min(low, inside.min(initial=low)), max(high, inside.max(initial=high))
    margin = MARGIN * (high - low)
    low, high = max(float(low - margin), least), min(float(high + margin), most)
    return (least, most) if most - least <= STRETCH * (high - low) else (low, high)


def _unit(known: Floats) -> float:
    low, high = np.percentile(known, TYPICAL)
    return float((high - low) / TYPICAL_WIDTH or known.std() or 1.0)
