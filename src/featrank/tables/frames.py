"""From a parsed frame to a Table: split off the target, drop, encode and fill in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

import numpy as np
import polars as pl

from featrank.exceptions import DataError, TargetError, UsageError, counted
from featrank.tables.columns import (
    check_any_left,
    check_unique,
    columns_named,
    kept_columns,
    listed,
    target_column,
)
from featrank.tables.features import treated, with_values
from featrank.tables.ids import ids_note, is_id
from featrank.tables.labels import checked_labels
from featrank.tables.odd_cells import TextCells, require_numbers
from featrank.tables.options import ReadOptions
from featrank.tables.parsed import Parsed
from featrank.tables.prepare import with_sheet
from featrank.tables.samples import Samples, select_samples
from featrank.tables.table import Table
from featrank.tables.transposed import transposed_hint, warn_if_transposed
from featrank.values.containers import require_exact

_NATIVE = {"Float32", "Float64"} | {
    f"{kind}{n}" for kind in ("Int", "UInt") for n in (8, 16, 32, 64)
}


def from_frame(
    frame: pl.DataFrame,
    options: ReadOptions,
    *,
    names: Sequence[str] | None = None,
    samples: Samples | None = None,
    symbols: Sequence[str] | None = None,
    text_cells: TextCells | None = None,
) -> Table:
    """Make a Table of a polars frame, whose target may be one of its columns.

    Parameters
    ----------
    frame : polars.DataFrame
        One row per sample.
    options : ReadOptions
        How the table is made.
    names : sequence of str or None
        The names of the columns if they may repeat, which a frame does not allow.
    samples, symbols
        As for ``from_matrix``.
    text_cells : TextCells or None
        Where the cells come from if they were strings, so that columns of numbers with a few other
        cells are reported. None if the file has typed columns.
    """
    names = frame.columns if names is None else list(names)
    samples = samples or Samples()
    # By position throughout, as polars treats a name such as "^a.*$" as a pattern.
    columns = frame.get_columns()
    if options.on_parsed is not None:
        options.on_parsed(Parsed(names, samples, columns))
    ids = _id_columns(columns, names, samples, options)
    known = _with_columns(samples, columns, names, ids)
    target = _target_of(names, known, options)
    kept_columns(names, options, target)  # whether all names are known
    if frame.height == 0:
        raise DataError("The table has no rows. Give a table with at least one sample.")
    if target is not None:
        options = replace(options, target=names[target])
        ids = [place for place in ids if place != target]
    known = with_sheet(known, options)
    rows, about = select_samples(known, frame.height, options)
    # Rows of a transposed table are features even if columns of the sheet are called like them.
    own = not (options.transpose and options.sample_sheet)
    taken = {about.target_name, known.key, *about.kept, options.groups} if own else set()
    left = kept_columns(names, options, target)
    kept = [place for place in left if names[place] not in taken and place not in ids]
    check_any_left(kept)
    if not options.transpose:
        labelled = about.y is not None
        warn_if_transposed([names[one] for one in kept], known.ids, frame.height, labelled, options)
    kept = _encodable(columns, names, kept, options, text_cells)
    about = replace(
        about,
        feature_names=[names[place] for place in kept],
        symbols=None if symbols is None else [str(symbols[place]) for place in kept],
        notes=(*about.notes, *(ids_note(names[place]) for place in ids)),
    )
    chosen = [columns[place] for place in kept]
    return _table(
        chosen if rows is None else [column.gather(rows) for column in chosen], about, options
    )


def _encodable(
    columns: list[pl.Series],
    names: Sequence[str],
    kept: list[int],
    options: ReadOptions,
    text_cells: TextCells | None,
) -> list[int]:
    """Return the features without the categorical ones that are to be dropped."""
    categorical = [place for place in kept if not is_number(columns[place].dtype)]
    if text_cells is not None:
        require_numbers(columns, names, categorical, text_cells)
    if categorical and options.categorical == "error":
        refuse_categorical([names[place] for place in categorical])
    if options.categorical == "drop":
        kept = sorted({*kept} - {*categorical})
        check_any_left(kept)
    return kept


def _table(columns: list[pl.Series], about: Table, options: ReadOptions) -> Table:
    """Return a table with the values of its features: encoded, merged and filled in."""
    names, categories = about.feature_names, {}
    for index, column in enumerate(columns):
        if not is_number(column.dtype):
            columns[index], categories[index] = _coded(column, names[index])
    whole = replace(about, X=dense_numbers(columns, names))
    left, kept = with_values(whole, options.max_missing)
    categories = {new: categories[old] for new, old in enumerate(kept) if old in categories}
    table = treated(left, options, categories)
    onehot = options.categorical == "onehot" and categories
    return _one_hot(table, categories) if onehot else table


def _target_of(names: Sequence[str], samples: Samples, options: ReadOptions) -> int | None:
    """Return the position of the target if it is a column of the table, not an annotation."""
    target = options.file_target
    if target not in names and target in samples.names:
        return None
    try:
        return target_column(names, target)
    except UsageError as error:
        if samples.ids is not None and target in [str(one) for one in samples.ids]:
            raise UsageError(
                f"No column is named {target!r}, but a row is, so the table has "
                "features in rows. Use `transpose=True`."
            ) from error
        hint = transposed_hint(names, samples.ids, 0, False, options)
        raise TargetError(f"{error} {hint}".rstrip()) from error


def _id_columns(
    columns: list[pl.Series], names: Sequence[str], samples: Samples, options: ReadOptions
) -> list[int]:
    """Return the ID columns, except those that the user gave another purpose."""
    if options.transpose:  # the columns were rows, each with a name
        return []
    asked = {options.file_target, options.groups, *columns_named(options.keep, set(names))}
    dropped = set(columns_named(options.drop, set(names)))
    return [
        place
        for place, (column, name) in enumerate(zip(columns, names, strict=True))
        if name not in dropped
        and (name not in asked or name in options.keep)
        and is_id(column, name, first=place == 0 and samples.ids is None)
    ]


def _with_columns(
    samples: Samples, columns: list[pl.Series], names: Sequence[str], ids: list[int]
) -> Samples:
    """Return the samples with the columns of a frame as annotations."""
    own = dict(zip(names, columns, strict=True))

    def get(name: str) -> np.ndarray:
        return series_values(own[name]) if name in own else samples.get(name)

    if samples.ids is None and ids:
        samples = replace(samples, ids=series_values(columns[ids[0]]), id_name=names[ids[0]])
    return replace(samples, names=[*names, *samples.names], get=get)


def to_frame(table: Table) -> pl.DataFrame:
    """Return a polars frame: IDs and columns to keep, the features, and the labels."""
    dense = isinstance(table.X, np.ndarray)
    X = table.X if dense else table.X.tocsc()
    columns = [pl.Series(name, values.tolist()) for name, values in table.sample_columns.items()]
    columns += [
        pl.Series(name, X[:, index] if dense else X[:, [index]].toarray().ravel())
        for index, name in enumerate(table.feature_names)
    ]
    if table.y is not None:
        columns.append(pl.Series(table.label, table.y.tolist()))
    return pl.DataFrame(columns)


def column_labels(column: pl.Series, place: str = "") -> np.ndarray:
    """Return a column as labels, one per row; a missing one is None or NaN."""
    return checked_labels(series_values(column), len(column), column.name, place)


def series_values(column: pl.Series) -> np.ndarray:
    """Return a column as numbers or strings; missing values are None."""
    is_plain = column.dtype.is_numeric() or column.dtype == pl.Boolean
    values = column if is_plain else column.cast(pl.String)
    return np.array(values.to_list(), dtype=object) if values.null_count() else values.to_numpy()


def is_number(dtype: pl.DataType) -> bool:
    """Whether a column of a polars frame can be a feature as it is."""
    return dtype.is_numeric() or dtype in (pl.Boolean, pl.Null)


_ENCODE = 'Encode them with `categorical="onehot"`, or leave them out with `categorical="drop"`.'


def refuse_categorical(names: Sequence[str], way_out: str = _ENCODE) -> NoReturn:
    """Raise the DataError for feature columns that are not numbers."""
    raise DataError(
        f"Text, categories or dates instead of numbers in {counted(len(names), 'column')}: "
        f"{listed([repr(name) for name in names])}. {way_out}"
    )


def _coded(column: pl.Series, name: str) -> tuple[pl.Series, list[str]]:
    try:
        strings = column.cast(pl.String)
    except pl.exceptions.PolarsError as error:
        raise DataError(
            f"Column {name!r} is of type {column.dtype}, which cannot be encoded. Leave it out "
            f"with `drop={name!r}`."
        ) from error
    categories = strings.drop_nulls().unique().sort().to_list()
    return strings.cast(pl.Enum(categories)).to_physical(), categories


def dense_numbers(columns: list[pl.Series], names: Sequence[str] | None = None) -> np.ndarray:
    """Return columns of numbers as a matrix with NaN for missing values; check large integers."""
    if names is None or len(set(names)) < len(names):  # a frame needs names of its own
        require_exact(pl.DataFrame(columns))
    else:
        require_exact(
            pl.DataFrame([one.alias(name) for one, name in zip(columns, names, strict=True)])
        )
    arrays = [_numbers(column) for column in columns]
    dtype = np.result_type(*{array.dtype for array in arrays})
    X = np.empty((len(arrays[0]), len(arrays)), dtype=dtype, order="F")
    for index, array in enumerate(arrays):
        X[:, index] = array
    return X


def _numbers(column: pl.Series) -> np.ndarray:
    if column.dtype == pl.Boolean:
        column = column.cast(pl.UInt8)
    return (column if str(column.dtype) in _NATIVE else column.cast(pl.Float64)).to_numpy()


def number_type(dtype: pl.DataType, has_missing: bool = False) -> np.dtype:
    """Return the type of a polars column in a matrix, with or without missing values."""
    # NumPy has no decimals, no 128-bit integers and no column without a type.
    name = "UInt8" if str(dtype) == "Boolean" else str(dtype)
    plain = np.dtype(name.lower() if name in _NATIVE else "float64")
    if has_missing and plain.kind in "iu":
        return np.dtype(np.float32 if plain.itemsize < 4 else np.float64)
    return plain


def _one_hot(table: Table, categories: dict[int, list[str]]) -> Table:
    blocks, names = [], []
    for index, name in enumerate(table.feature_names):
        column, values = table.X[:, [index]], categories.get(index)
        if values is not None:
            column = (column == np.arange(len(values))).astype(column.dtype)
        blocks.append(column)
        names += [name] if values is None else [f"{name}={value}" for value in values]
    check_unique(names)
    X = np.asfortranarray(np.hstack(blocks))
    return replace(table, X=X, feature_names=names, symbols=None)
