"""MATLAB files: featrank's own reader for versions 5 to 7, h5py for 7.3. SciPy writes version 5."""

from pathlib import Path

from featrank.tables.format import Format
from featrank.tables.options import ReadOptions
from featrank.tables.table import Table

FORMAT = Format(
    names=("MAT",),
    suffixes=(".mat",),
    target="an array, a column or a label file",
    labels="the array y, Y or labels",
    writes="the labels as the array y, ids as sample_ids",
    transposable=True,
)


def read(path: Path, options: ReadOptions) -> Table:
    """Read ``X``, ``y`` and ``feature_names`` (a cell array of strings or a char matrix)."""
    from featrank.tables.arrays import from_arrays
    from featrank.tables.labels import whole_numbers
    from featrank.tables.matlab_arrays import read_variables

    # MATLAB stores labels as doubles; the matrix itself keeps its type.
    arrays = {
        name: whole_numbers(array) if min(array.shape) == 1 and name != "X" else array
        for name, array in read_variables(path).items()
    }
    return from_arrays(arrays, path, options)


def write(path: Path, table: Table) -> None:
    """Write ``X``, ``y`` and ``feature_names``, and ids, as a version 5 file."""
    import numpy as np
    from scipy.io import savemat

    from featrank.tables.arrays import IDS, NAMES

    variables = {"X": table.X, NAMES: np.array(table.feature_names, dtype=object)[:, None]}
    if table.ids is not None:
        variables[IDS] = table.ids.astype(str).astype(object)[:, None]
    if table.y is not None:
        is_text = table.y.dtype.kind in "UO"
        variables["y"] = table.y.astype(object) if is_text else table.y
    savemat(path, variables, appendmat=False, oned_as="column")
