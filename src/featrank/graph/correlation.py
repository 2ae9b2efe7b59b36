"""Correlation distance of features: one minus their absolute rank correlation."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from featrank._utils import threads
from featrank.exceptions import UsageError
from featrank.graph.edges import Graph
from featrank.kernels import Floats
from featrank.kernels.correlation import add_absolute_half, unit_ranks
from featrank.values.containers import refuse_anndata

Result = TypeVar("Result")

# Rows of the correlation matrix that are computed, stored and multiplied together.
PANEL = 128
# Number of panels whose products are stored until they are added in order.
PANELS = 16
# Columns of X that are ranked together.
COLUMNS = 64


class CorrelationDistance(Graph):
    r"""1 − \|ρᵢⱼ\|, where ρ is Spearman's correlation with average ranks for ties.

    The absolute value leaves no structure to exploit, so a product takes O(n²) time. As the matrix
    is symmetric, only its upper half is computed and stored. Features with the same ranks, up to
    direction, share one row. A constant column has no correlation and distance 1 to all other
    columns.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The samples.
    stored : bool, default=True
        Whether to store the n²/2 correlations. False recomputes them for every product, in panels
        of 128 rows, one per thread at a time.
    dtype : {"float64", "float32"}, default="float64"
        Type of the correlations. Sums are always float64.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. BLAS uses a single thread in each. The result does not depend
        on ``n_jobs``.

    Examples
    --------
    >>> X = np.array([[1.0, 8.0, 3.0], [2.0, 6.0, 9.0], [3.0, 4.0, 1.0], [4.0, 1.0, 2.0]])
    >>> CorrelationDistance(X).to_dense().round(12)
    array([[0. , 0. , 0.4],
           [0. , 0. , 0.4],
           [0.4, 0.4, 0. ]])
    """

    def __init__(
        self, X: Any, *, stored: bool = True, dtype: Any = np.float64, n_jobs: int | None = None
    ):
        refuse_anndata(X)
        if np.ndim(X) != 2:
            raise UsageError(f"X must have two dimensions, got {np.ndim(X)}.")
        self.size = X.shape[1]
        self._n_jobs = n_jobs
        self._ranks, self._place = _distinct(*_ranked(X, np.dtype(dtype), n_jobs))
        self._panels = self._stored_panels() if stored else None

    def add_product(self, vector: Floats, weight: float, result: Floats) -> None:
        """Add weight·A·vector to the result, in place."""
        if self._place is None:
            result += weight * self._distinct_product(vector)
            return
        summed = np.zeros(len(self._ranks))
        np.add.at(summed, self._place, vector)
        result += (weight * self._distinct_product(summed))[self._place]

    def rows(self, block: slice) -> Floats:
        """Return some rows of A, written out."""
        wanted = np.arange(self.size)[block] if self._place is None else self._place[block]
        correlations = np.asarray(self._ranks[wanted] @ self._ranks.T, dtype=np.float64)
        correlations[np.arange(len(wanted)), wanted] = self._ranks[wanted].any(axis=1)
        distances = 1 - np.abs(correlations)
        return distances if self._place is None else distances[:, self._place]

    def _distinct_product(self, vector: Floats) -> Floats:
        size, own = len(self._ranks), threading.local()

        def work(rows: slice) -> tuple[int, Floats]:
            part = np.zeros(size - rows.start)
            add_absolute_half(self._panel(rows, own), vector[rows.start :], part)
            return rows.start, part

        correlated = np.zeros(size)
        for some in threads.blocks(size, PANELS * PANEL):
            for start, part in self._map(work, some):
                correlated[start:] += part
        return vector.sum() - correlated

    def _stored_panels(self) -> list[NDArray[np.floating]]:
        size = len(self._ranks)

        def work(rows: slice) -> NDArray[np.floating]:
            return self._computed(rows, self._empty(rows.stop - rows.start, size - rows.start))

        return self._map(work, slice(0, size))

    def _map(self, work: Callable[[slice], Result], some: slice) -> list[Result]:
        """Call ``work`` on each panel of some rows."""
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

        def moved(rows: slice) -> Result:
            return work(slice(some.start + rows.start, some.start + rows.stop))

        with threadpool_limits(1):
            return threads.map_blocks(moved, some.stop - some.start, PANEL, self._n_jobs)

    def _panel(self, rows: slice, own: threading.local) -> NDArray[np.floating]:
        """Return rows of the upper half: stored, or recomputed in the thread's own buffer."""
        if self._panels is not None:
            return self._panels[rows.start // PANEL]
        height, width = rows.stop - rows.start, len(self._ranks) - rows.start
        if not hasattr(own, "space"):
            own.space = self._empty(PANEL, len(self._ranks)).ravel()
        return self._computed(rows, own.space[: height * width].reshape(height, width))

    def _computed(self, rows: slice, out: NDArray[np.floating]) -> NDArray[np.floating]:
        np.matmul(self._ranks[rows], self._ranks[rows.start :].T, out=out)
        # The distance of a feature to itself is exactly 0.
        diagonal = np.arange(len(out))
        out[diagonal, diagonal] = self._ranks[rows].any(axis=1)
        return out

    def _empty(self, height: int, width: int) -> NDArray[np.floating]:
        return np.empty((height, width), dtype=self._ranks.dtype)


def _ranked(
    X: Any, dtype: np.dtype[Any], n_jobs: int | None
) -> tuple[NDArray[np.floating], NDArray[np.uint64]]:
    ranks = np.empty((X.shape[1], X.shape[0]), dtype=dtype)

    def work(columns: slice) -> NDArray[np.uint64]:
        return unit_ranks(_floats(X[:, columns]), ranks[columns])

    return ranks, np.concatenate(threads.map_blocks(work, X.shape[1], COLUMNS, n_jobs))


def _floats(block: NDArray[Any]) -> NDArray[np.floating]:
    known = block.dtype in (np.float32, np.float64) and block.dtype.isnative
    return block if known else block.astype(np.float64)


def _distinct(
    ranks: NDArray[np.floating], keys: NDArray[np.uint64]
) -> tuple[NDArray[np.floating], NDArray[np.intp] | None]:
    """Return the distinct rows, and the index of each row among them, None if all differ."""
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    if len(first) == len(ranks):
        return ranks, None
    repeats = np.flatnonzero(first[place] != np.arange(len(ranks)))
    if not np.array_equal(ranks[repeats], ranks[first[place[repeats]]]):
        return ranks, None  # a hash collision, as unlikely as a memory error
    return ranks[first], place
