"""The rows of ARFF files, parsed into tables and written from tables."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from featrank.exceptions import DataError
from featrank.tables.arff_text import (
    Attribute,
    Lines,
    content_lines,
    quoted,
    read_header,
    split_fields,
    split_pairs,
    unquoted,
)
from featrank.tables.columns import check_any_left, check_unique, kept_columns, target_column
from featrank.tables.frames import from_frame, refuse_categorical
from featrank.tables.labels import whole_numbers
from featrank.tables.options import ReadOptions
from featrank.tables.prepare import from_matrix
from featrank.tables.table import Table
from featrank.values.numbers import EXACT, holds

if TYPE_CHECKING:
    import polars as pl


def read_rows(file: Iterable[str], path: Path, options: ReadOptions) -> Table:
    """Make a Table of the lines of a file."""
    lines = content_lines(file)
    attributes = read_header(lines)
    names = [attribute.name for attribute in attributes]
    check_unique(names)
    target = target_column(names, options.file_target)
    kept = kept_columns(names, options, target)
    first = next(lines, None)
    if first is None:
        raise DataError(f"{str(path)!r} has no rows after @data. Add at least one.")
    lines = chain([first], lines)
    if not first[1].startswith("{"):
        return from_frame(_dense_frame(attributes, target, lines), options)
    return _SparseRows(attributes, lines).table(kept, target, options)


def written_lines(table: Table) -> Iterator[str]:
    """Yield the lines of the file of a table."""
    yield "@relation featrank\n\n"
    yield from (f"@attribute {quoted(name)} numeric\n" for name in table.feature_names)
    if table.y is not None:
        yield f"@attribute {quoted(table.label)} {_label_type(table.y)}\n"
    yield "\n@data\n"
    yield from _rows(table)


def _numeric_columns(attributes: Sequence[Attribute], target: int | None) -> list[int]:
    # A target declared as nominal keeps its values as strings, whatever they look like.
    return [
        index
        for index, attribute in enumerate(attributes)
        if (attribute.kind == "numeric" if index == target else attribute.is_numeric)
    ]


def _dense_frame(
    attributes: Sequence[Attribute], target: int | None, lines: Lines
) -> "pl.DataFrame":
    numeric = _numeric_columns(attributes, target)
    strings: dict[int, list[str | None]] = {
        index: [] for index in sorted(set(range(len(attributes))) - set(numeric))
    }
    rows = []
    for number, line in lines:
        fields = split_fields(line)
        if len(fields) != len(attributes):
            raise DataError(
                f"Line {number} of the ARFF file has {len(fields)} values instead of "
                f"{len(attributes)}, one per attribute. Correct this line."
            )
        rows.append(_numbers([fields[index] for index in numeric], f"line {number}"))
        for index, cells in strings.items():
            cells.append(unquoted(fields[index]))
    columns: dict[int, Any] = dict(zip(numeric, np.array(rows).T, strict=True)) | strings
    return _frame(attributes, columns, target)


def _frame(
    attributes: Sequence[Attribute], columns: dict[int, Any], target: int | None
) -> "pl.DataFrame":
    import polars as pl

    series = []
    for index in sorted(columns):
        values = columns[index]
        if isinstance(values, list):
            _check_declared(attributes[index], values)
            series.append(pl.Series(attributes[index].name, values, dtype=pl.String))
        else:
            numbers = whole_numbers(values) if index == target else values
            series.append(pl.Series(attributes[index].name, np.ascontiguousarray(numbers)))
    return pl.DataFrame(series)


def _numbers(tokens: Sequence[str], place: str) -> np.ndarray:
    try:
        numbers = np.array([float(token) for token in tokens])
    except ValueError:
        numbers = np.array([_number(unquoted(token), place) for token in tokens])
    for far in np.flatnonzero(np.abs(numbers) >= EXACT).tolist():
        _require_exact(tokens[far], place)
    return numbers


def _require_exact(token: str, place: str) -> None:
    value = unquoted(token) or ""
    if value.lstrip("+-").isdigit() and not holds(int(value)):
        raise DataError(
            f"The ARFF file has the integer {value[:40]} ({place}), which float64 cannot hold "
            "exactly. Subtract a constant, or declare the attribute nominal."
        )


def _number(value: str | None, place: str) -> float:
    try:
        return np.nan if value is None else float(value)
    except ValueError:
        raise DataError(
            f"The ARFF file has {value[:40]!r} instead of a number ({place})."  # type: ignore[index]
        ) from None


def _check_declared(attribute: Attribute, values: Iterable[str | None]) -> None:
    unknown = set(values) - {None, *attribute.values} if attribute.values else set()
    if unknown:
        raise DataError(
            f"The ARFF attribute {attribute.name!r} has the undeclared value "
            f"{min(map(str, unknown))!r}. Add it to the declaration."
        )


class _SparseRows:
    """The entries of sparse rows."""

    def __init__(self, attributes: Sequence[Attribute], lines: Lines):
        self.attributes = attributes
        self.n_rows = 0
        rows: list[int] = []
        columns: list[int] = []
        self.tokens: list[str] = []
        for number, line in lines:
            indices, tokens = split_pairs(number, line)
            if len(set(indices)) < len(indices) or max(indices, default=0) >= len(attributes):
                raise DataError(
                    f"Line {number} of the ARFF file has a column twice, or a column after the "
                    f"last one, {len(attributes) - 1}. Count columns from 0."
                )
            rows += [self.n_rows] * len(indices)
            columns += indices
            self.tokens += tokens
            self.n_rows += 1
        self.rows, self.columns = np.array(rows, dtype=int), np.array(columns, dtype=int)

    def table(self, kept: list[int], target: int | None, options: ReadOptions) -> Table:
        """Return the Table of the features ``kept``, which stays sparse if all are numbers."""
        strings = [self.attributes[i].name for i in kept if not self.attributes[i].is_numeric]
        if strings and options.categorical == "error":
            refuse_categorical(strings)
        if options.categorical == "drop":
            kept = [index for index in kept if self.attributes[index].is_numeric]
            check_any_left(kept)
        options = replace(options, drop=())
        if not all(_is_zero(self.attributes[index].default) for index in kept):
            return from_frame(self._frame(kept, target), options)
        names = [self.attributes[index].name for index in kept]
        y = None if target is None else self._column(target, is_target=True)
        target_name = None if target is None else self.attributes[target].name
        return from_matrix(self._matrix(kept), names, y, target_name, options)

    def _matrix(self, kept: list[int]) -> Any:
        from scipy.sparse import csr_matrix

        position = np.full(len(self.attributes), -1)
        position[kept] = np.arange(len(kept))
        columns = position[self.columns]
        entries = np.flatnonzero(columns >= 0)
        values = _numbers([self.tokens[entry] for entry in entries], "a sparse row")
        place = (self.rows[entries], columns[entries])
        X = csr_matrix((values, place), shape=(self.n_rows, len(kept)))
        X.eliminate_zeros()
        return X

    def _frame(self, kept: list[int], target: int | None) -> "pl.DataFrame":
        wanted = kept if target is None else [*kept, target]
        columns = {index: self._column(index, is_target=index == target) for index in wanted}
        return _frame(self.attributes, columns, target)

    def _column(self, index: int, *, is_target: bool) -> Any:
        attribute = self.attributes[index]
        cells = [attribute.default] * self.n_rows
        for entry in np.flatnonzero(self.columns == index):
            cells[self.rows[entry]] = unquoted(self.tokens[entry])
        as_number = attribute.kind == "numeric" or (attribute.is_numeric and not is_target)
        if not as_number:
            _check_declared(attribute, cells)
            return cells
        numbers = np.array([_number(cell, attribute.name) for cell in cells])
        return whole_numbers(numbers) if is_target else numbers


def _is_zero(value: str | None) -> bool:
    return value is not None and _as_float(value) == 0


def _as_float(value: str) -> float:
    try:
        return float(value)
    except ValueError:
        return np.nan


def _label_type(y: np.ndarray) -> str:
    if y.dtype.kind in "iuf":
        return "numeric"
    return "{" + ",".join(quoted(label) for label in sorted({str(label) for label in y})) + "}"


def _rows(table: Table) -> Iterable[str]:
    labels = [] if table.y is None else [quoted(str(label)) for label in table.y.tolist()]
    if isinstance(table.X, np.ndarray):
        for index, row in enumerate(table.X):
            yield ",".join([*map(repr, row.tolist()), *labels[index : index + 1]]) + "\n"
        return
    X = table.X.tocsr().sorted_indices()
    for index in range(X.shape[0]):
        entries = slice(X.indptr[index], X.indptr[index + 1])
        pairs = zip(X.indices[entries].tolist(), X.data[entries].tolist(), strict=True)
        cells = [f"{column} {value!r}" for column, value in pairs]
        cells += [f"{X.shape[1]} {label}" for label in labels[index : index + 1]]
        yield "{" + ", ".join(cells) + "}\n"
