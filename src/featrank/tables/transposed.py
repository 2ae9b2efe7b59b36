"""Tables with features in rows and samples in columns, as is common in biology."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from featrank._utils.warn import warn_user
from featrank.exceptions import DataError
from featrank.tables.columns import asked_column
from featrank.tables.delimited_text import PLAIN, cast_numbers, stripped
from featrank.tables.dialect import Dialect
from featrank.tables.odd_cells import NUMBER_LIKE, TextCells
from featrank.tables.options import ReadOptions
from featrank.tables.samples import Samples
from featrank.tables.symbols import NAMELESS
from featrank.tables.table import Table

# Names of samples and features in public archives.
_SAMPLES = re.compile(
    r"GSM\d+.*|TCGA-.*|GTEX-.*|[SED]R[RSX]\d+.*|[ACGT]{12,}(-\d+)?", re.IGNORECASE
)
_FEATURES = re.compile(
    r"ENS[A-Z]*[GTP]\d+.*|AFFX-.*|\d+(_[a-z])*_at|ILMN_\d+|A_\d+_P\d+|[NX][MR]_\d+.*|cg\d{8}|rs\d+",
    re.IGNORECASE,
)
# Tables with this many rows per column, and without labels, seldom have samples in rows.
TALL, LARGE = 20, 1000
LOOKED_AT = 200

# The annotation columns of featureCounts. Some hold numbers.
_FEATURE_COUNTS = ("Geneid", "Chr", "Start", "End", "Strand", "Length")


@dataclass(frozen=True)
class _Cells:
    """A column as numbers, which of its cells are strings, and the number of words."""

    numbers: pl.Series
    is_text: np.ndarray
    n_known: int
    n_words: int = 0

    @property
    def describes(self) -> bool:
        """Whether it describes the features, as a symbol does, and holds no values."""
        return 2 * self.n_words > self.n_known


def from_transposed(
    frame: pl.DataFrame,
    header: Sequence[str],
    options: ReadOptions,
    text_cells: TextCells | None = None,
) -> Table:
    """Make a Table of a frame with a row for each feature and a column for each sample.

    The first column, or ``options.names``, names the features. Other string columns describe
    them. Rows of strings, such as classes, become string columns. ``text_cells`` is as for
    ``from_frame``.
    """
    from featrank.tables.frames import from_frame

    columns, dialect = frame.get_columns(), PLAIN if text_cells is None else text_cells.dialect
    at = _wanted(header, options.names, "names") or 0
    n_about = _count_annotations(header)
    options, dropped = _without_columns(header, columns[at], options)
    cells = {
        place: _cells(column, dialect)
        for place, column in enumerate(columns)
        if place != at and place not in dropped
    }
    samples = [place for place, one in cells.items() if not one.describes and place >= n_about]
    if not samples:
        raise DataError(
            "No column holds numbers, so none is a sample. Leave out `transpose=True` if the "
            "table has its samples in rows."
        )
    has_strings = np.logical_or.reduce([cells[place].is_text for place in samples])
    names = _names(columns[0], columns[at], has_strings, options)
    about = [place for place in cells if place not in samples and place >= n_about]
    symbols = _symbols(columns, header, options, about, at)
    transposed = _transposed(columns, cells, samples, has_strings, dialect)
    return from_frame(
        transposed,
        options,
        names=names,
        samples=Samples(ids=[header[place] for place in samples], id_name="sample"),
        symbols=symbols,
        text_cells=None
        if text_cells is None
        else _located(text_cells, [header[place] for place in samples]),
    )


def _count_annotations(header: Sequence[str]) -> int:
    """Return the number of leading columns that describe features: all those of featureCounts."""
    if not header or header[0] != _FEATURE_COUNTS[0]:
        return 1
    return next((n for n, name in enumerate(header) if name not in _FEATURE_COUNTS), len(header))


def _without_columns(
    header: Sequence[str], names: pl.Series, options: ReadOptions
) -> tuple[ReadOptions, set[int]]:
    """Return the columns of the file to drop, and the options with the features to drop."""
    features = set(_stripped(names))
    columns = [name for name in options.drop if name in header and name not in features]
    left = [name for name in options.drop if name not in columns]
    return replace(options, drop=left), {list(header).index(name) for name in columns}


def _located(text_cells: TextCells, samples: Sequence[str]) -> TextCells:
    """Return where cells are in the file, whose rows became columns."""

    def locate(sample: int, feature: int) -> str:
        return f"{text_cells.locate(feature, sample)}, sample {samples[sample]!r}"

    return replace(text_cells, locate=locate)


def _wanted(header: Sequence[str], name: str | None, what: str) -> int | None:
    return None if name is None else asked_column(header, name, f"as the {what} of the features")


def _cells(column: pl.Series, dialect: Dialect) -> _Cells:
    if column.dtype.is_numeric() or column.dtype == pl.Boolean:
        return _Cells(column, np.zeros(len(column), dtype=bool), len(column))
    cells = stripped(column.cast(pl.String), dialect)
    numbers = cast_numbers(cells, pl.Int64, dialect)
    if numbers.null_count() > cells.null_count():
        numbers = cast_numbers(cells, pl.Float64, dialect)
    is_text = numbers.is_null() & cells.is_not_null()
    # A number such as "1,234.5" is an error, not the description of a feature.
    n_words = len(words := cells.filter(is_text)) - int(words.str.contains(NUMBER_LIKE).sum())
    return _Cells(numbers, is_text.to_numpy(), len(cells) - cells.null_count(), n_words)


def _names(
    first: pl.Series, chosen: pl.Series, has_strings: np.ndarray, options: ReadOptions
) -> list[str]:
    """Return the names of the features. Those without a chosen name keep the first column's.

    So do rows of strings and rows that an option names, as they are not features.
    """
    asked = {options.file_target, options.groups, *options.keep, *options.drop}
    names = [
        own if is_text or own in asked or other in NAMELESS else other
        for own, other, is_text in zip(
            _stripped(first), _stripped(chosen), has_strings, strict=True
        )
    ]
    n_unnamed = names.count("")
    if n_unnamed:
        raise DataError(
            f"{n_unnamed} of {len(names)} rows have no name in the first column. Name each "
            "feature there, or remove these rows."
        )
    return names


def _stripped(column: pl.Series) -> list[str]:
    cells = column.cast(pl.String).str.strip_chars().fill_null("")
    return [str(cell) for cell in cells.to_list()]


def _symbols(
    columns: list[pl.Series], header: Sequence[str], options: ReadOptions, about: list[int], at: int
) -> list[str] | None:
    """Return second names: of the chosen column, or of the first one that describes features."""
    place = _wanted(header, options.symbols, "second names")
    if place is None:
        place = 0 if at != 0 else next(iter(about), None)
    if place is None:
        return None
    return ["" if one is None else str(one) for one in columns[place].to_list()]


def _transposed(
    columns: list[pl.Series],
    cells: dict[int, _Cells],
    samples: list[int],
    has_strings: np.ndarray,
    dialect: Dialect,
) -> pl.DataFrame:
    """Return the frame with a column for each row. Rows with strings become string columns."""
    whole = all(cells[place].numbers.dtype.is_integer() for place in samples)
    has_missing = any(cells[place].numbers.null_count() for place in samples)
    values = np.empty(
        (len(has_strings), len(samples)), np.int64 if whole and not has_missing else float
    )
    for new, place in enumerate(samples):
        values[:, new] = cells[place].numbers.to_numpy()
    strings = [columns[place].cast(pl.String) for place in samples]

    def series(row: int) -> pl.Series:
        if has_strings[row]:
            words = pl.Series(str(row), [column[row] for column in strings], dtype=pl.String)
            return stripped(words, dialect)
        return pl.Series(str(row), values[row])

    return pl.DataFrame([series(row) for row in range(len(values))])


def warn_if_transposed(
    names: Sequence[str], ids: Any, n_rows: int, labelled: bool, options: ReadOptions
) -> None:
    """Warn if a table seems to have its features in rows."""
    hint = transposed_hint(names, ids, n_rows, labelled, options)
    if hint:
        warn_user(hint)


def transposed_hint(
    names: Sequence[str], ids: Any, n_rows: int, labelled: bool, options: ReadOptions
) -> str:
    """Return a sentence if a table seems to have its features in rows, or an empty string."""
    reason = "" if options.transpose else _reason(names, ids, n_rows, labelled)
    return reason and (
        f"{options.file_name!r} may have its features in rows: {reason}. If so, use "
        "`transpose=True`."
    )


def _reason(names: Sequence[str], ids: Any, n_rows: int, labelled: bool) -> str:
    seen = [name for name in names[:LOOKED_AT] if _SAMPLES.fullmatch(name)]
    if 2 * len(seen) > len(names[:LOOKED_AT]):
        return f"its columns have names of samples ({seen[0]!r})"
    if ids is None or labelled:
        return ""
    rows = [str(one) for one in ids[:LOOKED_AT]]
    if 2 * sum(bool(_FEATURES.fullmatch(row)) for row in rows) > len(rows):
        return f"its rows have names of features ({rows[0]!r})"
    if n_rows >= LARGE and n_rows >= TALL * len(names):
        return f"it has {n_rows:,} named rows, {len(names):,} columns and no target"
    return ""
