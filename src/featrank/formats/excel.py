"""Excel and OpenDocument workbooks: one sheet with a header row."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from featrank.tables.format import Format
from featrank.tables.options import WORKBOOKS, ReadOptions
from featrank.tables.table import Table

if TYPE_CHECKING:
    import polars as pl

FORMAT = Format(
    names=("Excel", "OpenDocument"),
    suffixes=WORKBOOKS,
    transposable=True,
    options=("sheet", "na_values"),
)


def read(path: Path, options: ReadOptions) -> Table:
    """Read a sheet of a workbook. A first column without a name holds the row names."""
    from featrank.tables.workbooks import read_workbook

    return read_workbook(path, options)


def read_frame(path: Path, options: ReadOptions) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Return a sheet as a frame, row names included, and notes on how it was read."""
    from featrank.tables.workbooks import read_frame

    return read_frame(path, options)
