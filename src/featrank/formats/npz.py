"""NumPy's npz files, and those of scipy.sparse.save_npz. Pickled objects are never loaded."""

from pathlib import Path

from featrank.tables.format import Format
from featrank.tables.options import ReadOptions
from featrank.tables.table import Table

FORMAT = Format(
    names=("NPZ",),
    suffixes=(".npz",),
    target="an array, a column or a label file",
    labels="the array y, Y or labels",
    writes="the labels as the array y, ids as sample_ids",
    transposable=True,
)


def read(path: Path, options: ReadOptions) -> Table:
    """Read ``X``, and ``y`` and ``feature_names`` if they exist."""
    from featrank.tables.arrays import from_arrays
    from featrank.tables.numpy_files import read_archive

    return from_arrays(read_archive(path), path, options)


def write(path: Path, table: Table) -> None:
    """Write ``X``, ``y``, ``feature_names`` and IDs and columns to keep, if there are any."""
    import numpy as np

    from featrank.tables.arrays import IDS, NAMES
    from featrank.tables.columns import check_unique
    from featrank.tables.numpy_files import sparse_parts

    arrays = {"X": table.X} if isinstance(table.X, np.ndarray) else sparse_parts(table.X)
    arrays[NAMES] = np.array(table.feature_names, dtype=str)
    others = {**table.kept, **({} if table.ids is None else {IDS: table.ids})}
    if table.y is not None:
        others["y"] = table.y
    check_unique([*arrays, *others])
    for name, values in others.items():
        arrays[name] = values if values.dtype.kind != "O" else np.array(values.tolist()).astype(str)
    with open(path, "wb") as file:
        np.savez(file, **arrays)
