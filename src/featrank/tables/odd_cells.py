"""Cells that are not numbers, in columns that otherwise hold numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import polars as pl

from featrank.exceptions import DataError
from featrank.tables.columns import SHOWN, listed
from featrank.tables.delimited_text import cast_numbers, stripped
from featrank.tables.dialect import Dialect

# Numbers with thousands separators, and numbers whose decimal mark is a comma or a dot.
_THOUSANDS = r"[+-]?[1-9]\d{0,2}(?:[,.' ]\d{3})+(?:[.,]\d+)?"
_DECIMAL = r"[+-]?\d+[.,]\d+(?:[eE][+-]?\d+)?"

#: Pattern of cells that are numbers in some notation.
NUMBER_LIKE = rf"^(?:{_THOUSANDS}|{_DECIMAL})$"


@dataclass(frozen=True)
class TextCells:
    """Cells that were parsed from strings: how they are written, and where they are in the file.

    Attributes
    ----------
    dialect : Dialect
        How numbers and missing values are written.
    locate : callable
        Returns where a cell is, such as "line 7", from its row and column in the frame.
    """

    dialect: Dialect
    locate: Callable[[int, int], str]


@dataclass
class OddCells:
    """Cells of a column that are not numbers.

    Attributes
    ----------
    n_known : int
        Number of cells that are not missing.
    n_numbers : int
        Number of cells that are numbers, or look like numbers in another notation.
    n_odd : int
        Number of cells that cannot be read as numbers.
    row : int
        The row of the first odd cell.
    values : list of str
        The first few different odd cells.
    """

    n_known: int = 0
    n_numbers: int = 0
    n_odd: int = 0
    row: int = -1
    values: list[str] = field(default_factory=list)

    @property
    def among_numbers(self) -> bool:
        """Whether at least half of the cells are numbers, and some are not."""
        return self.n_odd > 0 and 2 * self.n_numbers >= self.n_known

    def add(self, other: OddCells, rows_before: int) -> None:
        """Add the cells of a later chunk of the column."""
        if self.row < 0 <= other.row:
            self.row = rows_before + other.row
        self.n_known += other.n_known
        self.n_numbers += other.n_numbers
        self.n_odd += other.n_odd
        if other.values:
            self.values = [*dict.fromkeys([*self.values, *other.values])][: SHOWN + 1]


def odd_cells(column: pl.Series, dialect: Dialect) -> OddCells:
    """Return the cells of a column that are not numbers."""
    n_known = len(column) - column.null_count()
    if column.dtype == pl.Boolean:
        column = column.cast(pl.String)
    if column.dtype != pl.String:
        return OddCells(n_known, n_known)
    cells = stripped(column, dialect)
    n_known = len(cells) - cells.null_count()
    odd = (cast_numbers(cells, pl.Float64, dialect).is_null() & cells.is_not_null()).arg_true()
    if not len(odd):
        return OddCells(n_known, n_known)
    wrong = cells.gather(odd)
    n_like = int(wrong.str.contains(NUMBER_LIKE).sum())
    values = wrong.unique(maintain_order=True).head(SHOWN + 1).to_list()
    return OddCells(n_known, n_known - len(odd) + n_like, len(odd), int(odd[0]), values)


def require_numbers(
    columns: Sequence[pl.Series], names: Sequence[str], places: Sequence[int], text_cells: TextCells
) -> None:
    """Raise an error for string columns that are mostly numbers.

    ``places`` are the positions of the columns to check.
    """
    found = {place: odd_cells(columns[place], text_cells.dialect) for place in places}
    bad = {place: one for place, one in found.items() if one.among_numbers}
    if bad:
        first = next(iter(bad))
        where = text_cells.locate(bad[first].row, first)
        raise odd_cells_error({names[one]: bad[one] for one in bad}, text_cells.dialect, where)


def odd_cells_error(found: dict[str, OddCells], dialect: Dialect, where: str) -> DataError:
    """Return the error for columns of numbers with some cells that are not numbers.

    ``where`` says where the first such cell of the first column is.
    """
    name, first = next(iter(found.items()))
    others = [repr(other) for other in found if other != name]
    more = f" Such cells are also in {listed(others)}." if others else ""
    return DataError(
        f"{first.n_odd} of {first.n_known} cells of column {name!r} cannot be read as a number. "
        f"The first is {first.values[0]!r} in {where}.{more} {_fix(name, found, dialect)}"
    )


def _fix(name: str, found: dict[str, OddCells], dialect: Dialect) -> str:
    value = found[name].values[0]
    is_thousands = re.fullmatch(_THOUSANDS, value)
    other = "," if dialect.decimal == "." else "."
    is_decimal = re.fullmatch(_DECIMAL, value) and other in value
    use = f'use `decimal="{other}"`'
    if is_thousands and is_decimal:
        mark = "comma" if other == "," else "dot"
        return f"Remove the thousands separators, or {use} if the {mark} is the decimal mark."
    if is_thousands:
        return "Remove the thousands separators from the file."
    if is_decimal:
        return f"U{use[1:]} if {other!r} is the decimal mark."
    values = [*dict.fromkeys(one for cells in found.values() for one in cells.values)]
    if len(values) > SHOWN or any("," in one or '"' in one for one in values):
        return f"Correct these cells, or leave the column out with `drop={name!r}`."
    given = (
        f'"{values[0]}"' if len(values) == 1 else "[" + ", ".join(f'"{v}"' for v in values) + "]"
    )
    return f"Use `na_values={given}` to treat such cells as missing values."
