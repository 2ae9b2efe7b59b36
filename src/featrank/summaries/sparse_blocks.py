"""Blocks of sparse columns, as summaries read them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from featrank.kernels import BinArrays, Counts, Floats, Groups, RangeArrays, SumArrays
from featrank.kernels import sparse as sparse_kernels
from featrank.kernels.dense import float_type
from featrank.kernels.sparse import ColumnArrays, LabelArrays
from featrank.summaries.histogram import Bins


@dataclass(frozen=True)
class SparseBlock:
    """Columns that store only nonzero values."""

    columns: ColumnArrays
    n_rows: int
    # Labels of all rows, shared between parts, as creating them for each would be slow.
    known: list[tuple[Groups, LabelArrays]] = field(default_factory=list, repr=False, compare=False)

    @classmethod
    def of(cls, X: Any) -> SparseBlock:
        """Convert a sparse matrix of any format. Duplicate entries are added up."""
        columns = X.tocsc()
        if not columns.has_canonical_format:
            columns = columns.copy()
            columns.sum_duplicates()
        values = columns.data.astype(float_type(columns.dtype), copy=False)
        starts = columns.indptr.astype(np.int64, copy=False)
        return cls(ColumnArrays(values, columns.indices, starts), X.shape[0])

    @property
    def dtype(self) -> np.dtype[np.floating]:
        """The type of the values."""
        return self.columns.values.dtype

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.n_rows, self.columns.n_columns

    def part(self, columns: slice) -> SparseBlock:
        """Some of the columns, without a copy."""
        start, stop, _ = columns.indices(self.columns.n_columns)
        starts = self.columns.starts[start : stop + 1]
        entries = slice(starts[0], starts[-1])
        return SparseBlock(
            ColumnArrays(
                self.columns.values[entries], self.columns.rows[entries], starts - starts[0]
            ),
            self.n_rows,
            self.known,
        )

    def ranges(self, groups: Groups) -> RangeArrays:
        """Per-class extremes of each column."""
        return sparse_kernels.ranges(self.columns, self._labels(groups))

    def sums(self, groups: Groups, of_all: RangeArrays) -> SumArrays:
        """Per-class sums of each column."""
        return sparse_kernels.sums(self.columns, self._labels(groups), of_all)

    def products(self, factors: Floats, centre: Floats, reach: Floats) -> Floats:
        """Sums of each column's products with a vector. For columns with zeros the centre must be "
        "0."""
        return sparse_kernels.products(self.columns, factors, centre, reach)

    def counts(self, groups: Groups, bins: Bins | None, n_bins: int) -> Counts:
        """Counts over the given bins, or over quantile bins."""
        arrays: BinArrays | None = None if bins is None else bins.arrays
        return sparse_kernels.histogram(self.columns, self._labels(groups), arrays, n_bins)

    def tally(self, groups: Groups, of_all: RangeArrays, bins: Bins) -> tuple[SumArrays, Counts]:
        """Sums and counts."""
        return self.sums(groups, of_all), self.counts(groups, bins, bins.n_bins)

    def _labels(self, groups: Groups) -> LabelArrays:
        for own, labels in self.known:
            if own is groups:
                return labels
        self.known[:] = [(groups, LabelArrays.of(groups, self.n_rows))]
        return self.known[0][1]
