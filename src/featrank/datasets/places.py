"""Find, read and write the local files of data sets."""

import hashlib
import io
import os
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

from featrank._utils.atomic_files import replacing
from featrank.datasets.dataset import numbered
from featrank.exceptions import DataError, UsageError


class Arrays(NamedTuple):
    """The content of a data set's file."""

    X: np.ndarray
    y: np.ndarray
    feature_names: list[str]


def cache_folder() -> Path:
    """Return the folder for downloads: ``FEATRANK_CACHE``, or the platform's default."""
    folder = os.environ.get("FEATRANK_CACHE")
    return Path(folder).expanduser() if folder else _platform_cache() / "featrank"


def folders(folder: str | os.PathLike[str] | None = None) -> list[Path]:
    """Return the folders to search, in order. A given folder must exist."""
    places = [cache_folder()]
    if os.environ.get("FEATRANK_DATA"):
        places.insert(0, Path(os.environ["FEATRANK_DATA"]).expanduser())
    if folder is not None:
        places.insert(0, Path(folder).expanduser())
        if not places[0].is_dir():
            raise UsageError(
                f"The folder of data sets {str(places[0])!r} does not exist. Check the path."
            )
    return places


def find(name: str, folder: str | os.PathLike[str] | None = None) -> Path | None:
    """Return the first file ``NAME.npz`` in the folders, or None."""
    candidates = (place / f"{name}.npz" for place in folders(folder))
    return next((path for path in candidates if path.is_file()), None)


def read_npz(path: Path, fix: str) -> tuple[Arrays, str]:
    """Return the arrays of an NPZ file and the file's SHA-256, both from the same bytes."""
    try:
        content = path.read_bytes()
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            arrays = {key: file[key] for key in ("X", "y", "feature_names") if key in file}
    # Damaged archives raise nearly anything: BadZipFile, zlib.error, EOFError, TypeError, ...
    except Exception as error:
        reason = str(error).rstrip(".") or type(error).__name__
        raise DataError(f"{str(path)!r} cannot be read as NPZ: {reason}. {fix}") from error
    problem = _problem(arrays)
    if problem:
        raise DataError(f"{str(path)!r} is not a data set: {problem}. {fix}")
    names = arrays.get("feature_names", numbered("feature", arrays["X"].shape[1]))
    found = Arrays(arrays["X"].astype(np.float64), arrays["y"], [str(name) for name in names])
    return found, hashlib.sha256(content).hexdigest()


def store_npz(path: Path, arrays: Arrays) -> None:
    """Write an NPZ file atomically."""
    with replacing(path) as temporary:
        np.savez_compressed(
            temporary, X=arrays.X, y=arrays.y, feature_names=np.array(arrays.feature_names)
        )


def _platform_cache() -> Path:
    if os.environ.get("XDG_CACHE_HOME"):
        return Path(os.environ["XDG_CACHE_HOME"])
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path.home() / ".cache"


def _problem(arrays: dict[str, np.ndarray]) -> str | None:
    absent = [key for key in ("X", "y") if key not in arrays]
    if absent:
        return f"the array {absent[0]!r} is missing (expected 'X', samples × features, and 'y')"
    X, y = arrays["X"], arrays["y"]
    if X.ndim != 2 or X.dtype.kind not in "buif":
        return f"'X' should be a matrix of numbers, but is {X.dtype} of shape {X.shape}"
    if y.shape != X.shape[:1]:
        return f"'y' should have shape {X.shape[:1]}, one label per sample, but has {y.shape}"
    names = arrays.get("feature_names")
    if names is not None and names.shape != X.shape[1:]:
        return f"'feature_names' should have shape {X.shape[1:]}, but has {names.shape}"
    return None
