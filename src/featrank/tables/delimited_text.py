"""Cells of delimited files, for the readers of whole files and of chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import polars as pl

from featrank.exceptions import DataError
from featrank.tables.columns import MERGE, check_unique
from featrank.tables.dialect import Dialect
from featrank.values.numbers import EXACT, holds, refuse_inexact

#: How cells are written if nothing else is known: a dot as the decimal mark.
PLAIN = Dialect()


def check_header(
    header: list[str],
    path: Path,
    dialect: Dialect,
    *,
    repeated: bool = False,
    numbers: bool = False,
) -> None:
    """Reject a header that does not name each column, except the first, which may be row names.

    Names may be ``repeated``, or ``numbers``, only if the user said so.
    """
    if not header:
        raise DataError(f"{str(path)!r} has no header line. Add one with the column names.")
    if not numbers and all(_is_number(name) for name in header[0 if header[0] else 1 :]):
        raise DataError(
            f"The first line of {str(path)!r} holds only numbers, not names. Add a header line "
            "with the column names."
        )
    if len(header) == 1 and any(mark in header[0] for mark in ",;\t|"):
        raise DataError(
            f"{str(path)!r} has a single column, {header[0][:60]!r}, if its separator is "
            f"{dialect.separator!r}. Give the separator with `sep=...`."
        )
    if not repeated:
        check_unique(header, MERGE)
    if "" in header[1:]:
        raise DataError(
            f"Column {header.index('', 1) + 1} of {str(path)!r} has no name. Only the first "
            "column (row names) may lack one. Name it in the header line."
        )


def blank_rows(records: Any, width: int, path: Path, lines_before: int = 0) -> list[int]:
    """Reject a row that is too short or too long. Return the positions of blank lines.

    Parameters
    ----------
    records : csv.reader
        The rows, without the header.
    width : int
        Number of names in the header.
    path : Path
        The file, for the message.
    lines_before : int
        Lines of the file that the reader has not seen.
    """
    blank = []
    for index, record in enumerate(records):
        if not record:
            blank.append(index)
        elif len(record) != width:
            raise DataError(
                f"{str(path)!r}, line {lines_before + records.line_num} has {len(record)} fields, "
                f"but the header has {width}. Every row needs one field per column name."
            )
    return blank


def without_rows(frame: pl.DataFrame, blank: list[int]) -> pl.DataFrame:
    """Return a frame without some of its rows."""
    if not blank:
        return frame
    rows = pl.Series(range(frame.height))
    return frame.filter(~rows.is_in(pl.Series(blank, dtype=rows.dtype).implode()))


def parse_cells(source: bytes | Path, dialect: Dialect, **options: Any) -> pl.DataFrame:
    """Parse delimited content as a frame. Types are inferred from all rows unless given."""
    return pl.read_csv(
        source,
        separator=dialect.separator,
        decimal_comma=dialect.decimal == ",",
        null_values=list(dialect.missing),
        infer_schema_length=None,
        glob=False,
        **options,
    )


def stripped(column: pl.Series, dialect: Dialect = PLAIN) -> pl.Series:
    """Strip the cells of a string column. Cells that mean a missing value become null."""
    cells = column.str.strip_chars()
    return cells.set(cells.is_in(list(dialect.missing)), None)


def cast_numbers(cells: pl.Series, dtype: Any, dialect: Dialect = PLAIN) -> pl.Series:
    """Return stripped cells as numbers. Cells that are not numbers become null."""
    if dialect.decimal == ",":
        # A dot in such a file may separate thousands: "1.500" is not 1.5.
        cells = cells.str.replace_many([".", ","], [",", "."])
    return cells.cast(dtype, strict=False)


def as_numbers(column: pl.Series, dialect: Dialect = PLAIN) -> pl.Series:
    """Convert a string column to numbers if all its cells, stripped, are numbers."""
    if column.dtype != pl.String:
        return column
    cells = stripped(column, dialect)
    for dtype in (pl.Int64, pl.Float64):
        numbers = cast_numbers(cells, dtype, dialect)
        if numbers.null_count() == cells.null_count():
            return numbers
    return column


def require_exact_floats(
    columns: Iterable[pl.Series], texts_of: Callable[[list[str]], list[pl.Series]]
) -> None:
    """Reject columns of fractions with integers that float64 cannot hold.

    Such a column was parsed as floats, so its cells are checked once more as strings.
    ``texts_of`` returns the columns of some names as strings.
    """
    floats = [column for column in columns if column.dtype == pl.Float64]
    large = [column.name for column in floats if (column.abs() >= EXACT).any()]
    if not large:
        return
    whole = [cell.str.strip_chars().str.extract(r"^([+-]?\d+)$") for cell in texts_of(large)]
    refuse_inexact(
        [
            repr(name)
            for name, numbers in zip(large, whole, strict=True)
            if not all(holds(int(number)) for number in numbers.drop_nulls())
        ]
    )


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return cell.strip().lower().lstrip("+-") not in ("nan", "inf", "infinity")
