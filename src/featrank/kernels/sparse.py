"""Summaries of sparse columns from their stored entries. All other values are zero."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank.compiled import _featrank
from featrank.kernels import BinArrays, Counts, Floats, Groups, RangeArrays, SumArrays


class ColumnArrays(NamedTuple):
    """Columns of a CSC matrix: values, their rows, and where each column starts."""

    values: NDArray[np.floating]
    rows: NDArray[np.integer]
    starts: NDArray[np.int64]

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.starts) - 1


class LabelArrays(NamedTuple):
    """The class (negative for none) and weight of each row, and the size of each class."""

    codes: NDArray[np.int32]
    weights: Floats | None
    sizes: Floats
    weight_unit: float

    @classmethod
    def of(cls, groups: Groups, n_rows: int) -> "LabelArrays":
        """Convert groups of rows to one label and weight per row."""
        weights = None
        if groups.weights is not None:
            weights = np.zeros(n_rows)
            weights[groups.order] = groups.weights
        sizes = groups.sizes.astype(np.float64)
        return cls(groups.codes(n_rows), weights, sizes, groups.weight_unit)

    def no_counts(self, n_columns: int, n_bins: int) -> Counts:
        """Return zero counts: integers, or doubles for weighted rows."""
        shape = n_columns, len(self.sizes), n_bins
        return np.zeros(shape, np.int32) if self.weights is None else np.zeros(shape)


def ranges(columns: ColumnArrays, labels: LabelArrays) -> RangeArrays:
    """Per-class extremes of each column."""
    out = RangeArrays.empty(len(labels.sizes), columns.n_columns)
    _featrank.value_ranges((*columns, *labels[:3]), out)
    return out


def sums(columns: ColumnArrays, labels: LabelArrays, of_all: RangeArrays) -> SumArrays:
    """Per-class sums of some rows, in units that depend on the ranges of all rows."""
    out = SumArrays.empty(len(labels.sizes), columns.n_columns)
    _featrank.value_sums((*columns, *labels[:3]), labels.weight_unit, of_all, out)
    return out


def products(columns: ColumnArrays, factors: Floats, centre: Floats, reach: Floats) -> Floats:
    """Sum of factor·(value - centre) over the stored entries, as in the dense kernel."""
    sums = np.empty(columns.n_columns)
    _featrank.sparse_products(columns, factors, centre, reach, sums)
    return sums


def histogram(
    columns: ColumnArrays, labels: LabelArrays, bins: BinArrays | None, n_bins: int
) -> Any:
    """Counts of shape (columns, classes, n_bins). Without bins, their counts are about equal."""
    counts = labels.no_counts(columns.n_columns, n_bins)
    if bins is None:
        _featrank.value_quantile_histogram((*columns, *labels[:3]), counts)
    else:
        _featrank.value_histogram((*columns, *labels[:3]), bins, counts)
    return counts
