"""Arrays of a Zarr folder, opened by path for each read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError, missing_extra


def arrays_of(path: Path) -> dict[str, Any]:
    """Return the arrays of a group by name. A lone array has the name ''."""
    zarr = _zarr(path)
    found = zarr.open(str(path), mode="r")
    if isinstance(found, zarr.Array):
        return {"": _checked(found)}
    members = {name: _member(found, name) for name in _folders(path)}
    return {name: _checked(one) for name, one in members.items() if isinstance(one, zarr.Array)}


def _folders(path: Path) -> list[str]:
    return sorted(inside.name for inside in path.iterdir() if inside.is_dir())


def _member(group: Any, name: str) -> Any:
    """Return the array or group in a folder of a group, or None if it is not Zarr.

    Opened one by one: if several are damaged, Zarr would raise the error of one, and print the
    others when Python deletes them.
    """
    try:
        return group[name]
    except KeyError:
        return None


def read_array(path: Path, key: str, index: Any) -> NDArray[Any]:
    """Return part of an array by its key, with strings of any length as objects."""
    values = np.asarray(_array(path, key)[index])
    return values.astype(object) if values.dtype.kind == "T" else values


def _array(path: Path, key: str) -> Any:
    return _checked(_zarr(path).open_array(str(path), path=key or None, mode="r"))


def _checked(array: Any) -> Any:
    """Reject an array whose codecs load pickles, which can run any code."""
    if "pickle" in str(array.metadata.to_dict().get("filters", "")).lower():
        raise DataError(
            f"The array {array.name!r} contains pickled Python objects. featrank never loads them, "
            "since they can run any code. Store numbers and strings as plain arrays."
        )
    return array


def _zarr(path: Path) -> Any:
    try:
        import zarr
    except ImportError as error:
        raise missing_extra("zarr", "scale", f"Reading {path.name!r}") from error
    return zarr
