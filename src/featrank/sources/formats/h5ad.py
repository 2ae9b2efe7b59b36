"""AnnData files (h5ad), which stay in the file: dense, CSR by rows, CSC by columns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...exceptions import DataError
from ...tables.format import Format
from ...tables.table import parsing

if TYPE_CHECKING:
    from ..options import SourceOptions
    from ..source import Source

FORMAT = Format(names=("h5ad",), suffixes=(".h5ad",), target="a column of obs")


def source(path: Path, options: SourceOptions) -> Source:
    """Open the main matrix of an AnnData file."""
    from ..anndata_files import main_source
    from ..hdf5 import hdf5_file

    with parsing(path, "h5ad"), hdf5_file(path) as file:
        if "X" not in file:
            raise DataError(f"{str(path)!r} has no X. The main matrix was expected.")
        return main_source(path.absolute(), file, options)
