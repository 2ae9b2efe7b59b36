"""The matrix of an npy file, in which any range can be read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.sources.source import Axis
from featrank.tables.numpy_files import check_start, read_header
from featrank.tables.prepare import matrix_type
from featrank.tables.table import parsing


@dataclass(frozen=True)
class NpyValues:
    """The matrix of an npy file.

    Attributes
    ----------
    stored : numpy.dtype
        Type of the numbers in the file.
    offset : int
        Where they begin.
    """

    path: Path
    shape: tuple[int, int]
    dtype: np.dtype
    axis: Axis
    stored: np.dtype
    offset: int
    chunk: int = 1

    def read(self, rows: slice, columns: slice) -> NDArray[Any]:
        """Return some rows and columns."""
        if self.axis == "rows":
            return self._lines(rows, columns, self.shape[1])
        return self._lines(columns, rows, self.shape[0]).T

    def _lines(self, lines: slice, within: slice, length: int) -> NDArray[Any]:
        """Return a range of the lines that lie one after another in the file."""
        count = lines.stop - lines.start
        start = self.offset + lines.start * length * self.stored.itemsize
        if within.stop - within.start == length:
            # Not through a map: a file that is cut short would end the process.
            values = np.fromfile(self.path, self.stored, count * length, offset=start)
            if values.size < count * length:
                raise EOFError("the file ends before it")
            return values.reshape(count, length)
        if self.path.stat().st_size < start + count * length * self.stored.itemsize:
            raise EOFError("the file ends before it")
        mapped = np.memmap(self.path, self.stored, "r", start, (count, length))
        return np.array(mapped[:, within])


def npy_values(path: Path) -> NpyValues:
    """Return the matrix of an npy file, whose header alone is read."""
    check_start(path, b"\x93NUMPY")
    with parsing(path, "a NumPy array"), open(path, "rb") as file:
        shape, by_columns, stored = read_header(file)
        offset = file.tell()
        # An array of this shape and type that takes no memory, for the checks that tables make.
        dtype = matrix_type(np.broadcast_to(np.zeros((), stored), shape))
    axis: Axis = "columns" if by_columns else "rows"
    return NpyValues(path.absolute(), shape, dtype, axis, stored, offset)  # type: ignore[arg-type]
