"""What CSV and TSV files are made of, for readers of whole files and of parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import polars as pl

from featrank.exceptions import DataError
from featrank.tables.columns import MERGE, MISSING_CELLS, check_unique
from featrank.values.numbers import EXACT, holds, refuse_inexact


def separator_of(path: Path) -> str:
    """Return what stands between the fields of a file, by its suffix."""
    name = path.name.lower().removesuffix(".gz")
    return "\t" if name.endswith((".tsv", ".txt")) else ","


def check_header(
    header: list[str], path: Path, separator: str, *, repeated: bool = False, numbers: bool = False
) -> None:
    """Refuse a header that does not name each column, but for the first, which may be row names.

    Names may be ``repeated``, or ``numbers``, only where somebody said so.
    """
    if not header:
        raise DataError(f"{str(path)!r} has no header line. Names of columns were expected.")
    if not numbers and all(_is_number(name) for name in header[0 if header[0] else 1 :]):
        raise DataError(
            f"The first line of {str(path)!r} holds only numbers, not names. Add a header line "
            "with the names of the columns."
        )
    if len(header) == 1 and any(mark in header[0] for mark in ",;\t|"):
        raise DataError(
            f"{str(path)!r} has a single column {header[0][:60]!r}: its fields are not separated "
            f"by {separator!r}. Name the file .csv for commas, .tsv for tabs; convert others."
        )
    if not repeated:
        check_unique(header, MERGE)
    if "" in header[1:]:
        raise DataError(
            f"Column {header.index('', 1) + 1} of {str(path)!r} has no name. Only the first "
            "column (row names) may lack one: name it in the header line."
        )


def blank_rows(records: Any, width: int, path: Path, lines_before: int = 0) -> list[int]:
    """Refuse a row that is too short or too long; return the positions of blank lines.

    Parameters
    ----------
    records : csv.reader
        The rows, without the header.
    width : int
        How many names the header has.
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
                f"{str(path)!r}, line {lines_before + records.line_num} has {len(record)} fields; "
                f"the header has {width}. Every row needs as many fields as the header has names."
            )
    return blank


def without_rows(frame: pl.DataFrame, blank: list[int]) -> pl.DataFrame:
    """Return a frame without some of its rows."""
    if not blank:
        return frame
    rows = pl.Series(range(frame.height))
    return frame.filter(~rows.is_in(pl.Series(blank, dtype=rows.dtype).implode()))


def parsed(source: bytes | Path, separator: str, **options: Any) -> pl.DataFrame:
    """Parse delimited content as a frame; types are inferred from all rows unless given."""
    return pl.read_csv(
        source,
        separator=separator,
        null_values=list(MISSING_CELLS),
        infer_schema_length=None,
        glob=False,
        **options,
    )


def stripped(column: pl.Series) -> pl.Series:
    """Strip the cells of a string column."""
    cells = column.str.strip_chars()
    return cells.set(cells.is_in(list(MISSING_CELLS)), None)


def as_numbers(column: pl.Series) -> pl.Series:
    """Convert a string column to numbers if all its cells, stripped, are numbers."""
    if column.dtype != pl.String:
        return column
    cells = stripped(column)
    for dtype in (pl.Int64, pl.Float64):
        numbers = cells.cast(dtype, strict=False)
        if numbers.null_count() == cells.null_count():
            return numbers
    return column


def require_exact_floats(
    columns: Iterable[pl.Series], texts_of: Callable[[list[str]], list[pl.Series]]
) -> None:
    """Reject columns of fractions with integers that float64 cannot hold.

    Such a column was parsed as floats, so that its cells are checked once more as strings.
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
