"""Expected differences of missing values, from the known values of their class."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank._utils import threads
from featrank.kernels import neighbours as kernels
from featrank.kernels.neighbours import Missing

Floats = NDArray[np.float64]


class Unknowns(NamedTuple):
    """Expected differences, and a representative value for unknown values with its mean deviation.

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
        """Describe the columns that hold NaN."""
        if len(columns) == 0:
            return cls.none()
        n_classes = int(codes.max()) + 1
        expected = np.empty((len(columns), n_classes, len(X)))
        place, deviation = np.zeros((2, n_classes, X.shape[1]))

        def work(block: slice) -> None:
            some = columns[block]
            tables = kernels.expect(X, some, low, scale, codes, n_classes, expected[block])
            place[:, some], deviation[:, some] = (table.T for table in tables)

        threads.map_blocks(work, len(columns), 64, n_jobs)
        return cls(_lacking(X, columns, expected), place, deviation)


def _lacking(X: Any, columns: NDArray[np.int64], expected: Floats) -> Missing:
    slots, counts = [], np.empty(len(X), np.int64)
    for start in range(0, len(X), 256):
        unknown = np.isnan(X[start : start + 256])[:, columns]
        slots.append(np.nonzero(unknown)[1])
        counts[start : start + 256] = unknown.sum(axis=1)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Missing(offsets, np.concatenate(slots).astype(np.int64), columns, expected)
