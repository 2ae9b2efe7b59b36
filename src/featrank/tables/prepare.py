"""From a parsed matrix to a Table: split off the target, drop and fill in."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from featrank.exceptions import DataError
from featrank.tables.columns import kept_columns
from featrank.tables.features import treated, with_values
from featrank.tables.options import ReadOptions
from featrank.tables.parsed import Parsed
from featrank.tables.samples import Samples, select_samples
from featrank.tables.table import Table
from featrank.values.numbers import require_numbers


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
    """Make a Table of a numeric matrix, dense or sparse, and what is known about its samples.

    ``y`` are the labels in the file. If it has none, the target is a column of ``samples``.
    ``symbols`` are second names of the features.
    """
    matrix = numeric_matrix(X)
    if options.on_parsed is not None:
        known = samples or Samples()
        options.on_parsed(Parsed(names, known, X=matrix, y=y, target_name=target_name))
    known = with_sheet(samples or Samples(), options)
    rows, about = select_samples(known, matrix.shape[0], options, y, target_name)
    second = None if symbols is None else [str(symbol) for symbol in symbols]
    table = replace(about, X=matrix, feature_names=list(names), symbols=second)
    kept = kept_columns(names, options)  # annotations may be called like features
    if len(kept) < len(names):
        table = table.features(kept)
    if rows is not None:
        table = replace(table, X=table.X[rows])
    require_numbers(table.X, table.feature_names)
    return treated(with_values(table, options.max_missing)[0], options)


def with_sheet(samples: Samples, options: ReadOptions) -> Samples:
    """Return the samples with the columns of the sample sheet, if there is one."""
    if options.sample_sheet is None:
        return samples
    from featrank.tables.sample_sheet import joined

    return joined(samples, options.sample_sheet, options.file_name)


def numeric_matrix(X: Any) -> Any:
    """Return a two-dimensional matrix of native integers or floats. Reject anything else."""
    dtype = matrix_type(X)
    if not isinstance(X, np.ndarray):
        X = _checked_sparse(X)
    return X if X.dtype == dtype and X.dtype.isnative else X.astype(dtype)


def matrix_type(X: Any) -> np.dtype:
    """Return the type of the result of ``numeric_matrix``. Reject anything but numbers."""
    if X.ndim != 2:
        raise DataError(f"The data has shape {X.shape}. Give a matrix of samples × features.")
    if X.shape[0] == 0:
        raise DataError("The table has no rows. Give a table with at least one sample.")
    if X.dtype.kind not in "biuf":
        raise DataError(f"The data is of type {X.dtype}. Convert it to real numbers.")
    return _supported(X.dtype)


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
