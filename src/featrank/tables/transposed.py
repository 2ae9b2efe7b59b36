"""Tables with features in rows and samples in columns, as is common in biology."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from featrank._utils.warn import warn_user
from featrank.exceptions import DataError
from featrank.tables.columns import asked_column
from featrank.tables.delimited_text import stripped
from featrank.tables.options import ReadOptions
from featrank.tables.samples import Samples
from featrank.tables.symbols import NAMELESS
from featrank.tables.table import Table

# What samples and features are called in public archives.
_SAMPLES = re.compile(
    r"GSM\d+.*|TCGA-.*|GTEX-.*|[SED]R[RSX]\d+.*|[ACGT]{12,}(-\d+)?", re.IGNORECASE
)
_FEATURES = re.compile(
    r"ENS[A-Z]*[GTP]\d+.*|AFFX-.*|\d+(_[a-z])*_at|ILMN_\d+|A_\d+_P\d+|[NX][MR]_\d+.*|cg\d{8}|rs\d+",
    re.IGNORECASE,
)
# So many rows for each column, without labels, are seldom samples.
TALL, LARGE = 20, 1000
LOOKED_AT = 200


@dataclass(frozen=True)
class _Cells:
    """A column as numbers, and which of its cells are strings."""

    numbers: pl.Series
    is_text: np.ndarray
    known: int

    @property
    def describes(self) -> bool:
        """Whether it describes the features, as a symbol does, and holds no values."""
        return 2 * int(self.is_text.sum()) > self.known


def from_transposed(frame: pl.DataFrame, header: Sequence[str], options: ReadOptions) -> Table:
    """Make a Table of a frame with a row for each feature and a column for each sample.

    The first column, or ``options.names``, names the features. Other string columns describe
    them. Rows of strings, such as classes, become string columns.
    """
    from featrank.tables.frames import from_frame

    columns = frame.get_columns()
    at = _wanted(header, options.names, "names") or 0
    cells = {place: _cells(column) for place, column in enumerate(columns) if place != at}
    samples = [place for place, one in cells.items() if not one.describes]
    if not samples:
        raise DataError(
            "No column holds numbers, so that none is a sample. A table with features in rows was "
            "expected (--transpose)."
        )
    with_texts = np.logical_or.reduce([cells[place].is_text for place in samples])
    names = _names(columns[0], columns[at], with_texts, options)
    symbols = _symbols(columns, header, options, [one for one in cells if one not in samples], at)
    transposed = _transposed(columns, cells, samples, with_texts)
    return from_frame(
        transposed,
        options,
        names=names,
        samples=Samples(ids=[header[place] for place in samples], id_name="sample"),
        symbols=symbols,
    )


def _wanted(header: Sequence[str], name: str | None, what: str) -> int | None:
    return (
        None if name is None else asked_column(header, name, f"for as the {what} of the features")
    )


def _cells(column: pl.Series) -> _Cells:
    if column.dtype.is_numeric() or column.dtype == pl.Boolean:
        return _Cells(column, np.zeros(len(column), dtype=bool), len(column))
    cells = stripped(column.cast(pl.String))
    whole = cells.cast(pl.Int64, strict=False)
    numbers = (
        whole if whole.null_count() == cells.null_count() else cells.cast(pl.Float64, strict=False)
    )
    is_text = (numbers.is_null() & cells.is_not_null()).to_numpy()
    return _Cells(numbers, is_text, len(cells) - cells.null_count())


def _names(
    first: pl.Series, chosen: pl.Series, with_texts: np.ndarray, options: ReadOptions
) -> list[str]:
    """Return the names of the features; those without a chosen name keep the first column's.

    So do rows of strings, and rows that were asked for by name, as they are not features.
    """
    asked = {options.file_target, options.groups, *options.keep, *options.drop}
    names = [
        own if is_text or own in asked or other in NAMELESS else other
        for own, other, is_text in zip(_stripped(first), _stripped(chosen), with_texts, strict=True)
    ]
    n_unnamed = names.count("")
    if n_unnamed:
        raise DataError(
            f"{n_unnamed} of {len(names)} rows have no name in the first column. Each feature "
            "needs one: add it, or remove the rows."
        )
    return names


def _stripped(column: pl.Series) -> list[str]:
    cells = column.cast(pl.String).str.strip_chars().fill_null("")
    return [str(cell) for cell in cells.to_list()]


def _symbols(
    columns: list[pl.Series], header: Sequence[str], options: ReadOptions, about: list[int], at: int
) -> list[str] | None:
    """Return second names from the chosen column, or else the first that describes features."""
    place = _wanted(header, options.symbols, "second names")
    if place is None:
        place = 0 if at != 0 else next(iter(about), None)
    if place is None:
        return None
    return ["" if one is None else str(one) for one in columns[place].to_list()]


def _transposed(
    columns: list[pl.Series], cells: dict[int, _Cells], samples: list[int], with_texts: np.ndarray
) -> pl.DataFrame:
    """Return the frame with a column for each row; rows with strings become string columns."""
    whole = all(cells[place].numbers.dtype.is_integer() for place in samples)
    has_missing = any(cells[place].numbers.null_count() for place in samples)
    values = np.empty(
        (len(with_texts), len(samples)), np.int64 if whole and not has_missing else float
    )
    for new, place in enumerate(samples):
        values[:, new] = cells[place].numbers.to_numpy()
    strings = [columns[place].cast(pl.String) for place in samples]

    def series(row: int) -> pl.Series:
        if with_texts[row]:
            return stripped(pl.Series(str(row), [cells[row] for cells in strings], dtype=pl.String))
        return pl.Series(str(row), values[row])

    return pl.DataFrame([series(row) for row in range(len(values))])


def warn_if_transposed(
    names: Sequence[str], ids: Any, n_rows: int, labelled: bool, options: ReadOptions
) -> None:
    """Warn where a table seems to have its features in rows."""
    hint = transposed_hint(names, ids, n_rows, labelled, options)
    if hint:
        warn_user(hint)


def transposed_hint(
    names: Sequence[str], ids: Any, n_rows: int, labelled: bool, options: ReadOptions
) -> str:
    """Return a sentence where a table seems to have its features in rows, or nothing."""
    reason = "" if options.transpose else _reason(names, ids, n_rows, labelled)
    return reason and (
        f"{options.file_name!r} may have its features in rows: {reason}. If so, turn it with "
        "--transpose (in Python transpose=True)."
    )


def _reason(names: Sequence[str], ids: Any, n_rows: int, labelled: bool) -> str:
    seen = [name for name in names[:LOOKED_AT] if _SAMPLES.fullmatch(name)]
    if 2 * len(seen) > len(names[:LOOKED_AT]):
        return f"its columns are called as samples are ({seen[0]!r})"
    if ids is None or labelled:
        return ""
    rows = [str(one) for one in ids[:LOOKED_AT]]
    if 2 * sum(bool(_FEATURES.fullmatch(row)) for row in rows) > len(rows):
        return f"its rows are called as features are ({rows[0]!r})"
    if n_rows >= LARGE and n_rows >= TALL * len(names):
        return f"it has {n_rows:,} named rows and {len(names):,} columns, and no target"
    return ""
