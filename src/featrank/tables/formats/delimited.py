"""CSV and TSV, plain or gzipped, with a header line."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...exceptions import DataError
from ..delimited_text import (
    as_numbers,
    blank_rows,
    check_header,
    parsed,
    records_of,
    require_exact_texts,
    separator_of,
    without_rows,
)
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

    separator = separator_of(path)
    with parsing(path, "text in UTF-8"):
        header = _header(path, separator)
    check_header(header, path, separator)
    frame = _frame(path, separator, header)
    table = from_frame(frame, options)
    _require_exact(path, frame, table.feature_names)
    return table


def write(path: Path, table: Table) -> None:
    """Write a delimited file with a header line."""
    from ..prepare import to_frame

    frame = to_frame(table)
    with opened(path, "wb") as file:
        frame.write_csv(file, separator=separator_of(path))


@contextmanager
def _records(path: Path, separator: str) -> Iterator[Any]:
    with opened(path, "rb") as file:
        yield records_of(io.TextIOWrapper(file, encoding="utf-8-sig", newline=""), separator)


def _header(path: Path, separator: str) -> list[str]:
    with _records(path, separator) as records:
        return next((record for record in records if record), [])


def _frame(path: Path, separator: str, header: list[str]) -> pl.DataFrame:
    import polars as pl

    with parsing(path, "a delimited table"):
        try:
            frame = parsed(_text(path), separator)
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
    first = 0 if header[0] else 1
    columns = without_rows(frame, blank).get_columns()[first:]
    return pl.DataFrame([as_numbers(column) for column in columns])


def _require_exact(path: Path, frame: pl.DataFrame, features: list[str]) -> None:
    def texts_of(names: list[str]) -> list[pl.Series]:
        texts = parsed(_text(path), separator_of(path), infer_schema=False)
        header = _header(path, separator_of(path))
        places = {name: place for place, name in enumerate(header)}
        return [texts.to_series(places[name]) for name in names]

    kept = set(features)
    require_exact_texts((one for one in frame.get_columns() if one.name in kept), texts_of)


def _text(path: Path) -> bytes | Path:
    if path.suffix.lower() != ".gz":
        return path
    with opened(path, "rb") as file:
        return file.read()


def _check_rows(path: Path, separator: str, width: int) -> list[int]:
    """Refuse a row that is too short or too long; return the positions of blank lines."""
    with _records(path, separator) as records:
        rows = iter(records)
        next((record for record in rows if record), None)
        return blank_rows(rows, width, path)
