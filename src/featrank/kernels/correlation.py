"""Typed wrappers of the kernels for rank correlation."""

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats, _featrank


def unit_ranks(block: NDArray[np.floating], out: NDArray[np.floating]) -> NDArray[np.uint64]:
    """Write the average ranks of each column, centred, of length 1, as a row of ``out``.

    The dot product of two rows is Spearman's correlation up to its sign: a row's first rank
    that is not 0 is positive. A constant column gives zeros. Returns one key per column, equal
    for rows that are equal.
    """
    keys = np.empty(block.shape[1], np.uint64)
    _featrank.unit_ranks(block, out, keys)
    return keys


def add_absolute_half(panel: NDArray[np.floating], vector: Floats, result: Floats) -> None:
    """Add |R|·vector for the rows of a symmetric R that the panel holds, and their mirror.

    Column 0 of the panel stands on the diagonal for row 0; left of it nothing is read.
    """
    _featrank.add_absolute_half(panel, vector, result)
