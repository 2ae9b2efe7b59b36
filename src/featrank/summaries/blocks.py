"""Blocks of rows and columns: dense, sparse or counted.

Every kind of block computes its ranges, its sums in the units defined by the ranges of all rows,
and its counts over bins. All kinds give identical results for the same values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from featrank import kernels
from featrank._utils import threads
from featrank.exceptions import DataError
from featrank.kernels import Counts, Floats, Groups, RangeArrays, SumArrays
from featrank.kernels.dense import dense_block, float_type
from featrank.summaries.histogram import Bins
from featrank.values.containers import as_numbers

if TYPE_CHECKING:
    from featrank.summaries.counted import CountedBlock
    from featrank.summaries.sparse_blocks import SparseBlock

#: Some rows of some columns.
Block: TypeAlias = "DenseBlock | SparseBlock | CountedBlock"

# Longer columns do not stay in the cache between two passes of a kernel, so rows are split.
TALL = 4096
PIECE_ROWS = 512, 8192
PIECE_BYTES = 4 * 2**20
#: Types whose values are counted.
BYTE_TYPES = tuple(np.dtype(kind) for kind in (np.uint8, np.int8, np.bool_))


@dataclass(frozen=True)
class DenseBlock:
    """Floats of single or double precision, of any strides."""

    values: NDArray[np.floating]

    @property
    def dtype(self) -> np.dtype[np.floating]:
        """The type of the values."""
        return self.values.dtype

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.values.shape

    def ranges(self, groups: Groups) -> RangeArrays:
        """Per-class extremes of each column."""
        return kernels.ranges(self.values, groups)

    def sums(self, groups: Groups, of_all: RangeArrays) -> SumArrays:
        """Per-class sums of each column."""
        return kernels.sums(self.values, groups, of_all)

    def products(self, factors: Floats, centre: Floats, reach: Floats) -> Floats:
        """Sums of each column's products with a vector."""
        return kernels.products(self.values, factors, centre, reach)

    def counts(self, groups: Groups, bins: Bins | None, n_bins: int) -> Counts:
        """Counts over the given bins, or over quantile bins."""
        if bins is None:
            return kernels.quantile_histogram(self.values, groups, n_bins)
        return kernels.histogram(self.values, groups, bins.arrays, n_bins)

    def tally(self, groups: Groups, of_all: RangeArrays, bins: Bins) -> tuple[SumArrays, Counts]:
        """Sums and counts from one read."""
        return kernels.tally(self.values, groups, of_all, bins.arrays, bins.n_bins)


def block_of(X: Any) -> Block:
    """Return X, of any type, as a block."""
    X = as_block(X)
    if hasattr(X, "packed"):
        from featrank.summaries.counted import CountedBlock

        return CountedBlock.of(X)
    if hasattr(X, "tocsc"):
        from featrank.summaries.sparse_blocks import SparseBlock

        return SparseBlock.of(X)
    return DenseBlock(dense_block(X, slice(None)))


def as_block(X: Any) -> Any:
    """Return rows and columns of real numbers as an array, a sparse matrix, or genotypes."""
    if hasattr(X, "packed"):
        return X
    X = as_numbers(X)
    if hasattr(X, "tocsc"):
        return X
    values = np.asarray(X)
    if values.ndim != 2:
        raise DataError(
            f"A block must have two dimensions, got {values.ndim}. Use `X.reshape(1, -1)` for a "
            "single row."
        )
    return values


def pieces_of(X: Any) -> Iterator[tuple[slice, Block]]:
    """Yield the rows of X, of any type, in blocks that stay in the cache, with their places.

    Rows are converted to floats block by block.
    """
    n_rows, n_columns = X.shape
    if not isinstance(X, np.ndarray) or n_rows <= TALL:
        yield slice(0, n_rows), block_of(X)
        return
    size = max(1, n_columns) * float_type(X.dtype).itemsize
    for rows in threads.blocks(n_rows, int(np.clip(PIECE_BYTES // size, *PIECE_ROWS))):
        yield rows, block_of(X[rows])
