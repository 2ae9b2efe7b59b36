"""Formats that hold named arrays (npz, mat, npy): find X and the labels."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from featrank.exceptions import DataError, UsageError, unknown_name
from featrank.tables.columns import columns_named, default_names, find_column
from featrank.tables.labels import find_label_file, read_label_file, require_unicode
from featrank.tables.memory_check import require_shape
from featrank.tables.options import ReadOptions
from featrank.tables.prepare import from_matrix, numeric_matrix
from featrank.tables.samples import Samples
from featrank.tables.table import Table

#: The array of the names of features.
NAMES = "feature_names"

#: The array of the IDs of samples.
IDS = "sample_ids"

#: Arrays that are labels if no target is given. The first one that exists is used.
LABELS = ("y", "Y", "labels")


def from_arrays(arrays: dict[str, Any], path: Path, options: ReadOptions) -> Table:
    """Make a Table of the array ``X`` (or the only matrix) and the labels stored with it."""
    _require_arrays(arrays, path)
    key = matrix_key(arrays, options.file_target)
    if not isinstance(arrays[key], np.ndarray):
        require_shape(arrays[key].shape, path)
    X = numeric_matrix(arrays[key])
    X = X.T if options.transpose else X
    names = names_of(arrays.get(NAMES), X.shape[1])
    others = {name: array for name, array in arrays.items() if name not in (key, NAMES)}
    samples = _samples(others, X.shape[0])
    target = options.file_target or next((name for name in LABELS if name in others), None)
    if target is None or target in others:
        y = None if target is None else others[target]
        return from_matrix(X, names, y, target, options, samples=samples)
    column = find_column(names, target)
    if column is not None:
        return _split_column(X, names, column, options, samples)
    file = find_label_file(target, data_file=path)
    if file is not None:
        y = read_label_file(file, X.shape[0])
        return from_matrix(X, names, y, file.stem, options, samples=samples)
    raise UsageError(
        f"{unknown_name('target', target, [*others, *names])} No file has that name either."
    )


def _require_arrays(arrays: Mapping[str, Any], path: Path) -> None:
    """Reject members that are not arrays, which NumPy returns for a damaged archive."""
    for name, array in arrays.items():
        if not hasattr(array, "dtype"):
            raise DataError(
                f"{name!r} in {str(path)!r} is not an array. The file may be damaged or in another "
                "format."
            )
        require_unicode(array, f"{name!r} in {str(path)!r}")


def _samples(others: Mapping[str, Any], n_samples: int) -> Samples:
    """Return the arrays with one value per sample as annotations of the samples."""
    annotations = {
        name: array.ravel()
        for name, array in others.items()
        if array.size == n_samples == max(array.shape, default=0)
    }
    ids = annotations.pop(IDS, None)
    return Samples.of(annotations, ids, id_name=None if ids is None else IDS)


def _split_column(
    X: Any, names: list[str], column: int, options: ReadOptions, samples: Samples
) -> Table:
    values = X[:, [column]]
    labels = values if isinstance(values, np.ndarray) else values.toarray()
    if names[column] in columns_named(options.drop, set(names)):
        raise UsageError(f"{names[column]!r} is the target and also in `drop`. Choose one.")
    rest = [index for index in range(len(names)) if index != column]
    left = [names[index] for index in rest]
    return from_matrix(X[:, rest], left, labels, names[column], options, samples=samples)


def matrix_key(arrays: Mapping[str, Any], target: str | None) -> str:
    """Return the name of the array that is the data: ``X``, or the only matrix."""
    if "X" in arrays:
        return "X"
    taken = {NAMES, target, *LABELS}
    matrices = [name for name, array in arrays.items() if name not in taken and _is_matrix(array)]
    if len(matrices) != 1:
        found = ", ".join(f"{name!r} {array.shape}" for name, array in arrays.items())
        raise DataError(
            f"No array is named 'X', and {len(matrices)} other arrays could be the data. Found: "
            f"{found or 'no arrays'}. Name the samples × features array 'X'."
        )
    return matrices[0]


def _is_matrix(array: Any) -> bool:
    return array.dtype.kind in "biuf" and array.ndim == 2 and min(array.shape) > 1


def names_of(stored: np.ndarray | None, n_features: int) -> list[str]:
    """Return the feature names as strings: ``x0``, ``x1``, … if none are stored."""
    if stored is None:
        return default_names(n_features)
    if stored.dtype.kind not in "US" or stored.size != n_features:
        raise DataError(
            f"{NAMES!r} has shape {stored.shape} and type {stored.dtype}. Store {n_features} "
            "strings, one per feature."
        )
    strings = np.char.decode(stored, "utf-8", "replace") if stored.dtype.kind == "S" else stored
    return [str(name) for name in strings.ravel()]
