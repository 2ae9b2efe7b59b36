"""Files of arrays (npy, Zarr, HDF5): find X, the names of its columns, and the labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError, UsageError, unknown_name
from featrank.sources.dropped_columns import Skipped, all_but
from featrank.sources.labels import Labels, label_file
from featrank.sources.matrices import ArrayValues, MatrixSource, ReadArray
from featrank.sources.names import NumberedNames
from featrank.tables.arrays import LABELS, NAMES, matrix_key, names_of
from featrank.tables.columns import check_unique, find_column, kept_columns
from featrank.tables.labels import find_label_file
from featrank.tables.options import ReadOptions


def _column(values: ArrayValues, column: int, rows: slice) -> NDArray[Any]:
    return values.read(rows, slice(column, column + 1)).ravel()


def source_of(
    values: ArrayValues,
    names: Sequence[str] | None,
    others: Mapping[str, Labels],
    options: ReadOptions,
) -> MatrixSource:
    """Return the source of a matrix in a file.

    Parameters
    ----------
    values : ArrayValues
        The matrix.
    names : sequence of str or None
        Names of its columns, where the file has some.
    others : mapping of str to Labels
        The other arrays, which may be labels.
    options : ReadOptions
        What is asked for.
    """
    if names is not None:
        check_unique(names)
    all_names = NumberedNames(values.shape[1]) if names is None else names
    labels, column = _labels(values, all_names, others, options)
    skipped = _skipped(all_names, column, options)
    if names is None:
        left = values.shape[1] - len(skipped.positions)
        return MatrixSource(values, NumberedNames(left, skipped=skipped), skipped, labels)
    absent = set(skipped.positions)
    kept = [name for place, name in enumerate(names) if place not in absent] if absent else names
    return MatrixSource(values, kept, skipped, labels)


def _labels(
    values: ArrayValues, names: Sequence[str], others: Mapping[str, Labels], options: ReadOptions
) -> tuple[Labels | None, int | None]:
    """Return where the labels are, and their column if they are one of the matrix."""
    if options.labels is not None:
        return label_file(options.labels, values.shape[0], values.path), None
    target = options.target or next((name for name in LABELS if name in others), None)
    if target is None:
        return None, None
    if target in others:
        return others[target], None
    column = find_column(names, target)
    if column is not None:
        return Labels(names[column], partial(_column, values, column)), column
    file = find_label_file(target, data_file=values.path)
    if file is None:
        known = [*others, *names[:1000]]
        raise UsageError(f"{unknown_name('target', target, known)} No file has that name either.")
    return label_file(file, values.shape[0], values.path), None


def _skipped(names: Sequence[str], target: int | None, options: ReadOptions) -> Skipped:
    # Without it, names that are made on demand need not be made.
    if not options.drop and (target is None or len(names) > 1):
        return Skipped(() if target is None else (target,))
    return all_but(kept_columns(names, options, target), len(names))


def source_of_arrays(
    path: Path, arrays: Mapping[str, Any], read_array: ReadArray, options: ReadOptions
) -> MatrixSource:
    """Return the source of a file of named arrays, which are not read but for the names."""
    key = "" if "" in arrays else matrix_key(arrays, options.target)
    values = ArrayValues.of(path.absolute(), key, arrays[key], read_array)
    names = None if NAMES not in arrays else names_of(_texts(arrays[NAMES]), values.shape[1])
    others = {
        name: Labels(name, partial(read_array, values.path, name))
        for name in arrays
        if name not in (key, NAMES)
    }
    source = source_of(values, names, others, options)
    _require_one_each(source, arrays)
    return source


def _texts(array: Any) -> NDArray[Any]:
    values = array[()]
    if values.dtype.kind not in "OT":
        return np.asarray(values)
    strings = [
        value.decode("utf-8", "replace") if isinstance(value, bytes) else value for value in values
    ]
    return np.array(strings)


def _require_one_each(source: MatrixSource, arrays: Mapping[str, Any]) -> None:
    """Raise an error, before reading any, unless there is one label per row."""
    array = None if source.target is None else arrays.get(source.target)
    if array is not None and array.shape != (source.shape[0],):
        raise DataError(
            f"The target {source.target!r} has shape {array.shape} for {source.shape[0]} samples. "
            "One label per sample was expected."
        )
