"""CSV and TSV, plain or gzipped, with a header line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from featrank.exceptions import DataError
from featrank.tables.delimited_text import (
    as_numbers,
    blank_rows,
    check_header,
    parsed,
    records_of,
    require_exact_floats,
    separator_of,
    without_rows,
)
from featrank.tables.format import Format
from featrank.tables.memory_check import cells_size, require_room
from featrank.tables.opening import lines_of, opened, opened_text, read_bytes
from featrank.tables.options import ReadOptions
from featrank.tables.table import Table, parsing

if TYPE_CHECKING:
    import polars as pl

    from featrank.sources.source import Source

FORMAT = Format(
    names=("CSV", "TSV"),
    suffixes=(".csv", ".csv.gz", ".tsv", ".tsv.gz"),
    writes="ids first, the labels as the last column",
    transposable=True,
)


def read(path: Path, options: ReadOptions) -> Table:
    """Read a delimited file; a first column without a name holds the names of the rows."""
    header = _checked_header(path, options)
    if options.transpose:
        from featrank.tables.transposed import from_transposed

        return from_transposed(_frame(path, header, infer_schema=False), header, options)
    from featrank.tables.frames import from_frame, series_values
    from featrank.tables.samples import Samples

    frame = _numbered(_frame(path, header))
    first = 0 if header[0] else 1
    samples = Samples(ids=series_values(frame.to_series(0)), id_name="") if first else Samples()
    values = frame[:, first:]
    table = from_frame(values, options, names=header[first:], samples=samples)
    _require_exact(path, values, header[first:], first, table.feature_names)
    return table


def read_frame(path: Path) -> pl.DataFrame:
    """Return a delimited file as a frame, the names of the rows with the rest."""
    header = _checked_header(path, ReadOptions())
    frame = _numbered(_frame(path, header))
    frame.columns = header
    return frame


def _checked_header(path: Path, options: ReadOptions) -> list[str]:
    separator = separator_of(path)
    with parsing(path, "text in UTF-8"):
        header = _header(path, separator)
    check_header(
        header,
        path,
        separator,
        repeated=options.duplicates != "error" or options.transpose,
        numbers=options.transpose,
    )
    return header


def open(path: Path, options: ReadOptions) -> Source:
    """Open a delimited file, which is read once to find its types and rows."""
    from featrank.sources.delimited_source import delimited_source

    return delimited_source(path, options)


def write(path: Path, table: Table) -> None:
    """Write a delimited file with a header line."""
    from featrank.tables.frames import to_frame

    frame = to_frame(table)
    with opened(path, "wb") as file:
        frame.write_csv(file, separator=separator_of(path))


def safe(table: Table) -> Table:
    """Return a table whose strings contain neither formulas nor terminal codes."""
    from featrank._utils.plain_text import safe_cell

    def safe_name(name: str | None) -> str | None:
        return None if name is None else safe_cell(name)

    return replace(
        table,
        feature_names=[safe_cell(one) for one in table.feature_names],
        y=_safe_texts(table.y),
        target_name=safe_name(table.target_name),
        ids=_safe_texts(table.ids),
        id_name=safe_name(table.id_name),
        kept={safe_cell(one): _safe_texts(values) for one, values in table.kept.items()},
    )


def _safe_texts(values: Any) -> Any:
    """Return an array with its strings made safe."""
    import numpy as np

    from featrank._utils.plain_text import safe_cell

    if values is None or values.dtype.kind not in "UO":
        return values
    cells = [safe_cell(one) if isinstance(one, str) else one for one in values.tolist()]
    return np.array(cells, dtype=object)


@contextmanager
def _records(path: Path, separator: str) -> Iterator[Any]:
    with opened_text(path) as file:
        yield records_of(_texts(file), separator)


def _texts(file: IO[bytes]) -> Iterator[str]:
    for number, line in enumerate(lines_of(file)):
        yield line.decode("utf-8" if number else "utf-8-sig")


def _header(path: Path, separator: str) -> list[str]:
    with _records(path, separator) as records:
        return next((record for record in records if record), [])


def _frame(path: Path, header: list[str], **parsing_options: Any) -> pl.DataFrame:
    """Return the cells; the columns have names of their own, whatever the header says."""
    import polars as pl

    separator = separator_of(path)
    with parsing(path, "a delimited table"):
        try:
            frame = parsed(_text(path), separator, **parsing_options)
        except pl.exceptions.PolarsError:
            _check_rows(path, separator, len(header))
            raise
        # polars pads a short row, so that its last column has a missing value.
        has_missing = frame.width != len(header) or frame.to_series(-1).null_count()
        blank = _check_rows(path, separator, len(header)) if has_missing else []
    if frame.width != len(header):
        raise DataError(
            f"{str(path)!r} has {len(header)} names and {frame.width} columns. Lines must end "
            "with a newline, and quotes must be closed."
        )
    frame.columns = _different(header)
    return without_rows(frame, blank)


def _different(header: list[str]) -> list[str]:
    """Return names for a frame, in which none may repeat."""
    if len(set(header)) == len(header):
        return header
    return [str(place) for place in range(len(header))]


def _numbered(frame: pl.DataFrame) -> pl.DataFrame:
    import polars as pl

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


def _check_rows(path: Path, separator: str, width: int) -> list[int]:
    """Refuse a row that is too short or too long; return the positions of blank lines."""
    with _records(path, separator) as records:
        rows = iter(records)
        next((record for record in rows if record), None)
        return blank_rows(rows, width, path)
