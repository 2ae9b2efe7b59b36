"""Sheets of Excel and OpenDocument workbooks, read as strings like a delimited file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl

from featrank.exceptions import DataError, UsageError, missing_extra, unknown_name
from featrank.tables.delimited_text import as_numbers, check_header
from featrank.tables.dialect import Dialect
from featrank.tables.frames import from_frame, series_values
from featrank.tables.odd_cells import TextCells
from featrank.tables.options import ReadOptions
from featrank.tables.rust_panics import hide_panics
from featrank.tables.samples import Samples
from featrank.tables.table import Table, parsing
from featrank.tables.transposed import from_transposed

# A number as the reader writes it, with nine decimals at most. A string such as "007" is not one.
_ROUNDED = r"^-?(?:0|[1-9]\d*)(?:\.\d+)?$"
_BOOLEANS = {"true": True, "false": False}


def read_workbook(path: Path, options: ReadOptions) -> Table:
    """Read a sheet of a workbook as a table."""
    sheet = _Sheet(path, options)
    try:
        table = _transposed(sheet, options) if options.transpose else _samples(sheet, options)
    except (DataError, UsageError) as error:
        if not sheet.notes:
            raise
        advice = "Choose another one with `sheet=...`."
        raise type(error)(" ".join([str(error), *sheet.notes, advice])) from error
    return replace(table, notes=(*sheet.notes, *table.notes))


def read_frame(path: Path, options: ReadOptions) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Return a sheet as a frame, row names included, and notes on how it was read."""
    sheet = _Sheet(path, options)
    return sheet.typed_cells(), sheet.notes


def _transposed(sheet: _Sheet, options: ReadOptions) -> Table:
    return from_transposed(sheet.cells, sheet.header, options, sheet.text_cells)


def _samples(sheet: _Sheet, options: ReadOptions) -> Table:
    frame, names = sheet.typed_cells(), sheet.header
    first = 0 if names[0] else 1
    samples = Samples(ids=series_values(frame.to_series(0)), id_name="") if first else Samples()
    return from_frame(
        frame[:, first:], options, names=names[first:], samples=samples, text_cells=sheet.text_cells
    )


class _Sheet:
    """The cells of a sheet as strings, below its header.

    Attributes
    ----------
    header : list of str
        The names of the columns.
    cells : polars.DataFrame
        One string column per name. Numbers are written with all their digits.
    text_cells : TextCells
        How the cells are written, and where they are.
    notes : tuple of str
        Which sheet was read, if the workbook has several.
    """

    def __init__(self, path: Path, options: ReadOptions):
        name, rows, self.notes = _read_rows(path, options.sheet)
        is_blank = rows.select(pl.all_horizontal(pl.all().is_null())).to_series()
        top = (~is_blank).arg_true()[0]
        self.header = ["" if cell is None else cell.strip() for cell in rows.row(top)]
        dialect = Dialect(missing=(*Dialect().missing, *options.na_values))
        repeated = options.duplicates != "error" or options.transpose
        check_header(self.header, path, dialect, repeated=repeated, numbers=options.transpose)
        below = ~is_blank & (pl.Series(range(rows.height)) > top)
        lines = below.arg_true().to_list()
        self.text_cells = TextCells(
            dialect, lambda row, column: f"row {lines[row] + 1} of sheet {name!r}"
        )
        self.cells = rows.filter(below)
        if len(set(self.header)) == len(self.header):
            self.cells.columns = self.header

    def typed_cells(self) -> pl.DataFrame:
        """Return the cells with columns of numbers and booleans as such."""
        return pl.DataFrame(
            [_typed(one, self.text_cells.dialect) for one in self.cells.get_columns()]
        )


def _typed(column: pl.Series, dialect: Dialect) -> pl.Series:
    known = column.drop_nulls()
    if len(known) and known.is_in(list(_BOOLEANS)).all():
        return column.replace_strict(_BOOLEANS, return_dtype=pl.Boolean)
    return as_numbers(column, dialect)


def _read_rows(path: Path, wanted: str | None) -> tuple[str, pl.DataFrame, tuple[str, ...]]:
    """Return the name and the rows of a sheet, and a note if there are several sheets."""
    names = _sheet_names(path)
    if wanted is not None:
        if wanted not in names:
            raise UsageError(f"{unknown_name('sheet', wanted, names)} It was given as `sheet=...`.")
        names = [wanted]
    # A sheet with a single row or column, such as a title, is not a table.
    sheets = ((name, _rows(path, name)) for name in names)
    name, rows = next((one for one in sheets if min(one[1].shape) > 1), ("", pl.DataFrame()))
    if not name:
        which = "any sheet" if wanted is None else f"sheet {wanted!r}"
        raise DataError(
            f"{str(path)!r} has no table in {which}. Give at least two rows and columns."
        )
    note = f"Read sheet {name!r} of {path.name!r}, which has {len(names)} sheets."
    return name, rows, (note,) if len(names) > 1 else ()


def _sheet_names(path: Path) -> list[str]:
    try:
        import fastexcel
    except ImportError as error:
        raise missing_extra("fastexcel", "excel", f"Reading {path.name!r}") from error
    with parsing(path, "a workbook"), hide_panics():
        return list(fastexcel.read_excel(path).sheet_names)


def _rows(path: Path, name: str) -> pl.DataFrame:
    """Return all rows of a sheet as strings. Numbers have all their digits."""
    with parsing(path, "a workbook"), hide_panics():
        strings, numbers = (_read_as(path, name, kind) for kind in ("string", "float"))
        columns = []
        for column in strings.get_columns():
            number = numbers[column.name].cast(pl.Float64) if column.name in numbers else None
            columns.append(column if number is None else _with_digits(column, number))
        return pl.DataFrame([one for one in columns if one.null_count() < len(one)])


def _read_as(path: Path, name: str, kind: str) -> pl.DataFrame:
    return pl.read_excel(
        path,
        sheet_name=name,
        engine="calamine",
        has_header=False,
        drop_empty_rows=False,
        drop_empty_cols=False,
        raise_if_empty=False,
        read_options={"header_row": None, "skip_rows": 0, "dtypes": kind},
    )


def _with_digits(strings: pl.Series, numbers: pl.Series) -> pl.Series:
    """Return strings in which fractions, which the reader rounds, have all their digits."""
    is_rounded = strings.str.contains(_ROUNDED) & (numbers != numbers.round())
    return strings.zip_with(~is_rounded.fill_null(False), numbers.cast(pl.String))
