"""NumPy's npy files, of which each part reads its own bytes. Pickled objects are never loaded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from featrank.tables.format import Format

if TYPE_CHECKING:
    from featrank.sources.options import SourceOptions
    from featrank.sources.source import Source

FORMAT = Format(
    names=("NPY",),
    suffixes=(".npy",),
    target="a column or a file of labels",
)


def source(path: Path, options: SourceOptions) -> Source:
    """Open an npy file; one in Fortran's order is read by columns."""
    from featrank.sources.arrays import source_of
    from featrank.sources.npy_values import npy_values

    return source_of(npy_values(path), None, {}, options)
