"""Arrays of a Zarr folder, opened by path for each read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError, missing_extra
from featrank.sources.chunking import axis_of
from featrank.sources.source import Axis
from featrank.tables.prepare import matrix_type


@dataclass(frozen=True)
class ZarrValues:
    """A matrix of a Zarr folder."""

    path: Path
    key: str
    shape: tuple[int, int]
    dtype: np.dtype
    axis: Axis
    chunk: int

    def read(self, rows: slice, columns: slice) -> NDArray[Any]:
        """Return some rows and columns."""
        return np.asarray(_array(self.path, self.key)[rows, columns])


@dataclass(frozen=True)
class ZarrLabels:
    """Labels that are an array of a Zarr folder."""

    path: Path
    key: str
    name: str

    def read(self, rows: slice) -> NDArray[Any]:
        """Return the labels of some rows."""
        return stored(_array(self.path, self.key), rows)


def arrays_of(path: Path) -> dict[str, Any]:
    """Return the arrays of a group by name; a lone array has the name ''."""
    zarr = _zarr(path)
    found = zarr.open(str(path), mode="r")
    if isinstance(found, zarr.Array):
        return {"": _checked(found)}
    members = {name: _member(found, name) for name in _folders(path)}
    return {name: _checked(one) for name, one in members.items() if isinstance(one, zarr.Array)}


def _folders(path: Path) -> list[str]:
    return sorted(inside.name for inside in path.iterdir() if inside.is_dir())


def _member(group: Any, name: str) -> Any:
    """Return what a folder in a group is, None if it is nothing of Zarr.

    One after another: where several are damaged, Zarr would raise the error of one, and print the
    others whenever Python comes to clear them away.
    """
    try:
        return group[name]
    except KeyError:
        return None


def zarr_values(path: Path, key: str, array: Any) -> ZarrValues:
    """Return the matrix that an array holds."""
    dtype = matrix_type(array)
    axis = axis_of(array.shape, array.chunks)
    chunk = array.chunks[0 if axis == "rows" else 1]
    return ZarrValues(path, key, array.shape, dtype, axis, chunk)


def stored(array: Any, rows: slice = slice(None)) -> NDArray[Any]:
    """Return values of a one-dimensional array; texts of any length as objects."""
    values = np.asarray(array[rows])
    return values.astype(object) if values.dtype.kind == "T" else values


def _array(path: Path, key: str) -> Any:
    return _checked(_zarr(path).open_array(str(path), path=key or None, mode="r"))


def _checked(array: Any) -> Any:
    """Refuse an array whose codecs load pickles, which can run any code."""
    if "pickle" in str(array.metadata.to_dict().get("filters", "")).lower():
        raise DataError(
            f"The array {array.name!r} holds pickled Python objects. Loading one can run any code, "
            "so featrank never does. Store numbers and texts as plain arrays."
        )
    return array


def _zarr(path: Path) -> Any:
    try:
        import zarr
    except ImportError as error:
        raise missing_extra("zarr", "scale", f"Reading {path.name!r}") from error
    return zarr
