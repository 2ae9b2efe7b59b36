"""Summaries of sparse columns from what is stored: zeros are what is left over."""

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
        """How many columns there are."""
        return len(self.starts) - 1


class LabelArrays(NamedTuple):
    """Of each row the class, negative for none, and its weight; of each class its size."""

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
        """Return counts of zero: integers, or doubles for weighted rows."""
        shape = n_columns, len(self.sizes), n_bins
        return np.zeros(shape, np.int32) if self.weights is None else np.zeros(shape)


def ranges(columns: ColumnArrays, labels: LabelArrays) -> RangeArrays:
    """Per-class extremes of each column."""
    out = RangeArrays.empty(len(labels.sizes), columns.n_columns)
    _featrank.value_ranges((*columns, *labels[:3]), out)
    return out


def sums(columns: ColumnArrays, labels: LabelArrays, of_all: RangeArrays) -> SumArrays:
    """Per-class sums of some rows, in the units that the ranges of all rows define."""
    out = SumArrays.empty(len(labels.sizes), columns.n_columns)
    _featrank.value_sums((*columns, *labels[:3]), labels.weight_unit, of_all, out)
    return out


def products(columns: ColumnArrays, factors: Floats, centre: Floats, reach: Floats) -> Floats:
    """Sum of factor·(value - centre) of each column, over what is stored; see the dense kernel."""
    sums = np.empty(columns.n_columns)
    _featrank.sparse_products(columns, factors, centre, reach, sums)
    return sums


def histogram(
    columns: ColumnArrays, labels: LabelArrays, bins: BinArrays | None, n_bins: int
) -> Any:
    """Counts of shape (columns, classes, n_bins); without bins over some of about equal content."""
    counts = labels.no_counts(columns.n_columns, n_bins)
    if bins is None:
        _featrank.value_quantile_histogram((*columns, *labels[:3]), counts)
    else:
        _featrank.value_histogram((*columns, *labels[:3]), bins, counts)
    return counts
