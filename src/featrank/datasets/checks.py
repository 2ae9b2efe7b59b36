"""Verification of data sets by shape, class sizes and values."""

import hashlib
from collections.abc import Iterator

import numpy as np

from featrank.datasets.registry import Source
from featrank.exceptions import DataError


def values_checksum(X: np.ndarray, y: np.ndarray) -> str:
    """Return a SHA-256 checksum of the values of a table and their order.

    The digest covers, in this order:

    - the shape, as two little-endian int64 numbers,
    - ``X`` row by row, as little-endian float64, with every NaN as 0x7FF8000000000000 and −0.0 as
      0.0,
    - ``y`` as little-endian int64 codes, numbered from 0 in the order of first appearance.

    It does not depend on the names of features and classes, nor on the number type if the
    conversion to float64 is exact.

    Examples
    --------
    >>> stored = np.array([[0.5, -0.0]], dtype=np.float32), np.array(["sick"])
    >>> values_checksum(*stored) == values_checksum(np.array([[0.5, 0.0]]), np.array([7]))
    True
    """
    values = np.array(X, dtype="<f8", order="C")
    values[np.isnan(values)] = np.nan
    values += 0.0
    digest = hashlib.sha256(np.array(values.shape, dtype="<i8").tobytes())
    digest.update(values.tobytes())
    digest.update(class_codes(y).astype("<i8").tobytes())
    return digest.hexdigest()


def class_codes(y: np.ndarray) -> np.ndarray:
    """Return the labels as numbers, in the order in which the classes first appear.

    Examples
    --------
    >>> class_codes(np.array(["t", "n", "t"]))
    array([0, 1, 0])
    """
    _, first, inverse = np.unique(y, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse]


def verify(source: Source, X: np.ndarray, y: np.ndarray, origin: str, fix: str) -> None:
    """Raise DataError unless these are the values of the source.

    Parameters
    ----------
    source : Source
        The expected data set.
    X, y : ndarray
        The values to verify.
    origin : str
        Where the values come from, for the error message.
    fix : str
        A sentence that suggests a fix.
    """
    for what, expected, got in _comparisons(source, X, y):
        if got != expected:
            raise DataError(
                f"{origin} is not the data set '{source.name}' and was not used. Its {what}: "
                f"expected {expected}, got {got}. {fix}"
            )


def _comparisons(
    source: Source, X: np.ndarray, y: np.ndarray
) -> Iterator[tuple[str, object, object]]:
    # A generator, so that the checksum is computed only if the shape is correct.
    yield "shape", source.shape, X.shape
    sizes = np.unique(y, return_counts=True)[1]
    yield "class sizes", sorted(source.classes.values()), sorted(sizes.tolist())
    if source.values_sha256 is not None:
        yield "checksum of the values", source.values_sha256, values_checksum(X, y)
    if source.total is not None:
        yield "sum of all values", source.total, X.sum(dtype=np.float64)
