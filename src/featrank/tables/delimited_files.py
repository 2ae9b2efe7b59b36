"""CSV and TSV files, read as a whole."""

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from featrank.exceptions import DataError
from featrank.tables.delimited_text import (
    as_numbers,
    blank_rows,
    check_header,
    parsed,
    require_exact_floats,
    separator_of,
    without_rows,
)
from featrank.tables.frames import from_frame, series_values
from featrank.tables.memory_check import cells_size, require_room
from featrank.tables.opening import lines_of, opened_text, read_bytes
from featrank.tables.options import ReadOptions
from featrank.tables.samples import Samples
from featrank.tables.table import Table, parsing
from featrank.tables.transposed import from_transposed


def read_delimited(path: Path, options: ReadOptions) -> Table:
    """Read a delimited file; a first column without a name holds the names of the rows."""
    header = _header(path, options)
    if options.transpose:
        return from_transposed(_frame(path, header, infer_schema=False), header, options)
    frame = _numbered(_frame(path, header))
    first = 0 if header[0] else 1
    samples = Samples(ids=series_values(frame.to_series(0)), id_name="") if first else Samples()
    values = frame[:, first:]
    table = from_frame(values, options, names=header[first:], samples=samples)
    _require_exact(path, values, header[first:], first, table.feature_names)
    return table


def read_frame(path: Path) -> pl.DataFrame:
    """Return a delimited file as a frame, the names of the rows with the rest."""
    return _numbered(_frame(path, _header(path, ReadOptions())))


def _header(path: Path, options: ReadOptions) -> list[str]:
    with parsing(path, "text in UTF-8"), _records(path) as records:
        header: list[str] = next(filter(None, records), [])
    repeated = options.duplicates != "error" or options.transpose
    check_header(header, path, separator_of(path), repeated=repeated, numbers=options.transpose)
    return header


@contextmanager
def _records(path: Path) -> Iterator[Any]:
    with opened_text(path) as file:
        lines = enumerate(lines_of(file))
        texts = (line.decode("utf-8" if number else "utf-8-sig") for number, line in lines)
        yield csv.reader(texts, delimiter=separator_of(path))


def _frame(path: Path, header: list[str], **parsing_options: Any) -> pl.DataFrame:
    """Return the cells; the columns have names of their own, whatever the header says."""
    with parsing(path, "a delimited table"):
        try:
            frame = parsed(_text(path), separator_of(path), **parsing_options)
        except pl.exceptions.PolarsError:
            _check_rows(path, len(header))
            raise
        # polars pads a short row, so that its last column has a missing value.
        has_missing = frame.width != len(header) or frame.to_series(-1).null_count()
        blank = _check_rows(path, len(header)) if has_missing else []
    if frame.width != len(header):
        raise DataError(
            f"{str(path)!r} has {len(header)} names and {frame.width} columns. Lines must end "
            "with a newline, and quotes must be closed."
        )
    repeated = len(set(header)) < len(header)
    frame.columns = [str(place) for place in range(len(header))] if repeated else header
    return without_rows(frame, blank)


def _numbered(frame: pl.DataFrame) -> pl.DataFrame:
    return pl.DataFrame([as_numbers(column) for column in frame.get_columns()])


def _require_exact(
    path: Path, frame: pl.DataFrame, names: list[str], first: int, features: list[str]
) -> None:
    def texts_of(wanted: list[str]) -> list[pl.Series]:
        strings = parsed(_text(path), separator_of(path), infer_schema=False)
        places = {name: first + place for place, name in enumerate(frame.columns)}
        return [strings.to_series(places[name]) for name in wanted]

    kept = set(features)
    columns = zip(frame.get_columns(), names, strict=True)
    require_exact_floats((column for column, name in columns if name in kept), texts_of)


def _text(path: Path) -> bytes | Path:
    if path.suffix.lower() != ".gz":
        return path
    content = read_bytes(path)
    require_room(cells_size(content, separator_of(path).encode()), path, "its values")
    return content


def _check_rows(path: Path, width: int) -> list[int]:
    """Refuse a row that is too short or too long; return the positions of blank lines."""
    with _records(path) as records:
        next(filter(None, records), None)
        return blank_rows(records, width, path)
