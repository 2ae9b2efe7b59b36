"""Sparse matrices of h5ad files: CSR by rows, CSC by columns, never more than a part in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from featrank.sources.chunking import ranges_by_cost
from featrank.sources.dropped_columns import Skipped
from featrank.sources.hdf5 import hdf5_file, member
from featrank.sources.labels import Labels, labels_of
from featrank.sources.source import Axis, Block, Part, Source, place_of, reading, span_of
from featrank.tables.prepare import matrix_type, numeric_matrix
from featrank.values.numbers import require_numbers

# So that where they end, 8 MB, need not be known of all lines at a time.
_MOST_LINES = 2**20
# Of where a line ends.
_END_BYTES = 8


@dataclass(frozen=True)
class SparseValues:
    """A compressed matrix in a group of an HDF5 file.

    Attributes
    ----------
    layout : {"csr", "csc"}
        Whether its lines are rows or columns.
    bytes_each : int
        Bytes of a stored value and its index.
    n_stored : int
        How many values are stored.
    """

    path: Path
    key: str
    layout: Literal["csr", "csc"]
    shape: tuple[int, int]
    dtype: np.dtype
    bytes_each: int
    n_stored: int

    @property
    def axis(self) -> Axis:
        """Along which its lines follow each other."""
        return "rows" if self.layout == "csr" else "columns"

    def read(self, lines: slice) -> Any:
        """Return some of its lines as a sparse array."""
        from scipy.sparse import csc_array, csr_array

        count = lines.stop - lines.start
        with hdf5_file(self.path) as file:
            group = member(file, self.key)
            ends = member(group, "indptr")[lines.start : lines.stop + 1].astype(np.int64)
            if len(ends) != count + 1 or (np.diff(ends) < 0).any():
                raise ValueError(f"where its {self.axis} end is not in order")
            stored = slice(int(ends[0]), int(ends[-1]))
            data, indices = (_native(member(group, name)[stored]) for name in ("data", "indices"))
        # In the type of the indices, which SciPy would widen otherwise.
        narrow = stored.stop - stored.start <= np.iinfo(indices.dtype).max
        parts = (data, indices, (ends - ends[0]).astype(indices.dtype if narrow else np.int64))
        if self.layout == "csr":
            return csr_array(parts, shape=(count, self.shape[1]))
        return csc_array(parts, shape=(self.shape[0], count))

    def ranges(self, span: slice, most_bytes: int) -> Iterator[slice]:
        """Cut a range of lines into ranges that take at most so many bytes, one line at least."""
        start = span.start
        while start < span.stop:
            stop = min(start + _MOST_LINES, span.stop)
            place = place_of(f"where {self.axis}", slice(start, stop), self.path.name)
            with reading(place), hdf5_file(self.path) as file:
                ends = member(file, f"{self.key}/indptr")[start : stop + 1].astype(np.int64)
            costs = ends * self.bytes_each + np.arange(len(ends)) * _END_BYTES
            for some in ranges_by_cost(costs, most_bytes - _END_BYTES):
                yield slice(start + some.start, start + some.stop)
            start = stop


def _native(values: NDArray[Any]) -> NDArray[Any]:
    return values.astype(values.dtype.newbyteorder("="), copy=False)


def sparse_values(path: Path, key: str, group: Any) -> SparseValues | None:
    """Return the sparse matrix in a group, None if there is none."""
    stated = group.attrs.get("encoding-type", group.attrs.get("h5sparse_format", ""))
    layout = {"csr_matrix": "csr", "csc_matrix": "csc"}.get(str(stated), str(stated))
    if layout not in ("csr", "csc"):
        return None
    shape = group.attrs.get("shape", group.attrs.get("h5sparse_shape"))
    data, indices = member(group, "data"), member(group, "indices")
    dtype = matrix_type(np.broadcast_to(np.zeros((), data.dtype), tuple(shape)))
    each = dtype.itemsize + indices.dtype.itemsize
    n_rows, n_columns = (int(size) for size in shape)
    stored = int(data.shape[0])
    return SparseValues(path, key, layout, (n_rows, n_columns), dtype, each, stored)  # type: ignore[arg-type]


@dataclass(frozen=True)
class SparsePart:
    """Some rows of a CSR matrix, or columns of a CSC matrix."""

    values: SparseValues
    labels: Labels | None
    skipped: Skipped
    rows: slice
    columns: slice

    @property
    def place(self) -> str:
        """What to call it in messages."""
        span = self.rows if self.values.axis == "rows" else self.columns
        return place_of(self.values.axis, span, self.values.path.name)

    def read(self) -> Block:
        """Read it."""
        span, others = self.skipped.span(self.columns)
        with reading(self.place):
            # The check that indices are in range comes first: later code trusts them.
            X = numeric_matrix(self.values.read(self.rows if self._by_rows else span))
            X.sum_duplicates()
            if self._by_rows and span != slice(0, self.values.shape[1]):
                X = X[:, span]
            if others:
                X = X[:, np.delete(np.arange(X.shape[1]), others)]
            y = labels_of(self.labels, self.rows, self.place)
        require_numbers(X, first=self.columns.start)
        return Block(X, y)

    @property
    def _by_rows(self) -> bool:
        return self.values.axis == "rows"


class SparseSource(Source):
    """A sparse matrix in an HDF5 file."""

    def __init__(
        self, values: SparseValues, names: Sequence[str], skipped: Skipped, labels: Labels | None
    ):
        self.names = names
        self.name = values.path.name
        self.shape = (values.shape[0], len(names))
        self.dtype = values.dtype
        self.axis = values.axis
        self.target = None if labels is None else labels.name
        self._values = values
        self._labels = labels
        self._skipped = skipped

    @property
    def n_bytes(self) -> int:
        """Bytes of the stored values and of where they are."""
        lines = self._values.shape[0 if self.axis == "rows" else 1]
        return self._values.n_stored * self._values.bytes_each + lines * _END_BYTES

    def parts(self, most_bytes: int, columns: slice = slice(None)) -> Iterator[Part]:
        """Cut it so that the entries of a part, all columns of its rows, fit."""
        columns = span_of(columns, self.shape[1])
        if columns.stop == columns.start:
            return
        if self.axis == "rows":
            for rows in self._values.ranges(slice(0, self._values.shape[0]), most_bytes):
                yield self._part(rows, columns)
            return
        span, _ = self._skipped.span(columns)
        for some in self._values.ranges(span, most_bytes):
            features = self._skipped.features(some)
            if features.stop > features.start:
                yield self._part(slice(0, self._values.shape[0]), features)

    def _part(self, rows: slice, columns: slice) -> SparsePart:
        return SparsePart(self._values, self._labels, self._skipped, rows, columns)
