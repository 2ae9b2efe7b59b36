"""CSV and TSV, plain or gzipped, with a header line."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...exceptions import DataError
from ..columns import MISSING_CELLS, check_unique
from ..format import Format
from ..opening import opened
from ..table import Options, Table, parsing

if TYPE_CHECKING:
    import polars as pl

FORMAT = Format(
    names=("CSV", "TSV"),
    suffixes=(".csv", ".csv.gz", ".tsv", ".tsv.gz"),
    writes="the labels as the last column",
)


def read(path: Path, options: Options) -> Table:
    """Read a delimited file; the first column is left out if its header is empty."""
    from ..prepare import from_frame

    separator = _separator(path)
    with parsing(path, "text in UTF-8"):
        header = _header(path, separator)
    _check_header(header, path, separator)
    frame = _frame(path, separator, header)
    table = from_frame(frame, options)
    _require_exact(path, frame, table.feature_names)
    return table


def write(path: Path, table: Table) -> None:
    """Write a delimited file with a header line."""
    from ..prepare import to_frame

    frame = to_frame(table)
    with opened(path, "wb") as file:
        frame.write_csv(file, separator=_separator(path))


def _separator(path: Path) -> str:
    return "\t" if ".tsv" in "".join(path.suffixes[-2:]).lower() else ","


@contextmanager
def _records(path: Path, separator: str) -> Iterator[Any]:
    with opened(path, "rb") as file:
        text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
        yield csv.reader(text, delimiter=separator)


def _header(path: Path, separator: str) -> list[str]:
    with _records(path, separator) as records:
        return next((record for record in records if record), [])


def _check_header(header: list[str], path: Path, separator: str) -> None:
    if not header:
        raise DataError(f"{str(path)!r} has no header line. Names of columns were expected.")
    if all(_is_number(name) for name in header[0 if header[0] else 1 :]):
        raise DataError(
            f"The first line of {str(path)!r} holds only numbers, not names. Add a header line "
            "with the names of the columns."
        )
    if len(header) == 1 and any(mark in header[0] for mark in ",;\t|"):
        raise DataError(
            f"{str(path)!r} has a single column {header[0][:60]!r}: its fields are not separated "
            f"by {separator!r}. Name the file .csv for commas, .tsv for tabs; convert others."
        )
    check_unique(header)
    if "" in header[1:]:
        raise DataError(
            f"Column {header.index('', 1) + 1} of {str(path)!r} has no name. Only the first "
            "column (row names) may lack one: name it in the header line."
        )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text.strip().lower().lstrip("+-") not in ("nan", "inf", "infinity")


def _frame(path: Path, separator: str, header: list[str]) -> pl.DataFrame:
    import polars as pl

    with parsing(path, "a delimited table"):
        try:
            frame = _parsed(path, separator)
        except pl.exceptions.PolarsError:
            _check_rows(path, separator, len(header))
            raise
        # A short row is padded by polars: it shows as a gap in the last column.
        gaps = frame.width != len(header) or frame.to_series(-1).null_count()
        blank = _check_rows(path, separator, len(header)) if gaps else []
    if frame.width != len(header):
        raise DataError(
            f"{str(path)!r} has {len(header)} names and {frame.width} columns. Lines must end "
            "with a newline, and quotes must be closed."
        )
    frame.columns = header
    if blank:
        rows = pl.Series(range(frame.height))
        frame = frame.filter(~rows.is_in(pl.Series(blank, dtype=rows.dtype).implode()))
    first = 0 if header[0] else 1
    return pl.DataFrame([_as_numbers(column) for column in frame.get_columns()[first:]])


def _require_exact(path: Path, frame: pl.DataFrame, features: list[str]) -> None:
    """Refuse features with fractions and with integers that float64 cannot hold.

    Such a column was read as floats, so its texts are looked at once more.
    """
    import polars as pl

    from ...values import EXACT, holds, refuse_inexact

    floats, kept = frame.select(pl.col(pl.Float64).abs().max() >= EXACT), set(features)
    large = [name for name in floats.columns if floats[name][0] and name in kept]
    if not large:
        return
    texts = _parsed(path, _separator(path), infer_schema=False)
    header = _header(path, _separator(path))
    columns = [texts.to_series(header.index(name)) for name in large]
    whole = [column.str.strip_chars().str.extract(r"^([+-]?\d+)$") for column in columns]
    refuse_inexact(
        [
            repr(name)
            for name, numbers in zip(large, whole, strict=True)
            if not all(holds(int(number)) for number in numbers.drop_nulls())
        ]
    )


def _parsed(path: Path, separator: str, **options: Any) -> pl.DataFrame:
    import polars as pl

    source: bytes | Path = path
    if path.suffix.lower() == ".gz":
        with opened(path, "rb") as file:
            source = file.read()
    return pl.read_csv(
        source,
        separator=separator,
        null_values=list(MISSING_CELLS),
        infer_schema_length=None,
        glob=False,
        **options,
    )


def _check_rows(path: Path, separator: str, width: int) -> list[int]:
    """Refuse a row that is too short or too long; return the positions of blank lines."""
    blank = []
    with _records(path, separator) as records:
        rows = iter(records)
        next((record for record in rows if record), None)
        for index, record in enumerate(rows):
            if not record:
                blank.append(index)
            elif len(record) != width:
                raise DataError(
                    f"{str(path)!r}, line {records.line_num} has {len(record)} fields; the header "
                    f"has {width}. Every row needs as many fields as the header has names."
                )
    return blank


def _as_numbers(column: pl.Series) -> pl.Series:
    """Return a text column as numbers, if all its cells are numbers but for blanks around them."""
    import polars as pl

    if column.dtype != pl.String:
        return column
    cells = column.str.strip_chars()
    cells = cells.set(cells.is_in(list(MISSING_CELLS)), None)
    for dtype in (pl.Int64, pl.Float64):
        numbers = cells.cast(dtype, strict=False)
        if numbers.null_count() == cells.null_count():
            return numbers
    return column
