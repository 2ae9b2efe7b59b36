"""Summaries of a matrix in memory, block by block."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from featrank import kernels
from featrank.engines import local
from featrank.engines.dense import dense_block
from featrank.kernels import Floats, Groups

from .histogram import Bins, Histogram
from .moments import Moments

Result = TypeVar("Result")

# A block is large enough to hide what Python costs, and small beside the data.
BLOCK_BYTES = 8 * 2**20

# Columns of more rows do not stay in the cache between two passes; blocks of rows do.
TALL = 4096
TALL_ROWS = 512


@dataclass(frozen=True)
class RowClasses:
    """The class code of each row, and its weight where rows have weights.

    A row of a negative code takes no part.
    """

    codes: NDArray[np.integer]
    n_classes: int
    weights: Floats | None = None

    def groups(self, rows: slice = slice(None)) -> Groups:
        """Return some of the rows grouped by class."""
        weights = None if self.weights is None else self.weights[rows]
        return Groups.of(self.codes[rows], self.n_classes, weights)


@dataclass(frozen=True)
class Summary:
    """What is known of a block of features."""

    moments: Moments
    histogram: Histogram | None

    @classmethod
    def of(
        cls, block: NDArray[np.floating], groups: Groups, n_bins: int | None, binning: str
    ) -> Summary:
        """Summarise whole columns from one read; without ``n_bins`` there is no histogram."""
        if n_bins is None:
            return cls(Moments.of(block, groups), None)
        if binning == "width":
            arrays, counts = kernels.summarise(block, groups, n_bins)
            return cls(Moments.from_arrays(groups, arrays), Histogram(counts))
        moments = Moments.of(block, groups)
        if not np.isfinite(moments.mean).all():
            return cls(moments, None)
        counts = kernels.quantile_histogram(block, groups, n_bins)
        return cls(moments, Histogram(counts))


def summarise_columns(
    X: Any,
    rows: RowClasses,
    digest: Callable[[slice, Summary], Result],
    *,
    n_bins: int | None = None,
    binning: str = "width",
    n_jobs: int | None = None,
) -> list[Result]:
    """Summarise X block by block and keep only what ``digest`` makes of columns and summary."""
    n_samples, n_features = X.shape
    per_column = n_samples * X.dtype.itemsize + 4 * rows.n_classes * (n_bins or 0)
    width = int(np.clip(BLOCK_BYTES // max(per_column, 1), 64, 16384))
    if n_samples > TALL and binning == "width":
        width = n_features if isinstance(X, np.ndarray) else width
        return [
            digest(columns, summarise_tall(dense_block(X, columns), rows, n_bins, n_jobs))
            for columns in local.blocks(n_features, width)
        ]
    groups = rows.groups()

    def work(columns: slice) -> Result:
        return digest(columns, Summary.of(dense_block(X, columns), groups, n_bins, binning))

    width = local.shared_width(n_features, width, n_samples, n_jobs)
    return local.map_blocks(work, n_features, width, n_jobs)


def summarise_tall(
    block: NDArray[np.floating], rows: RowClasses, n_bins: int | None, n_jobs: int | None
) -> Summary:
    """Summarise long columns from two reads: the moments, then the counts.

    Blocks of rows are merged in their order, so that the result does not depend on ``n_jobs``.
    """

    def over_rows(summary_of: Callable[..., Any], *bins: Bins) -> Any:
        def work(span: slice) -> Any:
            return summary_of(dense_block(block[span], slice(None)), rows.groups(span), *bins)

        parts = local.map_blocks(work, len(block), TALL_ROWS, n_jobs)
        return reduce(lambda merged, part: merged.merge(part), parts)

    moments = over_rows(Moments.of)
    if n_bins is None or not np.isfinite(moments.mean).all():
        return Summary(moments, None)
    return Summary(moments, over_rows(Histogram.of, Bins.of(moments, block.dtype, n_bins)))


def column_moments(X: Any, rows: RowClasses, n_jobs: int | None = None) -> Moments:
    """Return the moments of all columns of X."""
    return Moments.concatenate(
        summarise_columns(X, rows, lambda _, summary: summary.moments, n_jobs=n_jobs)
    )
