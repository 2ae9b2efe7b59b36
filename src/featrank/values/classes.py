"""Class labels: which values can be one, and how each sample's label becomes a code."""

from __future__ import annotations

import zlib
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError, UsageError, unknown_name

BINNINGS = ("quantile", "width")
# Number of numeric classes above which featrank warns that y may be a regression target.
MANY = 20


def encode_labels(y: Any, n_samples: int) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the classes in sorted order, and each sample's class as a code 0, 1, ...

    Labels are strings, numbers or booleans. In a mixture, numbers come before strings. Bytes
    count as strings if all labels are bytes.

    Examples
    --------
    >>> classes, codes = encode_labels(["sick", "well", "sick"], 3)
    >>> [str(label) for label in classes], codes.tolist()
    (['sick', 'well'], [0, 1, 0])
    >>> encode_labels([1, "1", 1], 3)[1].tolist()
    [0, 1, 0]
    """
    labels = label_array(y)
    if len(labels) != n_samples:
        raise DataError(
            f"X and y have inconsistent numbers of samples: X has {n_samples} rows, y has "
            f"{len(labels)} labels. Pass one label per row."
        )
    _refuse_fractions(labels)
    classes, codes = _unique(labels)
    if len(classes) < 2:
        raise DataError(
            f"y contains a single class ({classes[0]!s}), and a supervised ranking needs at least "
            "two. Check the target column."
        )
    warn_if_numeric(classes, n_samples)
    return classes, codes


def numeric_vector(y: Any, n_samples: int) -> NDArray[np.float64]:
    """Return a regression target: one finite number per sample, not all the same.

    Examples
    --------
    >>> numeric_vector([3, 1.5, 2], 3)
    array([3. , 1.5, 2. ])
    """
    values = _numeric_values(y)
    if len(values) != n_samples:
        raise DataError(
            f"X and y have inconsistent numbers of samples: X has {n_samples} rows, y has "
            f"{len(values)} numbers. Pass one number per row."
        )
    if values.min() == values.max():
        raise DataError(
            f"y contains a single value ({values[0]:g}), and a regression target must vary between "
            "samples. Check the target column."
        )
    return values


def block_labels(y: Any, n_samples: int) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return classes and codes of some rows, which may have a single class or none."""
    labels = label_array(y)
    if len(labels) != n_samples:
        raise DataError(
            f"A block has {n_samples} rows and {len(labels)} labels. Pass one label per row."
        )
    _refuse_fractions(labels)
    return _unique(labels)


def all_classes(first: NDArray[Any], second: NDArray[Any]) -> NDArray[Any]:
    """Return the classes of both in sorted order."""
    return _unique(label_array([*first.tolist(), *second.tolist()]))[0]


def places_among(classes: NDArray[Any], own: NDArray[Any]) -> NDArray[np.intp]:
    """Return the position of each class among all classes, -1 if it is not there.

    Examples
    --------
    >>> places_among(np.array(["a", "b", "c"]), np.array(["c", "a", "d"])).tolist()
    [2, 0, -1]
    """
    place = {label: code for code, label in enumerate(classes.tolist())}
    return np.array([place.get(label, -1) for label in own.tolist()], dtype=np.intp)


