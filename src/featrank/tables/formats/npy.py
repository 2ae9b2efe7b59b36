"""NumPy's npy files: one array. Pickled objects are never loaded."""

from pathlib import Path

from featrank.tables.format import Format
from featrank.tables.table import Options, Table

FORMAT = Format(
    names=("NPY",),
    suffixes=(".npy",),
    target="a column or a file of labels",
    writes="X alone",
    loses=("labels", "names", "ids"),
    turns=True,
)


def read(path: Path, options: Options) -> Table:
    """Read the array as ``X``."""
    from featrank.tables.arrays import from_arrays
    from featrank.tables.numpy_files import read_array

    return from_arrays({"X": read_array(path)}, path, options)


def write(path: Path, table: Table) -> None:
    """Write ``X`` alone."""
    import numpy as np

    dense = isinstance(table.X, np.ndarray)
    with open(path, "wb") as file:
        np.save(file, table.X if dense else table.X.toarray(), allow_pickle=False)
