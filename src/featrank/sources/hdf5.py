"""HDF5 files: opened by path for each read; links out of the file are never followed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError, missing_extra
from featrank.sources.chunking import axis_of
from featrank.sources.source import Axis
from featrank.tables.arrays import LABELS, NAMES
from featrank.tables.prepare import matrix_type


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
    """Return a dataset or a group by its path in the file, all of which must be in the file."""
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
    """Return the datasets at the top of a file by name; a link is refused if it is needed."""
    import h5py

    needed = {"X", NAMES, *LABELS, target}
    own = [
        name
        for name in file
        if name in needed or isinstance(file.get(name, getlink=True), h5py.HardLink)
    ]
    members = {name: member(file, name) for name in own}
    return {name: found for name, found in members.items() if isinstance(found, h5py.Dataset)}


def stored(dataset: Any, rows: slice = slice(None)) -> NDArray[Any]:
    """Return values of a one-dimensional dataset; texts as objects."""
    import h5py

    if h5py.check_string_dtype(dataset.dtype) is not None:
        dataset = dataset.asstr(errors="replace")
    return np.asarray(dataset[rows])


@dataclass(frozen=True)
class HDF5Values:
    """A matrix of an HDF5 file."""

    path: Path
    key: str
    shape: tuple[int, int]
    dtype: np.dtype
    axis: Axis
    chunk: int

    def read(self, rows: slice, columns: slice) -> NDArray[Any]:
        """Return some rows and columns."""
        with hdf5_file(self.path) as file:
            values: NDArray[Any] = member(file, self.key)[rows, columns]
            return values


@dataclass(frozen=True)
class HDF5Labels:
    """Labels that are an array of an HDF5 file."""

    path: Path
    key: str
    name: str

    def read(self, rows: slice) -> NDArray[Any]:
        """Return the labels of some rows."""
        with hdf5_file(self.path) as file:
            return stored(member(file, self.key), rows)


def hdf5_values(path: Path, key: str, dataset: Any) -> HDF5Values:
    """Return the matrix that a dataset holds."""
    dtype = matrix_type(dataset)
    shape, chunks = dataset.shape, dataset.chunks
    axis = axis_of(shape, chunks)
    chunk = 1 if chunks is None else chunks[0 if axis == "rows" else 1]
    return HDF5Values(path, key, shape, dtype, axis, chunk)
