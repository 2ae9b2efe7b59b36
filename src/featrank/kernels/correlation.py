"""Typed wrappers of the kernels for rank correlation."""

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats, _featrank


def unit_ranks(block: NDArray[np.floating], out: NDArray[np.floating]) -> NDArray[np.uint64]:
    """Write the average ranks of each column, centred and scaled to length 1, as a row of ``out``.

    The sign of each row is chosen so that its first nonzero entry is positive. Up to the sign, the
    dot product of two rows is Spearman's correlation. A constant column gives zeros. Returns one
    key per column, which is equal for equal rows.
    """
    keys = np.empty(block.shape[1], np.uint64)
    _featrank.unit_ranks(block, out, keys)
    return keys


def add_absolute_half(panel: NDArray[np.floating], vector: Floats, result: Floats) -> None:
    """Add |R|·vector for the rows of a symmetric R in the panel, and for the mirrored columns.

    Column 0 of the panel is the diagonal entry of row 0. Entries below the diagonal are not read.
    """
    _featrank.add_absolute_half(panel, vector, result)
