"""Summaries of a matrix in memory, column block by column block, from one read of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from featrank import kernels
from featrank.engines import local
from featrank.kernels import Groups

from .histogram import Histogram
from .moments import Moments

Result = TypeVar("Result")

# A block is large enough to hide what Python costs, and small beside the data.
BLOCK_BYTES = 8 * 2**20


@dataclass(frozen=True)
class Summary:
    """What is known of a block of features after one read of it."""

    moments: Moments
    histogram: Histogram | None

    @classmethod
    def of(
        cls, block: NDArray[np.floating], groups: Groups, n_bins: int | None, binning: str
    ) -> Summary:
        """Summarise whole columns; without ``n_bins`` there is no histogram."""
        if n_bins is None:
            return cls(Moments.of(block, groups), None)
        if binning == "width":
            arrays, counts = kernels.summarise(block, groups, n_bins)
            return cls(Moments.from_arrays(groups, arrays), Histogram(counts))
        moments = Moments.of(block, groups)
        if not np.isfinite(moments.mean).all():
            return cls(moments, None)
        counts = kernels.quantile_histogram(block, groups, moments.whole, n_bins)
        return cls(moments, Histogram(counts))


def summarise_columns(
    X: Any,
    groups: Groups,
    reduce: Callable[[Summary], Result],
    *,
    n_bins: int | None = None,
    binning: str = "width",
    n_jobs: int | None = None,
) -> list[Result]:
    """Summarise X block by block and keep only what ``reduce`` makes of each summary."""
    n_samples, n_features = X.shape
    n_classes = len(groups.offsets) - 1
    per_column = n_samples * X.dtype.itemsize + 4 * n_classes * (n_bins or 0)
    width = int(np.clip(BLOCK_BYTES // max(per_column, 1), 64, 16384))

    def work(columns: slice) -> Result:
        return reduce(Summary.of(dense_block(X, columns), groups, n_bins, binning))

    return local.map_blocks(work, n_features, width, n_jobs)


def dense_block(X: Any, columns: slice) -> NDArray[np.floating]:
    """Columns of X as floats: a view where X holds floats, else a small copy."""
    block = X[:, columns]
    if not isinstance(block, np.ndarray):
        block = block.toarray()
    if block.dtype in (np.float32, np.float64) and block.dtype.isnative:
        return block
    return block.astype(np.float32 if block.dtype == np.float16 else np.float64)
