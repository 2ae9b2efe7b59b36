"""Rows that are alike in a quantity, so that every side of a split has some of each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from featrank.summaries import quantity_bins

# Bins of a quantity that splits are balanced by, where there are rows enough.
MOST = 5


def strata_of(y: NDArray[np.float64], least: int) -> NDArray[np.intp]:
    """Return bins of about equal content as codes 0, 1, …, from the lowest values on.

    There are five, or fewer where one of them would have less than ``least`` rows. Equal values
    share a bin.

    Examples
    --------
    >>> strata_of(np.array([9.0, 1.0, 7.0, 3.0]), least=2)
    array([1, 0, 1, 0])
    >>> strata_of(np.array([9.0, 1.0, 7.0, 3.0]), least=3)
    array([0, 0, 0, 0])
    """
    for count in range(MOST, 1, -1):
        codes = quantity_bins(y, count)
        if np.bincount(codes).min() >= least:
            return codes
    return np.zeros(len(y), dtype=np.intp)
