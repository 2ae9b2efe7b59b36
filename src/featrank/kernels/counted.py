"""Summaries of columns with few distinct values, from the counts of each value in each class."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import BinArrays, Floats, RangeArrays, SumArrays, _featrank

#: Number of values of one byte.
N_BYTES = 256


class ValueCounts(NamedTuple):
    """Counts of shape (columns, classes, values), with 32 or 64 bits, and the values.

    Values are finite, except that NaN is a missing value.
    """

    counts: NDArray[np.int32] | NDArray[np.int64]
    values: Floats


def ranges(counted: ValueCounts) -> RangeArrays:
    """Per-class extremes of each column."""
    n_columns, n_classes, _ = counted.counts.shape
    out = RangeArrays.empty(n_classes, n_columns)
    _featrank.value_ranges(counted, out)
    return out


def sums(counted: ValueCounts, of_all: RangeArrays) -> SumArrays:
    """Per-class sums of some rows, in units that depend on the ranges of all rows."""
    n_columns, n_classes, _ = counted.counts.shape
    out = SumArrays.empty(n_classes, n_columns)
    _featrank.value_sums(counted, 1.0, of_all, out)
    return out


def histogram(counted: ValueCounts, bins: BinArrays | None, n_bins: int) -> Any:
    """Counts of shape (columns, classes, n_bins). Without bins, their counts are about equal."""
    out = np.zeros((*counted.counts.shape[:2], n_bins), counted.counts.dtype)
    if bins is None:
        _featrank.value_quantile_histogram(counted, out)
    else:
        _featrank.value_histogram(counted, bins, out)
    return out


def add_byte_counts(
    block: NDArray[np.uint8],
    codes: NDArray[np.integer],
    counts: NDArray[np.int32] | NDArray[np.int64],
) -> None:
    """Count each byte in each class, and add to counts of shape (columns, classes, 256).

    Rows with a negative code are ignored. The block may have any strides.
    """
    _featrank.byte_counts(block, np.ascontiguousarray(codes, dtype=np.int32), counts)
