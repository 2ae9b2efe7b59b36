"""Single columns of obs and var in an h5ad file, of any version of anndata."""

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
    """Return the names of the columns, without the index."""
    if _is_compound(frame):
        return list(frame.dtype.names[1:])
    if "column-order" not in frame.attrs:
        raise DataError(
            f"{frame.name!r} in {Path(frame.file.filename).name!r} is not a data frame of anndata. "
            "Read the file with anndata and write it again."
        )
    return [str(name) for name in frame.attrs["column-order"]]


def index_name(frame: Any) -> str:
    """Return the name of the index."""
    return str(frame.dtype.names[0] if _is_compound(frame) else frame.attrs["_index"])


def index_of(frame: Any) -> list[str]:
    """Return the index of the rows."""
    columns_of(frame)
    return [str(name) for name in column(frame, index_name(frame)).tolist()]


def column(frame: Any, name: str, rows: slice = slice(None)) -> NDArray[Any]:
    """Return some rows of a column. Missing values are None, and categories are their values."""
    if _is_compound(frame):
        return _compound_column(frame, name, rows)
    found = member(frame, name)
    if not hasattr(found, "shape"):
        return _encoded(found, rows)
    if _OLD_CATEGORIES in frame and name in member(frame, _OLD_CATEGORIES):
        return _categories(found[rows], stored(member(frame, f"{_OLD_CATEGORIES}/{name}")))
    return stored(found, rows)


def _is_compound(frame: Any) -> bool:
    """Whether a frame is an array of records, the index first, as anndata before 0.7 wrote it."""
    return getattr(getattr(frame, "dtype", None), "names", None) is not None


def _compound_column(frame: Any, name: str, rows: slice) -> NDArray[Any]:
    values = np.asarray(frame.fields(name)[rows])
    key = f"uns/{name}_categories"
    if values.dtype.kind in "iu" and key in frame.file:
        return _categories(values, np.atleast_1d(_decoded(stored(member(frame.file, key), ()))))
    return _decoded(values)


def _decoded(values: NDArray[Any]) -> NDArray[Any]:
    if values.dtype.kind not in "SO":
        return values
    strings = [
        one.decode(errors="replace") if isinstance(one, bytes) else one for one in values.flat
    ]
    return np.array(strings, dtype=object)


def _encoded(group: Any, rows: slice) -> NDArray[Any]:
    if "codes" in group:
        return _categories(member(group, "codes")[rows], stored(member(group, "categories")))
    if "mask" not in group:
        raise DataError(
            f"{group.name!r} is stored as {group.attrs.get('encoding-type', 'a group')!r}, which "
            "cannot be labels. Use numbers, strings, booleans or categories."
        )
    values, mask = stored(member(group, "values"), rows), member(group, "mask")[rows]
    return _without(values, np.asarray(mask, dtype=bool))


def _categories(codes: NDArray[Any], categories: NDArray[Any]) -> NDArray[Any]:
    if codes.size and codes.max() >= len(categories):
        raise DataError(
            f"The code {codes.max()} exceeds the {len(categories)} categories. The file may be "
            "damaged: write it again."
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
