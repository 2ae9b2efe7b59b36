"""Centred samples, and features with unit norm."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats


def centred(X: Any, rows: NDArray[np.integer], order: Any = "C") -> Floats:
    """Return a centred float64 copy of the rows, as the bias absorbs any shift.

    A constant becomes exactly 0, even if its mean is rounded.
    """
    copy = X[rows].astype(np.float64, order=order, copy=False)
    copy -= copy.min(axis=0)
    copy -= copy.mean(axis=0)
    return copy


def of_length_one(columns: Floats, *, each: bool = True) -> Floats:
    """Divide columns by their norms in place, or all by the largest norm. Zeros stay 0.

    Examples
    --------
    >>> of_length_one(np.array([[3.0, 0, 6], [4.0, 0, 8]]))
    array([[0.6, 0. , 0.6],
           [0.8, 0. , 0.8]])
    """
    for size in (_peaks, _lengths):  # squares of small values would underflow
        unit = size(columns)
        unit = unit if each else np.full_like(unit, unit.max())
        columns /= np.where(unit > 0, unit, 1.0)
    return columns


def standardised(X: Any) -> tuple[Floats, Floats]:
    """Return a copy of X whose columns have mean 0 and unit norm, and their original norms.

    A constant column becomes 0, with norm 0. Equal columns stay identical.

    Examples
    --------
    >>> features, length = standardised(np.array([[1.0, 5], [7, 5]]))
    >>> features.round(3).tolist(), length.round(3).tolist()
    ([[-0.707, 0.0], [0.707, 0.0]], [4.243, 0.0])
    """
    features = centred(X, np.arange(len(X)))
    length = np.ones(features.shape[1])
    for size in (_peaks, _lengths):
        unit = size(features)
        features /= np.where(unit > 0, unit, 1.0)
        length *= unit
    return features, length


def _peaks(columns: Floats) -> Floats:
    return np.maximum(columns.max(axis=0), -columns.min(axis=0))


def _lengths(columns: Floats) -> Floats:
    return np.sqrt(np.einsum("ij,ij->j", columns, columns))
