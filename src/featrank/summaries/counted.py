"""Blocks with few distinct values, which are counted instead of decoded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils.threads import blocks
from featrank.kernels import BinArrays, Counts, Floats, Groups, RangeArrays, SumArrays
from featrank.kernels import counted as kernels
from featrank.kernels.counted import ValueCounts
from featrank.summaries.blocks import DenseBlock
from featrank.summaries.histogram import Bins
from featrank.values.genotypes import ALLELES, Genotypes

# Bytes of values decoded at a time.
WRITTEN_BYTES = 8 * 2**20


@dataclass(frozen=True, eq=False)
class CountedBlock:
    """Codes, and the value of each code, where NaN is a missing value.

    Rows without weights are counted, and the counts are cached for the same groups. Rows with
    weights are decoded, some columns at a time.
    """

    codes: Genotypes
    values: Floats
    _kept: list[tuple[Groups, ValueCounts]] = field(default_factory=list, repr=False)

    @classmethod
    def of(cls, genotypes: Genotypes) -> CountedBlock:
        """Take genotypes of two bits."""
        return cls(genotypes, np.array(ALLELES))

    @property
    def dtype(self) -> np.dtype[np.floating]:
        """The type of the values."""
        return self.codes.dtype

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.codes.shape

    def ranges(self, groups: Groups) -> RangeArrays:
        """Per-class extremes of each column."""
        if groups.weights is None:
            return kernels.ranges(self._counted(groups))
        return RangeArrays(*self._joined(lambda dense, _: dense.ranges(groups), -1))

    def sums(self, groups: Groups, of_all: RangeArrays) -> SumArrays:
        """Per-class sums of each column."""
        if groups.weights is None:
            return kernels.sums(self._counted(groups), of_all)

        def some(dense: DenseBlock, columns: slice) -> SumArrays:
            own: list[Any] = [np.ascontiguousarray(table[..., columns]) for table in of_all]
            return dense.sums(groups, RangeArrays(*own))

        return SumArrays(*self._joined(some, -2))

    def counts(self, groups: Groups, bins: Bins | None, n_bins: int) -> Counts:
        """Counts over the given bins, or over quantile bins."""
        if groups.weights is None:
            arrays = None if bins is None else bins.arrays
            return kernels.histogram(self._counted(groups), arrays, n_bins)

        def some(dense: DenseBlock, columns: slice) -> tuple[Counts]:
            if bins is None:
                return (dense.counts(groups, None, n_bins),)
            own: list[Any] = [part[columns] for part in bins.arrays]
            return (dense.counts(groups, Bins(BinArrays(*own), n_bins), n_bins),)

        return self._joined(some, 0)[0]

    def tally(self, groups: Groups, of_all: RangeArrays, bins: Bins) -> tuple[SumArrays, Counts]:
        """Sums and counts."""
        return self.sums(groups, of_all), self.counts(groups, bins, bins.n_bins)

    def _counted(self, groups: Groups) -> ValueCounts:
        for known, counted in self._kept:
            if _are_equal(known, groups):
                return counted
        counts = self.codes.counts(groups.codes(self.shape[0]), len(groups.offsets) - 1)
        counted = ValueCounts(counts, self.values)
        self._kept[:] = [(groups, counted)]
        return counted

    def _joined(
        self, work: Callable[[DenseBlock, slice], Sequence[NDArray[Any]]], axis: int
    ) -> list[NDArray[Any]]:
        """Return the concatenated results of the work on blocks of columns."""
        found = [work(dense, columns) for dense, columns in self._written_out()]
        return [np.concatenate(parts, axis=axis) for parts in zip(*found, strict=True)]

    def _written_out(self) -> Iterator[tuple[DenseBlock, slice]]:
        n_rows, n_columns = self.shape
        width = max(1, WRITTEN_BYTES // max(1, n_rows * self.dtype.itemsize))
        for columns in blocks(n_columns, width) or [slice(0, 0)]:
            yield DenseBlock(self.codes.columns(columns).toarray()), columns


def _are_equal(first: Groups, second: Groups) -> bool:
    return first is second or (
        np.array_equal(first.offsets, second.offsets) and np.array_equal(first.order, second.order)
    )
