"""Columns with the same name, such as probes of a gene: reject them or merge them into one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from featrank.tables.columns import MERGE, check_unique, listed
from featrank.tables.spreadsheet_names import numbered_apart
from featrank.tables.table import Table


def merged(table: Table, how: str) -> Table:
    """Return a table with one column per name, and the symbol of the first column of each name.

    Gene names that a spreadsheet program converted to dates or numbers are not merged, since they
    may belong to different genes. They get numbers instead.

    Parameters
    ----------
    table : Table
        Missing values (NaN) do not count.
    how : {"error", "mean", "max", "first"}
        How values are merged: an error, the mean, the largest, or those of the first.
    """
    if how != "error":
        table = replace(table, feature_names=numbered_apart(table.feature_names))
    places: dict[str, list[int]] = {}
    for place, name in enumerate(table.feature_names):
        places.setdefault(name, []).append(place)
    if len(places) == len(table.feature_names):
        return table
    if how == "error":
        check_unique(table.feature_names, MERGE)
    left = table.features([own[0] for own in places.values()])
    several = {new: own for new, own in enumerate(places.values()) if len(own) > 1}
    X = left.X if how == "first" else _joined(table.X, left.X, several, how)
    what = "first feature of each" if how == "first" else f"{how} of each"
    which = listed([left.feature_names[new] for new in several])
    occur = "1 name occurs" if len(several) == 1 else f"{len(several)} names occur"
    note = f"{occur} more than once. featrank used the {what}: {which}."
    done = {**table.preprocessing, "merged_names": len(several)}
    return replace(left, X=X, notes=(*table.notes, note), preprocessing=done)


def _joined(X: Any, first: Any, several: dict[int, list[int]], how: str) -> Any:
    """Return one column per name."""
    sparse = not isinstance(X, np.ndarray)
    source = X.tocsc() if sparse else X
    columns = {new: _one(source[:, own], how, sparse) for new, own in several.items()}
    if sparse:
        return _replaced_sparse(first.tocsc(), columns).asformat(X.format)
    floats = how == "mean" and X.dtype.kind != "f"
    joined = first.astype(np.float64 if floats else X.dtype)
    for new, values in columns.items():
        joined[:, new] = values
    return joined


def _one(block: Any, how: str, sparse: bool) -> np.ndarray:
    dense = block.toarray() if sparse else np.asarray(block)
    if dense.dtype.kind != "f":
        return dense.mean(axis=1) if how == "mean" else dense.max(axis=1)
    known = ~np.isnan(dense)
    if how == "max":
        largest = np.where(known, dense, -np.inf).max(axis=1)
        return np.where(known.any(axis=1), largest, np.nan)
    count = known.sum(axis=1)
    total = np.where(known, dense, 0).sum(axis=1, dtype=np.float64)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _replaced_sparse(X: Any, columns: dict[int, np.ndarray]) -> Any:
    from scipy.sparse import csc_array, csc_matrix, hstack

    kind = csc_matrix if type(X).__name__.endswith("matrix") else csc_array
    order = sorted(columns)
    dtype = np.result_type(X.dtype, *{values.dtype for values in columns.values()})
    made = kind(np.stack([columns[new] for new in order], axis=1).astype(dtype))
    others = np.setdiff1d(np.arange(X.shape[1]), order)
    joined = hstack([X[:, others], made], format="csc")
    return joined[:, np.argsort(np.concatenate([others, order]))]
