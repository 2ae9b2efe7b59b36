"""HDF5 files: opened by path for each read; links out of the file are never followed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError, missing_extra
from featrank.tables.arrays import LABELS, NAMES


@contextmanager
def hdf5_file(path: Path) -> Iterator[Any]:
    """Open an HDF5 file for reading."""
    try:
        import h5py
    except ImportError as error:
        raise missing_extra("h5py", "bio", f"Reading {path.name!r}") from error
    with h5py.File(path, "r") as file:
        yield file


def member(group: Any, key: str) -> Any:
    """Return a dataset or a group by its path; links and values in other files are errors."""
    import h5py

    for name in key.strip("/").split("/"):
        link = group.get(name, getlink=True)
        if not isinstance(link, h5py.HardLink):
            raise DataError(
                f"{key!r} in {Path(group.file.filename).name!r} is a link. Links are not "
                "followed, since they may lead to other files: store the data itself."
            )
        group = group[name]
    if isinstance(group, h5py.Dataset) and (group.is_virtual or group.external):
        raise DataError(
            f"The values of {key!r} in {Path(group.file.filename).name!r} are in other files, "
            "which are not opened. Store the data itself."
        )
    return group


def arrays_of(file: Any, target: str | None) -> dict[str, Any]:
    """Return the top-level datasets of a file by name; raise an error if a needed one is a link."""
    import h5py

    needed = {"X", NAMES, *LABELS, target}
    own = [
        name
        for name in file
        if name in needed or isinstance(file.get(name, getlink=True), h5py.HardLink)
    ]
    members = {name: member(file, name) for name in own}
    return {name: found for name, found in members.items() if isinstance(found, h5py.Dataset)}


def stored(dataset: Any, index: Any = slice(None)) -> NDArray[Any]:
    """Return values of a dataset; strings as objects."""
    import h5py

    if h5py.check_string_dtype(dataset.dtype) is not None:
        dataset = dataset.asstr(errors="replace")
    return np.asarray(dataset[index])


def read_array(path: Path, key: str, index: Any) -> NDArray[Any]:
    """Return a part of an array by its path in the file."""
    with hdf5_file(path) as file:
        return stored(member(file, key), index)
