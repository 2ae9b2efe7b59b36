"""What solvers of a plane with a bias share: samples less their mean."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats


def centred(X: Any, rows: NDArray[np.integer], order: Any = "C") -> Floats:
    """Return a copy of the rows as float64 less their mean: the bias takes up any shift.

    A constant becomes exactly 0, whatever the rounding of its mean.
    """
    copy = X[rows].astype(np.float64, order=order, copy=False)
    copy -= copy.min(axis=0)
    copy -= copy.mean(axis=0)
    return copy
