"""Features that are duplicates of an earlier one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats

# Number of values hashed at a time.
BLOCK = 2**16
_INCREMENT, _FIRST, _SECOND = (
    np.uint64(number) for number in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
)


def originals(X: Floats) -> NDArray[np.int64]:
    """Return for each column the index of the first column equal to it, maybe its own.

    Columns are compared by 64-bit hashes, so that X is not copied.

    Examples
    --------
    >>> originals(np.array([[1.0, 2, -1, 1], [3, 0, -3, 3]]))
    array([0, 1, 2, 0])
    """
    keys = np.zeros(X.shape[1], np.uint64)
    height = max(1, BLOCK // X.shape[1])
    for start in range(0, len(X), height):
        # Adding 0 turns -0 into 0.
        block = np.add(X[start : start + height], 0.0, dtype=np.float64, order="C")
        rows = np.arange(start, start + len(block), dtype=np.uint64)[:, np.newaxis]
        keys += _mixed(_mixed(rows) ^ block.view(np.uint64)).sum(axis=0, dtype=np.uint64)
        if start == 0 and len(np.unique(keys)) == len(keys):  # the first values differ already
            return np.arange(len(keys))
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    return first[place].astype(np.int64)


def _mixed(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Hash numbers to 64 bits (the finaliser of SplitMix64)."""
    bits = bits + _INCREMENT
    bits = (bits ^ (bits >> np.uint64(30))) * _FIRST
    bits = (bits ^ (bits >> np.uint64(27))) * _SECOND
    return bits ^ (bits >> np.uint64(31))