def count_labels(y: Any) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the classes in sorted order, and the number of samples per class."""
    classes, codes = _unique(label_array(y))
    return classes, np.bincount(codes, minlength=len(classes))


def group_codes(groups: Any) -> NDArray[np.intp]:
    """Return the group of each sample as a code; every sample needs one.

    Examples
    --------
    >>> group_codes(["b1", "b2", "b1"])
    array([0, 1, 0])
    """
    values = np.asarray(groups).reshape(-1)
    try:
        found, codes = np.unique(values, return_inverse=True)
        missing = bool(np.any(found != found))
    except TypeError:  # None, or numbers among strings, which have no order
        missing = True
    if missing:
        raise DataError(
            "groups contains missing values, or numbers and strings together. Give every row the "
            "name of its group."
        )
    return codes.reshape(-1)


def bin_target(y: Any, bins: int, kind: str = "quantile") -> NDArray[np.int64]:
    """Cut a regression target into classes: bin 0 has the lowest values.

    An interval includes its upper edge, and equal values are in one bin. If ties would leave
    bins empty, there are fewer bins, and a warning.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Numbers.
    bins : int
        Number of classes to make, 2 or more.
    kind : {"quantile", "width"}, default="quantile"
        "quantile" makes bins with about equal numbers of samples, "width" bins of equal width.

    Returns
    -------
    classes : ndarray of shape (n_samples,)
        Number of each sample's bin, from 0. Numbers sort as the intervals do.

    Examples
    --------
    >>> bin_target([1.5, 2.5, 3.0, 40.0], 2)
    array([0, 0, 1, 1])
    >>> bin_target([1.5, 2.5, 3.0, 40.0], 2, "width")
    array([0, 0, 0, 1])
    """
    if not isinstance(bins, Integral) or isinstance(bins, bool) or bins < 2:
        raise UsageError(f"bins must be a whole number of 2 or more, got {bins!r}.")
    if kind not in BINNINGS:
        raise UsageError(unknown_name("kind of bins", kind, BINNINGS))
    values = _numeric_values(y)
    inner = np.arange(1, bins) / bins
    span = values.min(), values.max()
    edges = np.quantile(values, inner) if kind == "quantile" else span[0] + inner * np.ptp(span)
    found, codes = np.unique(np.searchsorted(edges, values), return_inverse=True)
    if len(found) < 2:  # if most values are the largest one, it is the upper bin
        found, codes = np.unique(np.searchsorted(edges, values, "right"), return_inverse=True)
    if len(found) < 2:
        raise DataError(
            f"y cannot be cut into bins: {len(np.unique(values))} different values make one bin. "
            'Use more bins, or `kind="width"`.'
        )
    if len(found) < bins:
        from featrank._utils.warn import warn_user

        warn_user(
            f"{bins - len(found)} of {bins} bins of y are empty. featrank makes {len(found)} "
            "classes.",
            "info",
        )
    return codes.reshape(-1).astype(np.int64)


def label_array(y: Any) -> NDArray[Any]:
    """Return labels as a vector of numbers, of strings, or of both as objects; none is missing."""
    labels = as_given(y)
    if labels.dtype.kind not in "biufUSO":
        _refuse_kind(labels.flat[0] if labels.size else None, labels.dtype)
    labels = _vector(labels)
    return _from_objects(labels) if labels.dtype.kind == "O" else labels


def as_given(y: Any) -> NDArray[Any]:
    """Return a target as an array that holds the given objects, one value per sample."""
    if isinstance(y, np.ma.MaskedArray):
        hidden = np.ma.getmaskarray(y)
        y = np.ma.getdata(y).astype(object)
        y[hidden] = None
    # NumPy would convert numbers among strings to strings, and strip trailing null characters.
    careful = isinstance(y, list | tuple) and not set(map(type, y)) <= {bool, int, float}
    labels = np.asarray(y, dtype=object) if careful else np.asarray(y)
    if labels.dtype.kind == "T":  # NumPy's strings of variable length
        labels = labels.astype(object)
    _refuse_several(labels)
    return labels


def _vector(labels: NDArray[Any]) -> NDArray[Any]:
    from sklearn.utils.validation import column_or_1d

    return column_or_1d(labels, warn=True)


def _from_objects(labels: NDArray[np.object_]) -> NDArray[Any]:
    from featrank.values.numeric_target import is_missing

    _refuse_missing(np.array([is_missing(label) for label in labels], dtype=bool))
    if all(isinstance(label, bytes) for label in labels):
        return labels
    is_string = np.array([isinstance(label, str) for label in labels], dtype=bool)
    for label in labels[~is_string]:
        if not isinstance(label, Real | Decimal | np.bool_):
            _refuse_kind(label, type(label).__name__)
    if not is_string.any():
        return _numbers(labels)
    if is_string.all() and not any(label.endswith("\0") for label in labels):
        return labels.astype(str)
    return labels


def _numbers(labels: NDArray[np.object_]) -> NDArray[Any]:
    plain = np.array(labels.tolist())
    try:
        plain = plain if plain.dtype.kind in "biuf" else labels.astype(np.float64)
    except OverflowError:
        raise DataError(
            "y contains numbers beyond 1.8e308, which are too large for float64. If they are class "
            "labels, use strings: `[str(label) for label in y]`."
        ) from None
    _refuse_merged(labels, plain)
    return plain


def _refuse_merged(labels: NDArray[np.object_], plain: NDArray[Any]) -> None:
    """Raise an error if different labels became the same number: two classes would be one."""
    if len({*plain.tolist()}) < len({*labels.tolist()}):
        raise DataError(
            "y contains different numbers that are equal as float64, such as integers beyond "
            "2**53. Use strings: `[str(label) for label in y]`."
        )


def _unique(labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    if labels.dtype.kind != "O":
        classes, codes = np.unique(labels, return_inverse=True)
        return classes, codes.reshape(-1)
    ordered = sorted(set(labels.tolist()), key=lambda label: (isinstance(label, str), label))
    codes_of = {label: code for code, label in enumerate(ordered)}
    classes = np.empty(len(ordered), dtype=object)
    classes[:] = ordered
    return classes, np.array([codes_of[label] for label in labels.tolist()], dtype=np.intp)


def _numeric_values(y: Any) -> NDArray[np.float64]:
    from featrank.values.numeric_target import numeric_target, require_real

    values = as_given(y)
    require_real(values, y)
    return numeric_target(_vector(values), y)


def _refuse_missing(missing: NDArray[np.bool_]) -> None:
    if missing.any():
        raise DataError(
            f"Input y contains NaN: {missing.sum()} of {len(missing)} labels are missing. "
            "Drop those rows."
        )


def _refuse_several(labels: NDArray[Any]) -> None:
    """Raise an error for a matrix of labels, and for lists of labels."""
    several = labels.ndim > 1 and labels.shape[1] > 1
    first = labels[0] if labels.ndim == 1 and labels.dtype.kind == "O" and len(labels) else None
    if several or isinstance(first, list | tuple | set | frozenset | np.ndarray):
        shape = f"has shape {labels.shape}" if several else f"contains {type(first).__name__}s"
        raise DataError(
            f"y should be a 1d array with one label per sample, but it {shape}. Rank for one label "
            "at a time, y[:, j], or compare methods with featrank.evaluation.compare_labels."
        )


def _refuse_kind(label: Any, kind: Any) -> None:
    raise DataError(
        f"Unknown label type: {kind}, such as {label!r}. Labels are strings, numbers or booleans. "
        "Use strings, e.g. `[str(label) for label in y]` (for bytes: `label.decode()`)."
    )


def _refuse_fractions(labels: NDArray[Any]) -> None:
    if labels.dtype.kind != "f":
        return
    _refuse_missing(np.isnan(labels))
    if np.isinf(labels).any():
        raise DataError("Input y contains infinity. Replace it with a class label.")
    if np.any(labels != np.floor(labels)):
        raise DataError(
            "Unknown label type: continuous. y contains numbers with fractions, and the ranking is "
            f"for classes. {_BINS}"
        )


def warn_if_numeric(classes: NDArray[Any], n_samples: int) -> None:
    """Warn about or reject more than ``MANY`` distinct numbers, which are hardly class labels."""
    if classes.dtype.kind not in "iuf" or len(classes) <= MANY:
        return
    count = f"y has {len(classes)} different numbers in {n_samples} rows"
    names = "If the numbers are class labels, pass them as strings."
    if 3 * len(classes) > n_samples:
        raise DataError(
            f"Unknown label type: {count}, which looks like a regression target, and the ranking "
            f"is for classes. {_BINS} {names}"
        )
    from featrank._utils.warn import warn_user

    warn_user(
        f"{count}, and each one is ranked as a class. For a regression target: {_BINS} {names}"
    )


_BINS = 'Use `task="regression"`, or make classes: `featrank.bin_target(y, 3)`.'


def labels_mark(labels: Any) -> str:
    """Return a short fingerprint of the labels.

    Examples
    --------
    >>> labels_mark(["a", "b"]) == labels_mark(["b", "a"])
    False
    """
    classes, codes = block_labels(labels, np.size(labels))
    return f"{zlib.crc32(codes.astype(np.int64).tobytes()):08x} of {len(classes)} classes"


def require_two_classes(classes: NDArray[Any]) -> None:
    """Raise an error for a target with a single class."""
    if len(classes) < 2:
        raise DataError(
            f"y contains a single class ({', '.join(map(str, classes)) or 'or none'}), and a "
            "supervised ranking needs at least two. Check the target column."
        )
