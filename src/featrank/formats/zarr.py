"""Zarr folders, v2 and v3: an array, or a group of X, and y and feature_names if they exist."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from featrank.tables.format import Format
from featrank.tables.table import parsing

if TYPE_CHECKING:
    from featrank.sources.source import Source
    from featrank.tables.options import ReadOptions

FORMAT = Format(
    names=("Zarr",),
    suffixes=(".zarr",),
    folder=True,
    target="an array, a column or a label file",
    labels="the array y, Y or labels",
)


def open(path: Path, options: ReadOptions) -> Source:
    """Open a Zarr folder."""
    from featrank.sources.arrays import source_of_arrays
    from featrank.sources.zarr_values import arrays_of, read_array

    with parsing(path, "Zarr"):
        return source_of_arrays(path, arrays_of(path), read_array, options)
