"""AnnData files (h5ad), which stay in the file: dense, CSR by rows, CSC by columns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from featrank.tables.format import Format

if TYPE_CHECKING:
    from featrank.sources.options import SourceOptions
    from featrank.sources.source import Source

FORMAT = Format(names=("h5ad",), suffixes=(".h5ad",), target="a column of obs")


def source(path: Path, options: SourceOptions) -> Source:
    """Open a matrix of an AnnData file: the main one unless the options name another."""
    from featrank.sources.anndata_files import annotated_source

    return annotated_source(path, options)
