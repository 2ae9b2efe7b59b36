"""The arrays of NumPy's files, from which pickled objects are never loaded."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import IO, Any
from zipfile import ZipFile

import numpy as np

from featrank._utils.budget import written_size
from featrank.exceptions import DataError
from featrank.tables.memory_check import require_room
from featrank.tables.table import parsing

_SPARSE = {"format", "shape", "data", "indices", "indptr", "_is_array", "row", "col", "offsets"}


def read_array(path: Path) -> np.ndarray:
    """Return the array of an npy file."""
    with _without_pickle(path, "a NumPy array"):
        check_start(path, b"\x93NUMPY")
        with open(path, "rb") as file:
            _check_header(file, path.stat().st_size, path)
        array: np.ndarray = np.load(path, allow_pickle=False)
        return array


def read_archive(path: Path) -> dict[str, Any]:
    """Return the arrays of an npz file by name. A sparse matrix is ``X``."""
    with _archive(path) as archive:
        keys = sorted(archive.files)
        if not {"format", "shape", "data"} <= {*keys}:
            return {key: archive[key] for key in keys}
        from scipy.sparse import load_npz

        return {"X": load_npz(path)} | {key: archive[key] for key in keys if key not in _SPARSE}


def read_members(path: Path) -> dict[str, np.ndarray]:
    """Return the arrays of an npz file by name, and raise an error for other members."""
    with _archive(path) as archive:
        found = {name: archive[name] for name in archive.files}
        for name, array in found.items():
            if not isinstance(array, np.ndarray):
                raise ValueError(f"{name!r} is not an array")
        return found


def read_header(file: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype]:
    """Return the shape of an array, whether it is in Fortran order, and its type."""
    formats = np.lib.format
    first = formats.read_magic(file) == (1, 0)
    return (formats.read_array_header_1_0 if first else formats.read_array_header_2_0)(file)


def _check_members(path: Path) -> None:
    """Reject an archive whose arrays do not fit into memory, by their declared sizes."""
    with ZipFile(path) as archive:
        members = [one for one in archive.infolist() if one.filename.endswith(".npy")]
        require_room(sum(one.file_size for one in members), path, "its unpacked content")
        for one in members:
            with archive.open(one) as file:
                _check_header(file, one.file_size, path)


def _check_header(file: IO[bytes], size: int, path: Path) -> None:
    shape, _, stored = read_header(file)
    promised = prod(shape) * stored.itemsize
    if not stored.hasobject and promised > size:
        raise DataError(
            f"{str(path)!r} declares an array of shape {shape} and type {stored}, which takes "
            f"{written_size(promised)}, but holds {written_size(size)}. It is truncated or "
            "damaged. Download or write it again."
        )
    require_room(promised, path, f"an array of shape {shape}")


def sparse_parts(X: Any) -> dict[str, Any]:
    """Return the arrays of a sparse matrix in the format of scipy.sparse.save_npz."""
    arrays = {name: getattr(X, name) for name in ("shape", "data", "indices", "indptr")}
    return {"format": X.format.encode(), **arrays}


@contextmanager
def _archive(path: Path) -> Iterator[Any]:
    with _without_pickle(path, "an npz archive"):
        check_start(path, b"PK")
        _check_members(path)
        with np.load(path, allow_pickle=False) as archive:
            yield archive


def check_start(path: Path, magic: bytes) -> None:
    """Reject a file that does not begin like its format."""
    # NumPy assumes that a file with any other beginning is a pickle.
    with open(path, "rb") as file:
        if file.read(len(magic)) != magic:
            raise DataError(
                f"{str(path)!r} does not begin like a {path.suffix} file. It may be damaged or in "
                "another format."
            )


@contextmanager
def _without_pickle(path: Path, kind: str) -> Iterator[None]:
    with parsing(path, kind):
        try:
            yield
        except ValueError as error:
            if "Object arrays" not in str(error):
                raise
            raise DataError(
                f"{str(path)!r} holds an array of Python objects, which is stored as a pickle. "
                "Loading one can run any code, so featrank never does. Store numbers and strings "
                "as plain arrays: np.asarray(values, dtype=float) or dtype=str."
            ) from error
