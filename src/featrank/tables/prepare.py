"""From what a parser gave to a Table: split off the target, drop, encode, fill."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from featrank.exceptions import DataError, UsageError
from featrank.tables.columns import (
    check_any_left,
    check_unique,
    columns_named,
    kept_columns,
    listed,
    target_column,
)
from featrank.tables.features import Features
from featrank.tables.ids import ids_note, is_id
from featrank.tables.labels import checked_labels
from featrank.tables.options import ReadOptions
from featrank.tables.samples import Samples, SampleSelection, select_samples
from featrank.tables.table import Table
from featrank.tables.transposed import transposed_hint, warn_if_transposed
from featrank.values.containers import require_exact
from featrank.values.numbers import require_numbers

if TYPE_CHECKING:
    import polars as pl

_NATIVE = {"Float32", "Float64"} | {
    f"{kind}{n}" for kind in ("Int", "UInt") for n in (8, 16, 32, 64)
}


def from_matrix(
    X: Any,
    names: Sequence[str],
    y: Any,
    target_name: str | None,
    options: ReadOptions,
    *,
    samples: Samples | None = None,
    symbols: Sequence[str] | None = None,
) -> Table:
    """Make a Table of a numeric matrix, dense or sparse, and what is known of its samples.

    ``y`` are labels that the file brings; where it has none, the target is a column of
    ``samples``. ``symbols`` are second names of the features.
    """
    matrix = numeric_matrix(X)
    known = _with_sheet(samples or Samples(), options)
    found = select_samples(known, matrix.shape[0], options, y, target_name)
    kept = kept_columns(names, options)  # annotations may be called like features
    if len(kept) < len(names):
        matrix = matrix[:, kept]
    second = None if symbols is None else [str(symbols[place]) for place in kept]
    features = Features(found.of(matrix), [names[place] for place in kept], second)
    require_numbers(features.X, features.names)
    left, _ = features.with_values(options.max_missing)
    return _table(left.treated(options), found, known)


def from_frame(
    frame: "pl.DataFrame",
    options: ReadOptions,
    *,
    names: Sequence[str] | None = None,
    samples: Samples | None = None,
    symbols: Sequence[str] | None = None,
) -> Table:
    """Make a Table of a polars frame, the target being one of its columns.

    ``names`` are those of its columns where they may repeat, which a frame's own cannot;
    ``samples`` and ``symbols`` are as for ``from_matrix``.
    """
    names = frame.columns if names is None else list(names)
    samples = samples or Samples()
    # By position throughout: polars takes a name such as "^a.*$" for a pattern.
    columns = frame.get_columns()
    ids = _id_columns(columns, names, samples, options)
    known = _with_columns(samples, columns, names, ids)
    target = _target_of(names, known, options)
    _features_left(names, options, target)
    if frame.height == 0:
        raise DataError("The table has no rows. At least one sample was expected.")
    if target is not None:
        options = replace(options, target=names[target])
        ids = [place for place in ids if place != target]
    known = _with_sheet(known, options)
    found = select_samples(known, frame.height, options)
    kept = [place for place in _features_left(names, options, target, found) if place not in ids]
    check_any_left(kept)
    if not options.transpose:
        warn_if_transposed(
            [names[place] for place in kept], known.ids, frame.height, found.y, options
        )
    own = [columns[place] for place in kept]
    features = _features(
        own if found.rows is None else [column.gather(found.rows) for column in own],
        [names[place] for place in kept],
        None if symbols is None else [str(symbols[place]) for place in kept],
        options,
    )
    not_ranked = [ids_note(names[place]) for place in ids]
    return _table(features, found, known, not_ranked)


def _target_of(names: Sequence[str], samples: Samples, options: ReadOptions) -> int | None:
    """Return which column is the target, if it is one of the table and not an annotation."""
    target = options.file_target
    if target not in names and target in samples.names:
        return None
    try:
        return target_column(names, target)
    except UsageError as error:
        if samples.ids is not None and target in [str(one) for one in samples.ids]:
            raise UsageError(
                f"There is no column {target!r}, but a row has that name: the table has "
                "its features in rows. Turn it with --transpose (in Python transpose=True)."
            ) from error
        hint = transposed_hint(names, samples.ids, 0, False, options)
        raise UsageError(f"{error} {hint}".rstrip()) from error


def _id_columns(
    columns: "list[pl.Series]", names: Sequence[str], samples: Samples, options: ReadOptions
) -> list[int]:
    """Return the columns that name the samples and that nobody asked for."""
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
    samples: Samples, columns: "list[pl.Series]", names: Sequence[str], ids: list[int]
) -> Samples:
    """Return the samples with the columns of a frame as annotations."""
    own = dict(zip(names, columns, strict=True))

    def get(name: str) -> np.ndarray:
        return series_values(own[name]) if name in own else samples.get(name)

    if samples.ids is None and ids:
        samples = replace(samples, ids=series_values(columns[ids[0]]), id_name=names[ids[0]])
    return replace(samples, names=[*names, *samples.names], get=get)


def _with_sheet(samples: Samples, options: ReadOptions) -> Samples:
    if options.sheet is None:
        return samples
    from featrank.tables.sample_sheet import joined

    return joined(samples, options.sheet, options.file_name)


def _features_left(
    names: Sequence[str],
    options: ReadOptions,
    target: int | None,
    found: SampleSelection | None = None,
) -> list[int]:
    """Return the positions of the features: not the target, nor what was asked for otherwise."""
    own = found is not None and not (options.transpose and options.sheet)
    others = {*found.taken, options.groups} if found is not None and own else set()
    kept = [place for place in kept_columns(names, options, target) if names[place] not in others]
    check_any_left(kept)
    return kept


def _table(
    features: Features, found: SampleSelection, samples: Samples, notes: Sequence[str] = ()
) -> Table:
    return Table(
        features.X,
        features.names,
        found.y,
        found.target_name,
        found.ids,
        samples.id_name,
        found.kept,
        found.groups,
        features.symbols,
        (*notes, *features.notes),
    )


def numeric_matrix(X: Any) -> Any:
    """Return a two-dimensional matrix of native integers or floats; reject anything else."""
    dtype = matrix_type(X)
    if not isinstance(X, np.ndarray):
        X = _checked_sparse(X)
    return X if X.dtype == dtype and X.dtype.isnative else X.astype(dtype)


def matrix_type(X: Any) -> np.dtype:
    """Return the type of the result of ``numeric_matrix``; reject anything but numbers."""
    if X.ndim != 2:
        raise DataError(
            f"The data has {X.ndim} dimension(s), shape {X.shape}. Samples × features was expected."
        )
    if X.shape[0] == 0:
        raise DataError("The table has no rows. At least one sample was expected.")
    if X.dtype.kind not in "biuf":
        raise DataError(f"The data is of type {X.dtype}. Real numbers were expected.")
    return _supported(X.dtype)


def to_frame(table: Table) -> "pl.DataFrame":
    """Return a polars frame: ids and columns to keep, the features, and the labels."""
    import polars as pl

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


def _checked_sparse(X: Any) -> Any:
    X = X if X.format in ("csr", "csc") else X.tocsr()
    try:
        # An index beyond the matrix would make later code read foreign memory.
        X.check_format(full_check=True)
    except ValueError as error:
        raise DataError(f"The sparse matrix is damaged: {error}. Write the file again.") from error
    return X


def _supported(dtype: np.dtype) -> np.dtype:
    if dtype.kind == "b":
        return np.dtype(np.uint8)
    if dtype.kind == "f" and dtype.itemsize not in (4, 8):
        return np.dtype(np.float32 if dtype.itemsize < 4 else np.float64)
    return dtype.newbyteorder("=")


def column_labels(column: "pl.Series", place: str = "") -> np.ndarray:
    """Return a column as labels, one a row and none missing."""
    return checked_labels(series_values(column), len(column), column.name, place)


def series_values(column: "pl.Series") -> np.ndarray:
    """Return a column as numbers or strings; missing values are None."""
    import polars as pl

    is_plain = column.dtype.is_numeric() or column.dtype == pl.Boolean
    values = column if is_plain else column.cast(pl.String)
    return np.array(values.to_list(), dtype=object) if values.null_count() else values.to_numpy()


def _features(
    columns: "list[pl.Series]", names: list[str], symbols: list[str] | None, options: ReadOptions
) -> Features:
    categorical = [index for index, column in enumerate(columns) if not is_number(column.dtype)]
    if categorical and options.categorical == "error":
        refuse_categorical([names[index] for index in categorical])
    if options.categorical == "drop" and categorical:
        kept = [index for index in range(len(columns)) if index not in set(categorical)]
        check_any_left(kept)
        columns, names = [columns[index] for index in kept], [names[index] for index in kept]
        symbols = None if symbols is None else [symbols[index] for index in kept]
        categorical = []
    categories: dict[int, list[str]] = {}
    for index in categorical:
        columns[index], categories[index] = _coded(columns[index], names[index])
    whole = Features(dense_numbers(columns, names), names, symbols)
    left, kept = whole.with_values(options.max_missing)
    categories = {new: categories[old] for new, old in enumerate(kept) if old in categories}
    found = left.treated(options, categories)
    if options.categorical == "onehot" and categories:
        X, expanded = _one_hot(found.X, found.names, categories)
        return replace(found, X=X, names=expanded, symbols=None)
    return found


def is_number(dtype: "pl.DataType") -> bool:
    """Whether a column of a polars frame can be a feature as it is."""
    import polars as pl

    return dtype.is_numeric() or dtype in (pl.Boolean, pl.Null)


_ENCODE = (
    "Choose --categorical ordinal, onehot or drop (in Python categorical='ordinal'), or leave the "
    "columns out (--drop)."
)


def refuse_categorical(names: Sequence[str], way_out: str = _ENCODE) -> NoReturn:
    """Raise the DataError for feature columns that are not numbers."""
    raise DataError(
        f"{len(names)} column(s) hold text, categories or dates, not numbers: "
        f"{listed([repr(name) for name in names])}. {way_out}"
    )


def _coded(column: "pl.Series", name: str) -> "tuple[pl.Series, list[str]]":
    import polars as pl

    try:
        strings = column.cast(pl.String)
    except pl.exceptions.PolarsError as error:
        raise DataError(
            f"The column {name!r} is of type {column.dtype}, which has no categories. Leave "
            "it out (--drop)."
        ) from error
    categories = strings.drop_nulls().unique().sort().to_list()
    return strings.cast(pl.Enum(categories)).to_physical(), categories


def dense_numbers(columns: "list[pl.Series]", names: Sequence[str] | None = None) -> np.ndarray:
    """Return columns of numbers as a matrix; missing values are NaN, too large integers errors."""
    import polars as pl

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


def _numbers(column: "pl.Series") -> np.ndarray:
    import polars as pl

    if column.dtype == pl.Boolean:
        column = column.cast(pl.UInt8)
    return (column if str(column.dtype) in _NATIVE else column.cast(pl.Float64)).to_numpy()


def number_type(dtype: "pl.DataType", has_missing: bool = False) -> np.dtype:
    """Return the type of a polars column in a matrix, with or without missing values."""
    # NumPy has no decimals, no 128-bit integers and no column without a type.
    name = "UInt8" if str(dtype) == "Boolean" else str(dtype)
    plain = np.dtype(name.lower() if name in _NATIVE else "float64")
    if has_missing and plain.kind in "iu":
        return np.dtype(np.float32 if plain.itemsize < 4 else np.float64)
    return plain


def _one_hot(
    X: np.ndarray, names: list[str], categories: dict[int, list[str]]
) -> tuple[np.ndarray, list[str]]:
    blocks, expanded = [], []
    for index, name in enumerate(names):
        if index in categories:
            codes = np.arange(len(categories[index]))
            blocks.append((X[:, [index]] == codes).astype(X.dtype))
            expanded += [f"{name}={value}" for value in categories[index]]
        else:
            blocks.append(X[:, [index]])
            expanded.append(name)
    check_unique(expanded)
    return np.asfortranarray(np.hstack(blocks)), expanded
