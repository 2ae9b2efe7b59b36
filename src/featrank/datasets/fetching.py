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
        Folder to search first. It must exist.
    download : bool
        Whether to download the data set if needed. This requires the extra ``data``.

    Returns
    -------
    Dataset
        If the registry has a checksum of all values, the class labels are those of the registry,
        even if the file has others. Missing values are NaN.

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
        return "Delete this file. featrank downloads the data again when you next load it."
    return "Replace this file with a correct copy, or delete it."


def _download_verified(source: Source) -> Arrays:
    from featrank.datasets.downloads import by_hand, download

    cache = cache_folder()
    try:
        # Made before the download, to fail early if the data cannot be stored.
        cache.mkdir(parents=True, exist_ok=True)
        arrays = download(source)
        verify(source, arrays.X, arrays.y, f"What {source.address} gave", by_hand(source))
        store_npz(cache / f"{source.name}.npz", arrays)
    except OSError as error:
        raise DataError(
            f"The data set '{source.name}' cannot be kept in {str(cache)!r}: "
            f"{error.strerror or error}. Set the environment variable FEATRANK_CACHE to a folder "
            "that you can write to."
        ) from error
    return arrays


def _warn_of_weak_check(source: Source, arrays: Arrays) -> None:
    """Warn if the values of a data set cannot be verified one by one."""
    if source.values_sha256 is None:
        warnings.warn(
            f"featrank cannot verify every value of the data set '{source.name}', which is "
            "known by its shape, class sizes and sum alone. The checksum of the loaded values is "
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
        download = "It has no public address."
    else:
        download = f"Use `download=True` to get it from {source.address}."
    return (
        f"The data set '{source.name}' is not on this computer: no file {source.name}.npz in "
        f"{looked}. {download} If you have the file, set the environment variable FEATRANK_DATA "
        "to its folder."
    )
