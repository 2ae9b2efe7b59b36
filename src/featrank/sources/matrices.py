"""Matrices of numbers in files, dense or sparse, once the array has been found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError
from featrank.sources.chunking import axis_of, most_items, ranges
from featrank.sources.dropped_columns import Skipped
from featrank.sources.labels import Labels, labels_of
from featrank.sources.source import Axis, Block, Chunk, Source, place_of, reading, shape_of, span_of
from featrank.sources.sparse import SparseValues
from featrank.tables.prepare import matrix_type, numeric_matrix
from featrank.values.numbers import require_numbers

#: Opens a file by its path and returns a part of an array, by its key and an index.
ReadArray = Callable[[Path, str, Any], NDArray[Any]]


@dataclass(frozen=True)
class ArrayValues:
    """A dense matrix in a file, by path: picklable, never an open handle.

    Attributes
    ----------
    key : str
        The name of the array in the file.
    shape, dtype : tuple and numpy.dtype
        Rows and columns, and the type of the blocks that are made of it.
    axis : {"rows", "columns"}
        Along which reading is fast.
    chunk : int
        Rows, or columns, that the file stores together along that axis.
    read_array : callable
        Opens the file and returns some of its rows and columns.
    """

    path: Path
    key: str
    shape: tuple[int, int]
    dtype: np.dtype
    axis: Axis
    chunk: int
    read_array: ReadArray

    @classmethod
    def of(cls, path: Path, key: str, array: Any, read_array: ReadArray) -> ArrayValues:
        """Describe an array of an open file."""
        dtype, chunks = matrix_type(array), array.chunks
        axis = axis_of(array.shape, chunks)
        chunk = 1 if chunks is None else chunks[0 if axis == "rows" else 1]
        return cls(path, key, array.shape, dtype, axis, chunk, read_array)

    def read(self, rows: slice, columns: slice) -> NDArray[Any]:
        """Return some rows and columns."""
        return self.read_array(self.path, self.key, (rows, columns))


class MatrixSource(Source):
    """A matrix in a file."""

    def __init__(
        self,
        values: ArrayValues | SparseValues,
        names: Sequence[str],
        skipped: Skipped,
        labels: Labels | None,
    ):
        self.values = values
        self.names = names
        self.name = values.path.name
        self.shape = (values.shape[0], len(names))
        self.dtype = values.dtype
        self.axis = values.axis
        self.target = None if labels is None else labels.name
        self._labels = labels
        self._skipped = skipped

    @property
    def n_bytes(self) -> int | None:
        """Bytes of all values; of a sparse matrix, those of the stored ones and their indices."""
        if isinstance(self.values, SparseValues):
            return self.values.n_bytes
        return super().n_bytes

    def chunks(self, most_bytes: int, columns: slice = slice(None)) -> Iterator[Chunk]:
        """Cut it into ranges of rows or of columns, at the ends of chunks where they fit."""
        columns = span_of(columns, self.shape[1])
        if columns.stop == columns.start:
            return
        span, _ = self._skipped.span(columns)
        n_rows = self.values.shape[0]
        if self.axis == "rows":
            for rows in self._ranges(slice(0, n_rows), span.stop - span.start, most_bytes):
                yield self._part(rows, columns)
            return
        for some in self._ranges(span, n_rows, most_bytes):
            features = self._skipped.features(some)
            if features.stop > features.start:
                yield self._part(slice(0, n_rows), features)

    def _ranges(self, span: slice, length: int, most_bytes: int) -> Iterator[slice]:
        """Cut a range of rows, or of columns, whose dense lines have this length."""
        if isinstance(self.values, SparseValues):
            return self.values.ranges(span, most_bytes)
        most = most_items(most_bytes, length * self.dtype.itemsize)
        return ranges(span.start, span.stop, most, self.values.chunk)

    def _part(self, rows: slice, columns: slice) -> Chunk:
        place = place_of(self.axis, rows if self.axis == "rows" else columns, self.values.path.name)
        read = partial(read_matrix, self.values, self._labels, self._skipped, rows, columns, place)
        return Chunk(rows, columns, place, read)


def read_matrix(
    values: ArrayValues | SparseValues,
    labels: Labels | None,
    skipped: Skipped,
    rows: slice,
    columns: slice,
    place: str,
) -> Block:
    """Read some rows and columns of a matrix, and the labels of the rows."""
    span, others = skipped.span(columns)
    with reading(place):
        X = values.read(rows, span)
        if X.shape != shape_of(rows, span):
            raise DataError(f"Cannot read {place}: the array has another shape by now.")
        if isinstance(X, np.ndarray):
            X = numeric_matrix(np.delete(X, others, axis=1) if others else X)
        elif others:
            X = X[:, np.delete(np.arange(X.shape[1]), others)]
        y = labels_of(labels, rows, place)
    require_numbers(X, first=columns.start)
    return Block(X, y)
