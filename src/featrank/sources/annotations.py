"""Columns of the annotations of an h5ad file (obs, var), read without the rest."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError
from featrank.sources.hdf5 import hdf5_file, member, stored
from featrank.sources.labels import Labels

_OLD_CATEGORIES = "__categories"


def columns_of(frame: Any) -> list[str]:
    """Return the names of the columns, the index not among them."""
    if "column-order" not in frame.attrs:
        raise DataError(
            f"{frame.name!r} in {Path(frame.file.filename).name!r} is not laid out as a data "
            "frame of anndata 0.7 or newer. Write the file again with a newer anndata."
        )
    return [str(name) for name in frame.attrs["column-order"]]


def index_of(frame: Any) -> list[str]:
    """Return the index of the rows."""
    columns_of(frame)
    return [str(name) for name in column(frame, frame.attrs["_index"]).tolist()]


def column(frame: Any, name: str, rows: slice = slice(None)) -> NDArray[Any]:
    """Return some rows of a column; a missing value is None, a category its value."""
    found = member(frame, name)
    if not hasattr(found, "shape"):
        return _encoded(found, rows)
    if _OLD_CATEGORIES in frame and name in member(frame, _OLD_CATEGORIES):
        return _categories(found[rows], stored(member(frame, f"{_OLD_CATEGORIES}/{name}")))
    return stored(found, rows)


def _encoded(group: Any, rows: slice) -> NDArray[Any]:
    if "codes" in group:
        return _categories(member(group, "codes")[rows], stored(member(group, "categories")))
    if "mask" not in group:
        raise DataError(
            f"{group.name!r} is stored as {group.attrs.get('encoding-type', 'a group')!r}, which "
            "cannot be labels. Numbers, texts, booleans or categories were expected."
        )
    values, mask = stored(member(group, "values"), rows), member(group, "mask")[rows]
    return _without(values, np.asarray(mask, dtype=bool))


def _categories(codes: NDArray[Any], categories: NDArray[Any]) -> NDArray[Any]:
    if codes.size and codes.max() >= len(categories):
        raise DataError(
            f"A code of a category is {codes.max()}, but there are {len(categories)} categories."
        )
    if not len(categories):
        return np.full(len(codes), None)
    return _without(categories[np.maximum(codes, 0)], codes < 0)


def _without(values: NDArray[Any], is_missing: NDArray[np.bool_]) -> NDArray[Any]:
    if not is_missing.any():
        return values
    objects = values.astype(object)
    objects[is_missing] = None
    return objects


def obs_labels(path: Path, name: str) -> Labels:
    """Return labels that are a column of obs."""
    return Labels(name, partial(_obs_column, path, name))


def _obs_column(path: Path, name: str, rows: slice) -> NDArray[Any]:
    with hdf5_file(path) as file:
        return column(member(file, "obs"), name, rows)
