"""CSV and TSV, plain or gzipped, by pieces of the text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from featrank.tables.format import Format

if TYPE_CHECKING:
    from featrank.sources.options import SourceOptions
    from featrank.sources.source import Source

FORMAT = Format(names=("CSV", "TSV"), suffixes=(".csv", ".csv.gz", ".tsv", ".tsv.gz"))


def source(path: Path, options: SourceOptions) -> Source:
    """Open a delimited file, which is read once to find its types and rows."""
    from featrank.sources.delimited_source import delimited_source

    return delimited_source(path, options)
