"""Parquet, Arrow and Feather files, by ranges of rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from featrank.tables.format import Format
from featrank.tables.rust_panics import panics_untold
from featrank.tables.table import parsing

if TYPE_CHECKING:
    from featrank.sources.options import SourceOptions
    from featrank.sources.source import Source

FORMAT = Format(
    names=("Parquet", "Arrow", "Feather"),
    suffixes=(".parquet", ".arrow", ".feather", ".ipc"),
)


def source(path: Path, options: SourceOptions) -> Source:
    """Open a columnar file; an Arrow stream in a file is read in order."""
    from featrank.sources.columnar_files import columnar_source
    from featrank.sources.streams import stream_file

    if path.suffix.lower() == ".parquet":
        with parsing(path, "Parquet"), panics_untold():
            return columnar_source(path, options)
    with parsing(path, "Arrow or Feather"), panics_untold():
        with open(path, "rb") as file:
            is_file_format = file.read(6) == b"ARROW1"
        return columnar_source(path, options) if is_file_format else stream_file(path, options)
