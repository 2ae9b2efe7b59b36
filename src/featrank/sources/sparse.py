"""Sparse matrices of h5ad files, read in chunks: CSR by rows, CSC by columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from featrank.sources.chunking import ranges_by_cost
from featrank.sources.hdf5 import hdf5_file, member
from featrank.sources.source import Axis, place_of, reading
from featrank.tables.prepare import matrix_type, numeric_matrix

# Number of lines whose ends (8 MB) are read at a time.
_MOST_LINES = 2**20
# Bytes for the end of one line.
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

    @property
    def n_bytes(self) -> int:
        """Bytes of the stored values and of their indices."""
        lines = self.shape[0 if self.axis == "rows" else 1]
        return self.n_stored * self.bytes_each + lines * _END_BYTES

    def read(self, rows: slice, columns: slice) -> Any:
        """Return some rows and columns as a sparse array."""
        # This checks that indices are in range, which later code relies on.
        X = numeric_matrix(self._lines(rows if self.axis == "rows" else columns))
        X.sum_duplicates()
        if self.axis == "rows" and columns != slice(0, self.shape[1]):
            X = X[:, columns]
        return X

    def _lines(self, lines: slice) -> Any:
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
        """Cut a range of lines into ranges of at most ``most_bytes``, but at least one line."""
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
