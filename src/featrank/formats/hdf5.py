"""HDF5 files with the samples × features array X, and y and feature_names if they exist."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from featrank.tables.format import Format
from featrank.tables.hdf5_probe import require_sound
from featrank.tables.table import parsing

if TYPE_CHECKING:
    from featrank.sources.source import Source
    from featrank.tables.options import ReadOptions

FORMAT = Format(
    names=("HDF5",),
    suffixes=(".h5", ".hdf5"),
    target="an array, a column or a label file",
    labels="the array y, Y or labels",
)


def open(path: Path, options: ReadOptions) -> Source:
    """Open an HDF5 file."""
    from featrank.sources.arrays import source_of_arrays
    from featrank.sources.hdf5 import arrays_of, hdf5_file, read_array

    require_sound(path)
    with parsing(path, "HDF5"), hdf5_file(path) as file:
        arrays = arrays_of(file, options.file_target)
        return source_of_arrays(path, arrays, read_array, options)
