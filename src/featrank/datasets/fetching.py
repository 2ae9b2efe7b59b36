"""The data sets of the paper: found locally or downloaded, and always verified."""

import os
import warnings
from pathlib import Path

import numpy as np

from featrank.datasets.checks import class_codes, values_checksum, verify
from featrank.datasets.dataset import Dataset
from featrank.datasets.places import Arrays, cache_folder, find, folders, read_npz, store_npz
from featrank.datasets.registry import REGISTRY, Source
from featrank.exceptions import DataError, FeatrankWarning, UsageError, unknown_name


def fetch(
    name: str, *, folder: str | os.PathLike[str] | None = None, download: bool = True
) -> Dataset:
    """Return one of the paper's data sets, verified.

    The file ``NAME.npz`` is searched in `folder`, then in the folder given by the environment
    variable ``FEATRANK_DATA``, then in the cache (``FEATRANK_CACHE``, or the platform's default).
    If it is not found, the data set is downloaded, verified and stored in the cache.

    A file is valid if its checksum is known, or if its shape, class sizes and values are correct.
    If the first file found is invalid, an error is raised and no other file is tried.

    Parameters
    ----------
    name : str
        A name in ``featrank.datasets.REGISTRY``.
    folder : path, optional
        Folder to search first; it must exist.
    download : bool
        Whether to download the data set if needed. This requires the extra ``data``.

    Returns
    -------
    Dataset
        If all values are known, the class labels are those of the registry, whatever they are in
        the file. Missing values are NaN.

    Raises
    ------
    UsageError
        The name or the folder does not exist.
    DataError
        The data set cannot be found, downloaded or verified.
    """
    if name not in REGISTRY:
        raise UsageError(unknown_name("data set", name, REGISTRY))
    source = REGISTRY[name]
    path = find(name, folder)
    if path is not None:
        return _dataset(source, _read_verified(source, path))
    if download and source.address is not None:
        return _dataset(source, _download_verified(source))
    raise DataError(_not_found(source, folder))


def _read_verified(source: Source, path: Path) -> Arrays:
    fix = _fix(source, path)
    arrays, file_sha256 = read_npz(path, fix)
    if file_sha256 != source.file_sha256:
        verify(source, arrays.X, arrays.y, f"The file {str(path)!r}", fix)
    return arrays


def _fix(source: Source, path: Path) -> str:
    if path.parent == cache_folder() and source.address is not None:
        return "Delete this file: the data is then downloaded again when it is next asked for."
    return "Replace this file by a right copy, or remove it."


def _download_verified(source: Source) -> Arrays:
    from featrank.datasets.downloads import by_hand, download

    cache = cache_folder()
    try:
        # Before the download, to fail early if the data cannot be stored.
        cache.mkdir(parents=True, exist_ok=True)
        arrays = download(source)
        verify(source, arrays.X, arrays.y, f"What {source.address} gave", by_hand(source))
        store_npz(cache / f"{source.name}.npz", arrays)
    except OSError as error:
        raise DataError(
            f"The data set '{source.name}' cannot be kept in {str(cache)!r}: "
            f"{error.strerror or error}. Name a folder that can be written to in the environment "
            "variable FEATRANK_CACHE."
        ) from error
    return arrays


def _warn_of_weak_check(source: Source, arrays: Arrays) -> None:
    """Warn of a data set whose values cannot be verified one by one."""
    if source.values_sha256 is None:
        warnings.warn(
            f"The data set '{source.name}' is known by its shape, class sizes and sum alone, and "
            "not value by value. The checksum of the values that are used is "
            f"{values_checksum(arrays.X, arrays.y)}.",
            FeatrankWarning,
            stacklevel=4,
        )


def _dataset(source: Source, arrays: Arrays) -> Dataset:
    _warn_of_weak_check(source, arrays)
    y = arrays.y
    if source.values_sha256 is not None:
        y = np.array(list(source.classes))[class_codes(y)]
    return Dataset(
        X=arrays.X,
        y=y,
        feature_names=arrays.feature_names,
        target_name="class",
        name=source.name,
        description=source.description,
    )


def _not_found(source: Source, folder: str | os.PathLike[str] | None) -> str:
    looked = ", ".join(repr(str(place)) for place in folders(folder))
    if source.address is None:
        fix = "It has no public address"
    else:
        fix = f"It may be downloaded (download=True) from {source.address}"
    return (
        f"The data set '{source.name}' is not on this computer: no file {source.name}.npz in "
        f"{looked}. {fix}; or name the folder that holds it in the environment variable "
        "FEATRANK_DATA."
    )
