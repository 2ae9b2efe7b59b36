"""The arrays of NumPy's files, from which pickled objects are never loaded."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from ..exceptions import DataError
from .table import parsing

_SPARSE_KEYS = {
    "format",
    "shape",
    "data",
    "indices",
    "indptr",
    "_is_array",
    "row",
    "col",
    "offsets",
}


def read_array(path: Path) -> np.ndarray:
    """Return the array of an npy file."""
    with _without_pickle(path, "a NumPy array"):
        check_start(path, b"\x93NUMPY")
        array: np.ndarray = np.load(path, allow_pickle=False)
        return array


def read_archive(path: Path) -> dict[str, Any]:
    """Return the arrays of an npz file by name; of a sparse one its matrix is ``X``."""
    with _without_pickle(path, "an npz archive"):
        check_start(path, b"PK")
        return _archive(path)


def sparse_parts(X: Any) -> dict[str, Any]:
    """Return the arrays of a sparse matrix as scipy.sparse.save_npz lays them out."""
    return {
        "format": X.format.encode(),
        "shape": X.shape,
        "data": X.data,
        "indices": X.indices,
        "indptr": X.indptr,
    }


def _archive(path: Path) -> dict[str, Any]:
    with np.load(path, allow_pickle=False) as archive:
        keys = set(archive.files)
        if not {"format", "shape", "data"} <= keys:
            return {key: archive[key] for key in sorted(keys)}
        from scipy.sparse import load_npz

        others = {key: archive[key] for key in sorted(keys - _SPARSE_KEYS)}
        return {"X": load_npz(path), **others}


def check_start(path: Path, magic: bytes) -> None:
    """Refuse a file that does not begin as its format does."""
    # NumPy takes a file of any other beginning for a pickle, and says so.
    with open(path, "rb") as file:
        if file.read(len(magic)) != magic:
            raise DataError(
                f"{str(path)!r} does not begin as a {path.suffix} file does. It may be damaged or "
                "of another format."
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
                "Loading one can run any code, so featrank never does. Store numbers and texts "
                "as plain arrays: np.asarray(values, dtype=float) or dtype=str."
            ) from error
