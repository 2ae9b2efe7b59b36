"""Checks of X: exact as float64, finite, and small enough that squares do not overflow."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError, counted

#: The largest absolute value of a feature. Sums of squared differences of such values stay far
#: below the largest float64, for any number of samples.
LARGEST = 1e145

#: float64 represents every integer up to this one.
EXACT = 2**53

#: Columns that a message names.
SHOWN = 5

_DATES = (date, timedelta, np.datetime64, np.timedelta64)
# Rows that are checked together, so that masks stay small compared with X.
_ROWS = 256


def in_range(low: float, high: float) -> bool:
    """Whether all values from low to high are usable; NaN is not.

    Examples
    --------
    >>> in_range(-3.0, 1e9), in_range(0.0, 1e200), in_range(0.0, np.nan)
    (True, False, False)
    """
    return float(low) >= -LARGEST and float(high) <= LARGEST  # float32 would not hold LARGEST


def by_power_of_two(values: NDArray[Any]) -> tuple[NDArray[np.float64], int]:
    """Return numbers scaled so that squares do not overflow, and the exponent of the scale.

    The largest is then between 1/2 and 1. The scale is a power of two, so nothing is rounded, and
    results do not depend on it.

    Examples
    --------
    >>> by_power_of_two(np.array([3.0, -8.0]))
    (array([ 0.1875, -0.5   ]), 4)
    """
    exponent = int(np.frexp(np.abs(values).max(initial=0.0))[1])
    return np.ldexp(values.astype(np.float64, copy=False), -exponent), exponent


def require_usable(X: Any, names: Any, *, accepts_nan: bool = False) -> None:
    """Raise an error for values that no method can use, with the affected columns and counts.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Real numbers.
    names : sequence of str or None
        Names of the columns, if they have any.
    accepts_nan : bool, default=False
        Whether NaN is usable. Infinity never is.
    """
    found = Unusable.of(X, accepts_nan=accepts_nan)
    if found is not None:
        found.raise_error(names, accepts_nan=accepts_nan)


@dataclass(frozen=True, eq=False)
class Unusable:
    """Number of values per column that no method can use; counts of blocks of rows add up.

    Examples
    --------
    >>> Unusable.of(np.array([[1.0, 2.0]])), Unusable.of(np.array([[1.0, np.nan]])).not_finite
    (None, array([0, 1]))
    """

    not_finite: NDArray[np.int64]
    too_large: NDArray[np.int64]

    @classmethod
    def of(cls, X: Any, *, accepts_nan: bool = False) -> Unusable | None:
        """Check an array or a sparse matrix; None if all values are usable."""
        if X.dtype.kind != "f" or in_range(*_extremes(X, accepts_nan)):
            return None
        return cls(_count(X, np.isinf if accepts_nan else _not_finite), _count(X, _too_large))

    def merge(self, other: Unusable) -> Unusable:
        """Return the counts of the rows of both."""
        return Unusable(self.not_finite + other.not_finite, self.too_large + other.too_large)

    def raise_error(self, names: Any, *, accepts_nan: bool = False) -> None:
        """Raise an error that names the columns."""
        if self.not_finite.any():
            what = "infinity" if accepts_nan else "NaN or infinity"
            raise DataError(
                f"Input X contains {what}: {_places(self.not_finite, names)}. Fill them in, e.g. "
                'with sklearn.impute.SimpleImputer. For a file, use `missing="mean"`.'
            )
        if self.too_large.any():
            raise DataError(
                f"Values in X are too large, beyond {LARGEST:.0e}: "
                f"{_places(self.too_large, names)}. Their squares overflow. Rescale the features, "
                "e.g. divide each by its largest absolute value."
            )


def require_numbers(X: Any, names: Any = None, *, first: int = 0) -> None:
    """Raise an error for dates, and for integers beyond float64, in an array or a sparse matrix.

    Columns without names are numbered from ``first``, the first column of a chunk.
    """
    kind = X.dtype.kind
    if kind in "mM":
        raise dates_error([f"type {X.dtype}"])
    if kind == "O" and X.ndim == 2:
        require_plain_objects((label(j, names), X[:, j]) for j in range(X.shape[1]))
    if kind in "iu" and X.dtype.itemsize == 8 and X.ndim == 2:
        low, high = _extremes(X, False)
        if low < -EXACT or high > EXACT:
            columns = np.flatnonzero(_count(X, _inexact))
            refuse_inexact([label(j + first, names) for j in columns])


def require_plain_objects(columns: Iterable[tuple[str, Iterable[Any]]]) -> None:
    """Check columns of Python objects in the same way, each given with its name."""
    dates, inexact = [], []
    for name, values in columns:
        objects = list(values)
        # NumPy's durations are integers too.
        if any(isinstance(value, _DATES) for value in objects):
            dates.append(name)
        elif any(isinstance(value, Integral) and not holds(int(value)) for value in objects):
            inexact.append(name)
    if dates:
        raise dates_error(dates)
    refuse_inexact(inexact)


def holds(value: int) -> bool:
    """Whether float64 represents an integer exactly.

    Examples
    --------
    >>> holds(2**53), holds(2**53 + 1), holds(2**60), holds(10**400)
    (True, False, True, False)
    """
    try:
        return abs(value) <= EXACT or int(float(value)) == value
    except OverflowError:
        return False


def dates_error(columns: list[str]) -> DataError:
    """Return the error for columns of dates or durations."""
    return DataError(
        f"X contains dates or durations, not numbers: {listed(columns)}. Convert them to numbers, "
        "e.g. days since a fixed date, or drop them."
    )


def refuse_inexact(columns: list[str]) -> None:
    """Raise an error for columns of integers that float64 would change, if there are any."""
    if columns:
        raise DataError(
            f"Integers in X are beyond 2**53 and would change as float64: {listed(columns)}. If "
            "they are ids, drop them: `drop=...`. Otherwise subtract a constant."
        )


def listed(columns: list[str]) -> str:
    """Return the first few columns, and how many more there are.

    Examples
    --------
    >>> listed([f"column {j}" for j in range(7)])
    'column 0, column 1, column 2, column 3, column 4 and 2 more columns'
    """
    more = len(columns) - SHOWN
    return ", ".join(columns[:SHOWN]) + (f" and {more} more columns" if more > 0 else "")


def label(column: int | np.integer, names: Any) -> str:
    """Return the name of a column in quotes, or its number."""
    return f"column {column}" if names is None else repr(str(names[column]))


def _places(counts: NDArray[np.int64], names: Any) -> str:
    columns = np.flatnonzero(counts)
    shown = listed([f"{label(j, names)} ({counts[j]})" for j in columns])
    found = counted(int(counts.sum()), "value")
    return f"{found} in {len(columns)} of {counted(len(counts), 'column')}: {shown}"


def _extremes(X: Any, skip_nan: bool) -> tuple[Any, Any]:
    values = X if isinstance(X, np.ndarray) else X.data
    low, high = (np.fmin, np.fmax) if skip_nan else (np.minimum, np.maximum)
    zero = X.dtype.type(0)
    return low.reduce(values, axis=None, initial=zero), high.reduce(values, axis=None, initial=zero)


def _count(X: Any, is_bad: Callable[[Any], NDArray[np.bool_]]) -> NDArray[np.int64]:
    counts = np.zeros(X.shape[1], dtype=np.int64)
    if not isinstance(X, np.ndarray):
        stored = X.tocoo()
        return counts + np.bincount(stored.col[is_bad(stored.data)], minlength=X.shape[1])
    for start in range(0, X.shape[0], _ROWS):
        counts += np.count_nonzero(is_bad(X[start : start + _ROWS]), axis=0)
    return counts


def _not_finite(values: Any) -> NDArray[np.bool_]:
    return ~np.isfinite(values)


def _too_large(values: Any) -> NDArray[np.bool_]:
    return np.abs(values) > np.float64(LARGEST)


def _inexact(values: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Return a mask of integers with more than 53 bits between the first and the last set bit."""
    size = np.abs(values).astype(np.uint64)
    last = size & (~size + np.uint64(1))
    return (size >> np.uint64(53)) >= np.maximum(last, 1)
