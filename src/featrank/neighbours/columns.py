"""Column ranges and column blocks for methods that compare samples."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from featrank._utils import threads
from featrank.kernels import neighbours as kernels

Floats = NDArray[np.float64]
Matrix = NDArray[np.floating]
Result = TypeVar("Result")


def as_rows(X: Matrix) -> Matrix:
    """Return X with contiguous rows of float32 or float64, without a copy if possible."""
    if X.dtype in (np.float32, np.float64):
        return np.ascontiguousarray(X, dtype=X.dtype.newbyteorder("="))
    return np.ascontiguousarray(X, dtype=np.float32 if X.dtype == np.float16 else np.float64)


def map_columns(
    work: Callable[[slice], Result], shape: tuple[int, ...], n_jobs: int | None = None
) -> list[Result]:
    """Call ``work`` on each block of columns of a matrix of the shape.

    Long pieces of a row are read faster, so blocks of short columns may be wider.
    """
    n_samples, n_columns = shape
    least = min(max(threads.WORTH_A_THREAD // n_samples, 64), 4096)
    width = min(max(n_columns // 8, least), max(least, 512))
    return threads.map_blocks(work, n_columns, width, n_jobs)


class Ranges(NamedTuple):
    """Smallest and largest known value of each column, and the number of missing values."""

    low: Floats
    high: Floats
    unknown: NDArray[np.int64]

    @classmethod
    def of(cls, X: Matrix, n_jobs: int | None) -> Ranges:
        """Find the ranges of X. A column without values has range [0, 0]."""
        low, high = np.empty((2, X.shape[1]))
        unknown = np.empty(X.shape[1], np.int64)

        def work(block: slice) -> None:
            kernels.ranges(X[:, block], low[block], high[block], unknown[block])

        # A small matrix is not worth a thread.
        map_columns(work, X.shape, n_jobs if X.size >= 4 * threads.WORTH_A_THREAD else 1)
        empty = unknown == len(X)
        low[empty] = high[empty] = 0
        return cls(low, high, unknown)

    def widths(self) -> Floats:
        """Largest minus smallest value, or 0 if that is subnormal."""
        widths = self.high - self.low
        return np.where(widths < np.finfo(np.float64).tiny, 0.0, widths)
