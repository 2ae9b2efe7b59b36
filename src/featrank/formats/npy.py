"""NumPy's npy files: one array. Pickled objects are never loaded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from featrank.tables.format import Format
from featrank.tables.options import ReadOptions
from featrank.tables.table import Table

if TYPE_CHECKING:
    from featrank.sources.source import Source

FORMAT = Format(
    names=("NPY",),
    suffixes=(".npy",),
    target="a column or a label file",
    writes="X alone",
    loses=("labels", "names", "ids"),
    transposable=True,
)


def read(path: Path, options: ReadOptions) -> Table:
    """Read the array as ``X``."""
    from featrank.tables.arrays import from_arrays
    from featrank.tables.numpy_files import read_array

    return from_arrays({"X": read_array(path)}, path, options)


def open(path: Path, options: ReadOptions) -> Source:
    """Open an npy file. One in Fortran order is read by columns."""
    from featrank.sources.arrays import source_of
    from featrank.sources.npy_values import npy_values

    return source_of(npy_values(path), None, {}, options)


def write(path: Path, table: Table) -> None:
    """Write ``X`` alone."""
    import numpy as np

    dense = isinstance(table.X, np.ndarray)
    with path.open("wb") as file:
        np.save(file, table.X if dense else table.X.toarray(), allow_pickle=False)
