"""Delimited text with a header line: CSV, TSV and their relatives, plain or gzipped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featrank.tables.format import Format
from featrank.tables.opening import opened
from featrank.tables.options import ReadOptions
from featrank.tables.table import Table

if TYPE_CHECKING:
    import polars as pl

    from featrank.sources.source import Source

FORMAT = Format(
    names=("CSV", "TSV"),
    suffixes=(".csv", ".csv.gz", ".tsv", ".tsv.gz"),
    writes="ids first, the labels as the last column",
    transposable=True,
    scanned=True,
    options=("sep", "decimal", "na_values"),
)


def read(path: Path, options: ReadOptions) -> Table:
    """Read a delimited file. A first column without a name holds the row names."""
    from featrank.tables.delimited_files import read_delimited

    return read_delimited(path, options)


def read_frame(path: Path, options: ReadOptions) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Return a delimited file as a frame, row names included, and notes on how it was read."""
    from featrank.tables.delimited_files import read_frame

    return read_frame(path, options)


def open(path: Path, options: ReadOptions) -> Source:
    """Open a delimited file, which is read once to find its types and rows."""
    from featrank.sources.delimited_source import delimited_source

    return delimited_source(path, options)


def write(path: Path, table: Table) -> None:
    """Write a delimited file with a header line."""
    from featrank.tables.dialect import separator_of
    from featrank.tables.frames import to_frame

    frame = to_frame(table)
    with opened(path, "wb") as file:
        frame.write_csv(file, separator=separator_of(path))


def safe(table: Table) -> Table:
    """Return a table whose strings contain neither formulas nor terminal codes."""
    import numpy as np

    from featrank._utils.plain_text import safe_cell

    def safe_name(name: str | None) -> str | None:
        return None if name is None else safe_cell(name)

    def safe_strings(values: Any) -> Any:
        if values is None or values.dtype.kind not in "UO":
            return values
        cells = [safe_cell(one) if isinstance(one, str) else one for one in values.tolist()]
        return np.array(cells, dtype=object)

    return replace(
        table,
        feature_names=[safe_cell(one) for one in table.feature_names],
        y=safe_strings(table.y),
        target_name=safe_name(table.target_name),
        ids=safe_strings(table.ids),
        id_name=safe_name(table.id_name),
        kept={safe_cell(one): safe_strings(values) for one, values in table.kept.items()},
    )
