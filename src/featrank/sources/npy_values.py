"""The matrix of an npy file, in which any range can be read."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.sources.matrices import ArrayValues
from featrank.sources.source import Axis
from featrank.tables.numpy_files import check_start, read_header
from featrank.tables.prepare import matrix_type
from featrank.tables.table import parsing


def _read(
    header: tuple[tuple[int, int], bool, np.dtype],
    offset: int,
    path: Path,
    key: str,
    place: tuple[slice, slice],
) -> NDArray[Any]:
    """Return some rows and columns of a file whose numbers begin at an offset."""
    (n_rows, n_columns), by_columns, stored = header
    if by_columns:
        return _lines(path, stored, offset, *place[::-1], n_rows).T
    return _lines(path, stored, offset, *place, n_columns)


def _lines(
    path: Path, stored: np.dtype, offset: int, lines: slice, within: slice, length: int
) -> NDArray[Any]:
    """Return a range of the lines that lie one after another in the file."""
    count = lines.stop - lines.start
    start = offset + lines.start * length * stored.itemsize
    if within.stop - within.start == length:
        # Not through a map: a file that is cut short would end the process.
        values = np.fromfile(path, stored, count * length, offset=start)
        if values.size < count * length:
            raise EOFError("the file ends before it")
        return values.reshape(count, length)
    if path.stat().st_size < start + count * length * stored.itemsize:
        raise EOFError("the file ends before it")
    mapped = np.memmap(path, stored, "r", start, (count, length))
    return np.array(mapped[:, within])


def npy_values(path: Path) -> ArrayValues:
    """Return the matrix of an npy file, whose header alone is read."""
    check_start(path, b"\x93NUMPY")
    with parsing(path, "a NumPy array"), open(path, "rb") as file:
        header: Any = read_header(file)
        shape, by_columns, stored = header
        read = partial(_read, header, file.tell())
        # An array of this shape and type that takes no memory, for the checks that tables make.
        dtype = matrix_type(np.broadcast_to(np.zeros((), stored), shape))
    axis: Axis = "columns" if by_columns else "rows"
    return ArrayValues(path.absolute(), "", shape, dtype, axis, 1, read)
