"""The paper's data sets: found on this computer or downloaded, and verified either way."""

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

    A file ``NAME.npz`` is looked for in `folder`, then in the folder that the environment variable
    ``FEATRANK_DATA`` names, then in the cache (``FEATRANK_CACHE``, or the platform's usual place).
    If there is none, the set is downloaded, verified and kept in the cache.

    A file is right if its own checksum is the known one, or if its shape, class sizes and values
    are. The first file found counts: if it is wrong it is refused, and nothing else is tried.

    Parameters
    ----------
    name : str
        A name in ``featrank.datasets.REGISTRY``.
    folder : path, optional
        Where to look first; it must exist.
    download : bool
        Whether the set may be downloaded. That needs the extra ``data``.

    Returns
    -------
    Dataset
        With the registry's class labels, whatever the file calls them, where the file is known
        value by value. Missing values stay NaN.

    Raises
    ------
    UsageError
        The name or the folder does not exist.
    DataError
        The set cannot be found or downloaded, or what was found is not it.
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
    way_out = _way_out(source, path)
    arrays, file_sha256 = read_npz(path, way_out)
    if file_sha256 != source.file_sha256:
        verify(source, arrays.X, arrays.y, f"The file {str(path)!r}", way_out)
    return arrays


def _way_out(source: Source, path: Path) -> str:
    if path.parent == cache_folder() and source.address is not None:
        return "Delete this file: the data is then downloaded again when it is next asked for."
    return "Replace this file by a right copy, or remove it."


def _download_verified(source: Source) -> Arrays:
    from featrank.datasets.downloads import by_hand, download

    cache = cache_folder()
    try:
        # Before the download, so that no one waits for data that cannot be kept.
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


def _doubt(source: Source, arrays: Arrays) -> None:
    """Tell of a set that is not known value by value, so that people can compare."""
    if source.values_sha256 is None:
        warnings.warn(
            f"The data set '{source.name}' is known by its shape, class sizes and sum alone, and "
            "not value by value. The checksum of the values that are used is "
            f"{values_checksum(arrays.X, arrays.y)}.",
            FeatrankWarning,
            stacklevel=4,
        )


def _dataset(source: Source, arrays: Arrays) -> Dataset:
    _doubt(source, arrays)
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
        way_out = "It has no public address"
    else:
        way_out = f"It may be downloaded (download=True) from {source.address}"
    return (
        f"The data set '{source.name}' is not on this computer: no file {source.name}.npz in "
        f"{looked}. {way_out}; or name the folder that holds it in the environment variable "
        "FEATRANK_DATA."
    )
