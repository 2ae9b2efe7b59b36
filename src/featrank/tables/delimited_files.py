"""Delimited files, such as CSV and TSV, read as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl

from featrank.exceptions import DataError
from featrank.tables.delimited_text import (
    as_numbers,
    blank_rows,
    check_header,
    parse_cells,
    require_exact_floats,
    without_rows,
)
from featrank.tables.dialect import Dialect, detect_dialect, read_records
from featrank.tables.frames import from_frame, series_values
from featrank.tables.memory_check import cells_size, require_room
from featrank.tables.odd_cells import TextCells
from featrank.tables.opening import lines_of, opened_text, read_bytes
from featrank.tables.options import ReadOptions
from featrank.tables.samples import Samples
from featrank.tables.table import Table, parsing
from featrank.tables.transposed import from_transposed


def read_delimited(path: Path, options: ReadOptions) -> Table:
    """Read a delimited file. A first column without a name holds the row names."""
    file = _DelimitedFile(path, detect_dialect(path, options))
    header = file.read_header(options)
    table = (_read_transposed if options.transpose else _read_samples)(file, header, options)
    return replace(table, notes=(*file.dialect.notes, *table.notes))


def read_frame(path: Path, options: ReadOptions) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Return a delimited file as a frame, row names included, and notes on how it was read."""
    file = _DelimitedFile(path, detect_dialect(path, options))
    return file.as_numbers(file.read_cells(file.read_header(options))), file.dialect.notes


def _read_transposed(file: _DelimitedFile, header: list[str], options: ReadOptions) -> Table:
    cells = file.read_cells(header, infer_schema=False)
    return from_transposed(cells, header, options, TextCells(file.dialect, file.locate))


def _read_samples(file: _DelimitedFile, header: list[str], options: ReadOptions) -> Table:
    frame = file.as_numbers(file.read_cells(header))
    first = 0 if header[0] else 1
    samples = Samples(ids=series_values(frame.to_series(0)), id_name="") if first else Samples()
    values, names = frame[:, first:], header[first:]
    text_cells = TextCells(file.dialect, file.locate)
    table = from_frame(values, options, names=names, samples=samples, text_cells=text_cells)
    file.require_exact(values, names, first, table.feature_names)
    return table


@dataclass(frozen=True)
class _DelimitedFile:
    path: Path
    dialect: Dialect

    def read_header(self, options: ReadOptions) -> list[str]:
        with parsing(self.path, "UTF-8"), self._records() as records:
            header: list[str] = next(filter(None, records), [])
        repeated = options.duplicates != "error" or options.transpose
        check_header(header, self.path, self.dialect, repeated=repeated, numbers=options.transpose)
        return header

    def read_cells(self, header: list[str], **parsing_options: Any) -> pl.DataFrame:
        """Return the cells. If names of columns repeat, the frame has numbers as names."""
        with parsing(self.path, "a delimited table"):
            try:
                frame = self._parse(**parsing_options)
            except pl.exceptions.PolarsError:
                self._check_rows(len(header))
                raise
            # polars pads a short row, so that its last column has a missing value.
            has_missing = frame.width != len(header) or frame.to_series(-1).null_count()
            blank = self._check_rows(len(header)) if has_missing else []
        if frame.width != len(header):
            raise DataError(
                f"{str(self.path)!r} has {len(header)} names and {frame.width} columns. Lines must "
                "end with a newline, and quotes must be closed."
            )
        repeated = len(set(header)) < len(header)
        frame.columns = [str(place) for place in range(len(header))] if repeated else header
        return without_rows(frame, blank)

    def as_numbers(self, frame: pl.DataFrame) -> pl.DataFrame:
        return pl.DataFrame([as_numbers(column, self.dialect) for column in frame.get_columns()])

    def require_exact(
        self, frame: pl.DataFrame, names: list[str], first: int, features: list[str]
    ) -> None:
        def texts_of(wanted: list[str]) -> list[pl.Series]:
            strings = self._parse(infer_schema=False)
            places = {name: first + place for place, name in enumerate(frame.columns)}
            return [strings.to_series(places[name]) for name in wanted]

        ranked = set(features)
        columns = zip(frame.get_columns(), names, strict=True)
        require_exact_floats((column for column, name in columns if name in ranked), texts_of)

    def locate(self, row: int, column: int) -> str:
        """Return the line of a row, counting from 0 below the header."""
        with self._records() as records:
            for _ in islice(filter(None, records), row + 2):
                pass
            return f"line {self.dialect.n_comments + records.line_num}"

    @contextmanager
    def _records(self) -> Iterator[Any]:
        with opened_text(self.path) as file:
            lines = enumerate(lines_of(file))
            decoded = (line.decode("utf-8" if number else "utf-8-sig") for number, line in lines)
            yield read_records(islice(decoded, self.dialect.n_comments, None), self.dialect)

    def _parse(self, **options: Any) -> pl.DataFrame:
        content: bytes | Path = self.path
        if self.path.suffix.lower() == ".gz":
            content = read_bytes(self.path)
            size = cells_size(content, self.dialect.separator.encode())
            require_room(size, self.path, "its values")
        return parse_cells(content, self.dialect, skip_lines=self.dialect.n_comments, **options)

    def _check_rows(self, width: int) -> list[int]:
        """Reject a row that is too short or too long. Return the positions of blank lines."""
        with self._records() as records:
            next(filter(None, records), None)
            return blank_rows(records, width, self.path, self.dialect.n_comments)
