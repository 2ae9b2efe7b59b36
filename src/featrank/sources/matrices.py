"""Matrices of numbers in files: what npy, Zarr and HDF5 share once an array has been found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError
from featrank.sources.chunking import most_items, ranges
from featrank.sources.dropped_columns import Skipped
from featrank.sources.labels import Labels, labels_of
from featrank.sources.source import Axis, Block, Part, Source, place_of, reading, shape_of, span_of
from featrank.tables.prepare import numeric_matrix
from featrank.values.numbers import require_numbers


class Values(Protocol):
    """A matrix in a file, by path: picklable, never an open handle."""

    @property
    def path(self) -> Path:
        """The file."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the matrix."""

    @property
    def dtype(self) -> np.dtype:
        """Type of the blocks that are made of it."""

    @property
    def axis(self) -> Axis:
        """Along which it is read fast."""

    @property
    def chunk(self) -> int:
        """Rows, or columns, that the file holds together along that axis."""

    def read(self, rows: slice, columns: slice) -> NDArray[Any]:
        """Open the file and return some of its rows and columns."""


@dataclass(frozen=True)
class MatrixPart:
    """Some rows and columns of a matrix in a file."""

    values: Values
    labels: Labels | None
    skipped: Skipped
    rows: slice
    columns: slice

    @property
    def place(self) -> str:
        """What to call it in messages."""
        axis = self.values.axis
        span = self.rows if axis == "rows" else self.columns
        return place_of(axis, span, self.values.path.name)

    def read(self) -> Block:
        """Read it."""
        span, others = self.skipped.span(self.columns)
        with reading(self.place):
            X = self.values.read(self.rows, span)
            if X.shape != shape_of(self.rows, span):
                raise DataError(f"Cannot read {self.place}: the array has another shape by now.")
            X = numeric_matrix(np.delete(X, others, axis=1) if others else X)
            y = labels_of(self.labels, self.rows, self.place)
        require_numbers(X, first=self.columns.start)
        return Block(X, y)


class MatrixSource(Source):
    """A matrix in a file."""

    def __init__(
        self, values: Values, names: Sequence[str], skipped: Skipped, labels: Labels | None
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

    def parts(self, most_bytes: int, columns: slice = slice(None)) -> Iterator[Part]:
        """Cut it into ranges of rows or of columns, at the ends of chunks where they fit."""
        columns = span_of(columns, self.shape[1])
        if columns.stop == columns.start:
            return
        span, _ = self._skipped.span(columns)
        n_rows, size = self.values.shape[0], self.dtype.itemsize
        if self.axis == "rows":
            most = most_items(most_bytes, (span.stop - span.start) * size)
            for rows in ranges(0, n_rows, most, self.values.chunk):
                yield self._part(rows, columns)
            return
        most = most_items(most_bytes, n_rows * size)
        for some in ranges(span.start, span.stop, most, self.values.chunk):
            features = self._skipped.features(some)
            if features.stop > features.start:
                yield self._part(slice(0, n_rows), features)

    def _part(self, rows: slice, columns: slice) -> MatrixPart:
        return MatrixPart(self.values, self._labels, self._skipped, rows, columns)
