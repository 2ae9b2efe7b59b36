"""From what a parser gave to a Table: split off the target, drop, encode, fill."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ..exceptions import DataError
from ..inputs import require_exact
from ..values import require_numbers
from .columns import check_any_left, check_unique, kept_columns, listed, target_column
from .labels import checked_labels
from .missing import complete
from .table import Options, Table

if TYPE_CHECKING:
    import polars as pl

_NATIVE = {"Float32", "Float64"} | {
    f"{kind}{n}" for kind in ("Int", "UInt") for n in (8, 16, 32, 64)
}


def from_matrix(
    X: Any, names: Sequence[str], y: Any, target_name: str | None, options: Options
) -> Table:
    """Make a Table of a numeric matrix, dense or sparse, and its labels."""
    matrix = numeric_matrix(X)
    check_unique(names)
    kept = kept_columns(names, options)
    if len(kept) < len(names):
        matrix = matrix[:, kept]
    feature_names = [names[column] for column in kept]
    require_numbers(matrix, feature_names)
    labels = None if y is None else checked_labels(y, matrix.shape[0], str(target_name))
    return Table(
        complete(matrix, feature_names, options.missing),
        feature_names,
        labels,
        None if y is None else target_name,
    )


def from_frame(frame: "pl.DataFrame", options: Options) -> Table:
    """Make a Table of a polars frame, the target being one of its columns."""
    names = frame.columns
    target = target_column(names, options.target)
    kept = kept_columns(names, options, target)
    if frame.height == 0:
        raise DataError("The table has no rows. At least one sample was expected.")
    # By position throughout: polars takes a name such as "^a.*$" for a pattern.
    columns = frame.get_columns()
    y = None if target is None else column_labels(columns[target])
    X, feature_names = _features([columns[index] for index in kept], options)
    return Table(X, feature_names, y, None if target is None else names[target])


def numeric_matrix(X: Any) -> Any:
    """Return a two-dimensional matrix of native integers or floats; refuse anything else."""
    dtype = matrix_type(X)
    if not isinstance(X, np.ndarray):
        X = _checked_sparse(X)
    return X if X.dtype == dtype and X.dtype.isnative else X.astype(dtype)


def matrix_type(X: Any) -> np.dtype:
    """Return the type that ``numeric_matrix`` gives; refuse what is no matrix of numbers."""
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
    """Return a polars frame of the features, with the labels as the last column."""
    import polars as pl

    dense = isinstance(table.X, np.ndarray)
    X = table.X if dense else table.X.tocsc()
    columns = [
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
    import polars as pl

    is_plain = column.dtype.is_numeric() or column.dtype == pl.Boolean
    values = column if is_plain else column.cast(pl.String)
    plain = np.array(values.to_list(), dtype=object) if values.null_count() else values.to_numpy()
    return checked_labels(plain, len(values), column.name, place)


def _features(columns: "list[pl.Series]", options: Options) -> tuple[np.ndarray, list[str]]:
    texts = [index for index, column in enumerate(columns) if not is_number(column.dtype)]
    if texts and options.categorical == "error":
        refuse_categorical([columns[index].name for index in texts])
    if options.categorical == "drop":
        columns = [column for column in columns if is_number(column.dtype)]
        check_any_left(columns)
        texts = []
    categories: dict[int, list[str]] = {}
    for index in texts:
        columns[index], categories[index] = _coded(columns[index])
    names = [column.name for column in columns]
    X = complete(dense_numbers(columns), names, options.missing, categories)
    if options.categorical == "onehot" and categories:
        return _one_hot(X, names, categories)
    return X, names


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


def _coded(column: "pl.Series") -> "tuple[pl.Series, list[str]]":
    import polars as pl

    try:
        texts = column.cast(pl.String)
    except pl.exceptions.PolarsError as error:
        raise DataError(
            f"The column {column.name!r} is of type {column.dtype}, which has no categories. Leave "
            "it out (--drop)."
        ) from error
    categories = texts.drop_nulls().unique().sort().to_list()
    return texts.cast(pl.Enum(categories)).to_physical(), categories


def dense_numbers(columns: "list[pl.Series]") -> np.ndarray:
    """Return columns of numbers as a matrix; gaps are NaN, integers too large are refused."""
    import polars as pl

    require_exact(pl.DataFrame(columns))
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


def number_type(dtype: "pl.DataType", gaps: bool = False) -> np.dtype:
    """Return the type of a column of a polars frame in a matrix, with gaps in it or without."""
    # NumPy has no decimals, no 128-bit integers and no column without a type.
    name = "UInt8" if str(dtype) == "Boolean" else str(dtype)
    plain = np.dtype(name.lower() if name in _NATIVE else "float64")
    if gaps and plain.kind in "iu":
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
