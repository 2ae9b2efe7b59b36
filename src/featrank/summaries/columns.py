"""Statistics of the columns of a matrix in memory, block by block."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from featrank._utils import threads
from featrank.kernels import BinArrays, Floats, Groups
from featrank.kernels.dense import dense_block, float_type
from featrank.summaries.blocks import BYTE_TYPES, PIECE_BYTES, PIECE_ROWS, TALL, Block, DenseBlock
from featrank.summaries.column_stats import ColumnStats
from featrank.summaries.histogram import Bins, auto_bins
from featrank.summaries.moments import Moments

Result = TypeVar("Result")

# A block is large enough to hide Python's overhead, and small compared with the data.
BLOCK_BYTES = 8 * 2**20
# Sparse columns that are processed together: their state stays in the cache.
SPARSE_COLUMNS = 4096
# Number of columns whose products a kernel computes in one pass along the rows.
PRODUCT_COLUMNS = 1024

# From this many rows per class on, counting bytes is faster than reading numbers. Size of the
# counts of a feature and class, and of a block, and number of rows counted together.
COUNTED_ROWS = 512
BYTE_COUNTS = 4 * 256
BYTE_STATE = 32 * 2**20
BYTE_ROWS = 2**16


@dataclass(frozen=True)
class RowClasses:
    """The class code of each row, and its weight if rows have weights.

    Rows with a negative code are ignored.
    """

    codes: NDArray[np.integer]
    n_classes: int
    weights: Floats | None = None

    def groups(self) -> Groups:
        """Return the rows grouped by class."""
        return Groups.of(self.codes, self.n_classes, self.weights)


def summarise_columns(
    X: Any,
    rows: RowClasses,
    digest: Callable[[slice, ColumnStats], Result],
    *,
    n_bins: int | None = None,
    binning: str = "width",
    n_jobs: int | None = None,
) -> list[Result]:
    """Summarise X block by block, and return what ``digest`` computes from each block."""
    n_samples, n_features = X.shape
    if worth_counting(X, rows):
        return summarise_bytes(X, rows, digest, n_bins, binning, n_jobs)
    if isinstance(X, np.ndarray) and n_samples > TALL and binning == "width":
        return [digest(slice(0, n_features), summarise_tall(X, rows, n_bins, n_jobs))]
    groups = rows.groups()
    if not isinstance(X, np.ndarray):
        from featrank.summaries.sparse_blocks import SparseBlock

        whole = SparseBlock.of(X)

        def sparse(columns: slice) -> Result:
            return digest(columns, ColumnStats.of(whole.part(columns), groups, n_bins, binning))

        width = threads.shared_width(n_features, SPARSE_COLUMNS, 2 + X.nnz // n_features, n_jobs)
        return threads.map_blocks(sparse, n_features, width, n_jobs)

    def work(columns: slice) -> Result:
        block = DenseBlock(dense_block(X, columns))
        return digest(columns, ColumnStats.of(block, groups, n_bins, binning))

    per_column = n_samples * X.dtype.itemsize + 4 * rows.n_classes * (n_bins or 0)
    width = int(np.clip(BLOCK_BYTES // max(per_column, 1), 64, 16384))
    width = threads.shared_width(n_features, width, n_samples, n_jobs)
    return threads.map_blocks(work, n_features, width, n_jobs)


def worth_counting(X: Any, rows: RowClasses) -> bool:
    """Whether X has one-byte values, and enough rows that counts are small in comparison."""
    plain = isinstance(X, np.ndarray) and X.dtype in BYTE_TYPES and rows.weights is None
    return plain and len(X) > COUNTED_ROWS * rows.n_classes


def summarise_bytes(
    X: NDArray[Any],
    rows: RowClasses,
    digest: Callable[[slice, ColumnStats], Result],
    n_bins: int | None,
    binning: str,
    n_jobs: int | None,
) -> list[Result]:
    """Summarise long columns of one-byte values in one pass, by counting each value."""
    from featrank.summaries.byte_counts import ByteCounts

    n_samples, n_features = X.shape
    classes = np.arange(rows.n_classes)
    width = max(1, BYTE_STATE // (rows.n_classes * BYTE_COUNTS))
    width = threads.shared_width(n_features, width, n_samples, n_jobs)
    by_rows = n_jobs if width >= n_features else 1

    def work(columns: slice) -> Result:
        def count(span: slice) -> ByteCounts:
            return ByteCounts.of(X[span, columns], rows.codes[span], classes)

        found = threads.fold_blocks(count, n_samples, BYTE_ROWS, ByteCounts.merge, by_rows)
        return digest(columns, found.digest(n_bins, binning))

    return threads.map_blocks(work, n_features, width, n_jobs)


def summarise_tall(
    X: NDArray[Any], rows: RowClasses, n_bins: int | None, n_jobs: int | None
) -> ColumnStats:
    """Summarise long columns in two passes: ranges, then sums and counts."""
    from featrank.summaries.ranges import FeatureRanges
    from featrank.summaries.summary import ClassSummary

    classes = np.arange(rows.n_classes)
    size = max(1, X.shape[1]) * float_type(X.dtype).itemsize
    height = int(np.clip(PIECE_BYTES // size, *PIECE_ROWS))

    def part(span: slice) -> tuple[Block, NDArray[np.integer], Floats | None]:
        weights = None if rows.weights is None else rows.weights[span]
        return DenseBlock(dense_block(X[span], slice(None))), rows.codes[span], weights

    def look(span: slice) -> FeatureRanges:
        block, codes, weights = part(span)
        return FeatureRanges.of_block(block, codes, classes, weights)

    ranges = threads.fold_blocks(look, len(X), height, FeatureRanges.merge, n_jobs)

    def count(span: slice) -> ClassSummary:
        block, codes, weights = part(span)
        return ClassSummary.of_block(block, codes, ranges, n_bins, weights)

    return threads.fold_blocks(count, len(X), height, ClassSummary.merge, n_jobs).digest()


def column_products(
    X: Any, factors: Floats, centre: Floats, reach: Floats, n_jobs: int | None = None
) -> Floats:
    """Return the sum of factor·(value - centre) of each column of X, with one factor per row.

    Factors are at most 1 in magnitude, and a column with zeros has its centre at 0. ``reach`` is
    the largest distance of a value from the centre. The order of the rows does not affect the
    result.
    """
    from featrank.summaries.sparse_blocks import SparseBlock

    n_samples, n_features = X.shape
    sums = np.empty(n_features)
    stored = None if isinstance(X, np.ndarray) else SparseBlock.of(X)

    def work(columns: slice) -> None:
        block = DenseBlock(dense_block(X, columns)) if stored is None else stored.part(columns)
        sums[columns] = block.products(factors, centre[columns], reach[columns])

    if stored is not None:
        width = threads.shared_width(
            n_features, SPARSE_COLUMNS, 2 + X.nnz // max(n_features, 1), n_jobs
        )
    elif float_type(X.dtype) == X.dtype:
        width = max(
            threads.shared_width(n_features, n_features, n_samples, n_jobs), PRODUCT_COLUMNS
        )
    else:  # which needs a copy
        width = int(np.clip(BLOCK_BYTES // (8 * n_samples), 64, PRODUCT_COLUMNS))
    threads.map_blocks(work, n_features, width, n_jobs)
    return sums


def column_moments(X: Any, rows: RowClasses, n_jobs: int | None = None) -> Moments:
    """Return the moments of all columns of X."""
    return Moments.concatenate(
        summarise_columns(X, rows, lambda _, digest: digest.moments, n_jobs=n_jobs)
    )


def column_bins(
    X: Any, rows: RowClasses, bins: int | str, binning: str, n_jobs: int | None = None
) -> BinArrays | int:
    """Return the bins of whole columns, or the number of quantile bins."""
    n_bins = auto_bins(X.shape[0]) if bins == "auto" else int(bins)
    if binning == "quantile":
        return n_bins
    moments = column_moments(X, rows, n_jobs)
    return Bins.of(moments.low, moments.high, moments.whole, float_type(X.dtype), n_bins).arrays
