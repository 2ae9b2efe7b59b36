"""Differences that unknown values are expected to have, from the known values of their class."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank.engines import local
from featrank.kernels.neighbours import Missing

Floats = NDArray[np.float64]


class Unknowns(NamedTuple):
    """Expected differences, and a place and its mean deviation to stand for unknown values.

    All are multiples of the column's range. ``place`` and ``deviation`` have shape
    (n_classes, n_features), or no rows if every value is known.
    """

    missing: Missing
    place: Floats
    deviation: Floats

    @classmethod
    def none(cls) -> Unknowns:
        """Every value is known."""
        return cls(Missing.none(), np.zeros((0, 0)), np.zeros((0, 0)))

    @classmethod
    def of(
        cls,
        X: Any,
        codes: NDArray[np.int64],
        columns: NDArray[np.int64],
        low: Floats,
        scale: Floats,
        n_jobs: int | None,
    ) -> Unknowns:
        """Look at the columns that hold NaN."""
        if len(columns) == 0:
            return cls.none()
        n_classes = int(codes.max()) + 1
        expected = np.empty((len(columns), n_classes, len(X)))
        place, deviation = np.zeros((2, n_classes, X.shape[1]))

        def work(block: slice) -> None:
            for m in range(block.start, block.stop):
                j = columns[m]
                values = (X[:, j].astype(np.float64) - low[j]) * scale[j]
                expected[m], place[:, j], deviation[:, j] = _column(values, codes, n_classes)

        local.map_blocks(work, len(columns), 32, n_jobs)
        return cls(_lacking(X, columns, expected), place, deviation)


def _column(
    values: Floats, codes: NDArray[np.int64], n_classes: int
) -> tuple[Floats, Floats, Floats]:
    """Expected differences (class, row), then the median of each class and what is off it."""
    known = ~np.isnan(values)
    table, place, deviation = np.zeros((n_classes, len(values))), *np.zeros((2, n_classes))
    if not known.any():
        return table, place, deviation
    spreads = [_Spread(_known_of(c, values, known, codes)) for c in range(n_classes)]
    for c, spread in enumerate(spreads):
        table[c, known] = spread.mean_distance(values[known])
        both = [spread.mean_distance(other.values).mean() for other in spreads]
        table[c, ~known] = np.array(both)[codes[~known]]
        # A byte's place, so that the deviation bounds what the bytes do not tell.
        place[c] = np.rint(255 * spread.median()) / 255
        deviation[c] = spread.mean_distance(place[[c]])[0]
    return table, place, deviation


def _known_of(c: int, values: Floats, known: NDArray[np.bool_], codes: NDArray[np.int64]) -> Floats:
    """Known values of the class, or of all classes if it has none."""
    own = known & (codes == c)
    return values[own] if own.any() else values[known]


class _Spread:
    """Known values, asked for the mean of |value - x| at any x."""

    def __init__(self, values: Floats):
        self.values = np.sort(values)
        self._sums = np.concatenate([[0.0], np.cumsum(self.values)])

    def mean_distance(self, x: Floats) -> Floats:
        below = np.searchsorted(self.values, x)
        count = len(self.values)
        sum_below, total = self._sums[below], self._sums[-1]
        return np.maximum(x * (2 * below - count) + total - 2 * sum_below, 0.0) / count

    def median(self) -> float:
        return float(self.values[len(self.values) // 2])


def _lacking(X: Any, columns: NDArray[np.int64], expected: Floats) -> Missing:
    slots, counts = [], np.empty(len(X), np.int64)
    for start in range(0, len(X), 256):
        unknown = np.isnan(X[start : start + 256])[:, columns]
        slots.append(np.nonzero(unknown)[1])
        counts[start : start + 256] = unknown.sum(axis=1)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Missing(offsets, np.concatenate(slots).astype(np.int64), columns, expected)
