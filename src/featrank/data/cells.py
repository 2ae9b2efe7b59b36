"""Single rows and columns of a source, brought into memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.data.reader import Reader
from featrank.sources import Chunk, Source

Indices = NDArray[np.integer]
# Rows and columns that are wanted together, both ascending.
Rectangle = tuple[Indices, Indices]


@dataclass(frozen=True)
class Pick:
    """What a part holds of some rectangles: places of rows and columns, and the values there."""

    wanted: Sequence[Rectangle]
    starts: Mapping[str, int]

    def __call__(self, part: Chunk) -> list[tuple[slice, slice, NDArray[Any]]]:
        """Read the part."""
        X = part.read().X
        if hasattr(X, "packed"):
            X = X.toarray()
        first = self.starts[part.place] if part.rows is None else part.rows.start
        found = []
        for rows, columns in self.wanted:
            across = _inside(rows, first, first + X.shape[0])
            down = _inside(columns, part.columns.start, part.columns.start + X.shape[1])
            some = X[rows[across] - first][:, columns[down] - part.columns.start]
            values = some if isinstance(some, np.ndarray) else some.toarray()
            found.append((across, down, values))
        return found


def read_cells(
    source: Source, wanted: Sequence[Rectangle], starts: Mapping[str, int], reader: Reader
) -> list[NDArray[np.float64]]:
    """Return the values of each rectangle, from one pass over the source."""
    results = [np.empty((len(rows), len(columns))) for rows, columns in wanted]
    parts = _holding(source, wanted, starts, reader)
    for _, found in reader.each(Pick(wanted, starts), source, parts):
        for result, (across, down, values) in zip(results, found, strict=True):
            result[across, down] = values
    return results


def _holding(
    source: Source, wanted: Sequence[Rectangle], starts: Mapping[str, int], reader: Reader
) -> Iterator[Chunk]:
    """Return the parts that hold some of the columns, and as little else as the source allows."""
    size = reader.block_bytes(source)
    columns = np.unique(np.concatenate([columns for _, columns in wanted]))
    # Where parts are known by their places, the same parts are needed as before.
    span = slice(None) if starts else slice(int(columns[0]), int(columns[-1]) + 1)
    for part in source.chunks(size, span):
        held = _inside(columns, part.columns.start, part.columns.stop)
        if held.stop > held.start:
            yield part


def _inside(ascending: Indices, start: int, stop: int) -> slice:
    """Return the places of those numbers that lie in a range."""
    return slice(*np.searchsorted(ascending, [start, stop]).tolist())
