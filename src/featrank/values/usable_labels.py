"""Which samples take part in a ranking: the one rule for labels, wherever they come from."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils.warn import warn_user
from featrank.exceptions import DataError, UsageError
from featrank.values.classes import MANY, as_given
from featrank.values.containers import NamedMatrix
from featrank.values.missing_labels import MISSING_LABELS
from featrank.values.numeric_target import is_missing

#: The smallest class that is ranked by default.
MIN_CLASS_SIZE = 3

# Classes and samples that a message names.
SHOWN = 5

# Labels, in lower case, that often mean a missing one.
_WORDS = {
    "unknown", "unk", "missing", "none", "null", "nil", "na", "n.a.", "nd", "n.d.", ".", "-", "--",
    "---", "not available", "not applicable", "not determined", "not known", "not reported",
    "not recorded", "not specified", "undetermined", "undefined", "unspecified", "blank", "no data",
}  # fmt: skip
_NUMBERS = {-1, 9, -9, 99, -99, 999, -999, 9999, -9999}


@dataclass(frozen=True)
class LabelRule:
    """Which labels are missing, and which classes are too small.

    Surrounding spaces are stripped from labels. Labels that differ only in case stay separate
    classes, with a warning. They are not merged, because "a" and "A" can be two classes, such as
    alleles, and featrank does not change what a file says. A stray spelling with one or two
    samples does no harm, because small classes are left out.

    Attributes
    ----------
    name : str or None
        What messages call the target. None for an array without a name.
    na_values : sequence of str
        Labels that mean missing, besides ``MISSING_LABELS``.
    min_class_size : int or None
        Classes with fewer samples are left out if at least two larger ones remain. None if the
        target does not contain classes, so that only missing values matter.

    Examples
    --------
    >>> labels, rows = LabelRule(min_class_size=2).apply(["a ", "b", "a", "b"])
    >>> [str(label) for label in labels], rows is None
    (['a', 'b', 'a', 'b'], True)
    """

    name: str | None = None
    na_values: Sequence[str] = ()
    min_class_size: int | None = MIN_CLASS_SIZE

    def apply(self, y: Any, ids: Any = None) -> tuple[Any, NDArray[np.intp] | None]:
        """Return the labels of the samples that take part, and their rows (None for all).

        If nothing changes, ``y`` is returned as it is. ``ids`` are the names of the samples for
        warnings, by default their row numbers.
        """
        _require_size(self.min_class_size)
        values = as_given(y)
        if values.ndim != 1 or not len(values):
            return y, None
        missing = self._missing(values)
        if missing.all():
            raise DataError(f"No sample has {self._a_label()}. Choose another target.")
        if missing.any():
            self._warn_missing(missing, ids)
        used, labels = ~missing, stripped(values)
        if self.min_class_size is not None:
            used[used] = self._in_large_class(labels[used])
        if used.all():
            return (y if labels is values else labels), None
        return labels[used], np.flatnonzero(used)

    def _missing(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Return which labels are missing."""
        kind = values.dtype.kind
        if kind in "mM":
            return np.isnat(values)
        if kind not in "OUSfiu":
            return np.zeros(len(values), dtype=bool)
        words, numbers = {*MISSING_LABELS, *self.na_values}, _numbers_in(self.na_values)
        if kind in "fiu":
            return np.isnan(values) | np.isin(values, list(numbers))

        def absent(label: Any) -> bool:
            if isinstance(label, str | bytes):
                return _string(label) in words
            return is_missing(label) or (isinstance(label, int | float) and label in numbers)

        if kind != "O":
            return np.isin(values, [label for label in {*values.tolist()} if absent(label)])
        return np.array([absent(label) for label in values.tolist()], dtype=bool)

    def _in_large_class(self, labels: NDArray[Any]) -> NDArray[np.bool_]:
        """Warn about suspicious classes, and return which samples are in a large enough class."""
        assert self.min_class_size is not None
        everything = np.ones(len(labels), dtype=bool)
        sizes = class_sizes(labels)
        if sizes is None:
            return everything
        self._warn_case(sizes)
        self._warn_codes(sizes)
        small = {label: size for label, size in sizes.items() if size < self.min_class_size}
        if not small:
            return everything
        if len(sizes) - len(small) < 2:
            self._warn_too_small(small)
            return everything
        self._warn_left_out(small)
        return np.array([label not in small for label in labels.tolist()], dtype=bool)

    def _a_label(self) -> str:
        return f"a label {self.name!r}" if self.name else "a label"

    def _warn_missing(self, missing: NDArray[np.bool_], ids: Any) -> None:
        unnamed = "target value" if self.min_class_size is None else "label"
        what = repr(self.name) if self.name else unnamed
        places = np.flatnonzero(missing).tolist()
        shown = [str(place + 1 if ids is None else ids[place]) for place in places[:SHOWN]]
        which = f"{'' if ids is not None else 'row ' if len(places) == 1 else 'rows '}"
        which += _listed(shown, len(places))
        have, are = ("has", "is") if len(places) == 1 else ("have", "are")
        warn_user(
            f"{len(places):,} of {len(missing):,} samples {have} no {what} and {are} left out "
            f"({which}).",
            "info",
        )

    def _of_target(self) -> str:
        return f" of {self.name!r}" if self.name else ""

    def _warn_case(self, sizes: dict[Any, int]) -> None:
        spellings = defaultdict(list)
        for label in sizes:
            if isinstance(label, str):
                spellings[label.casefold()].append(label)
        for labels in spellings.values():
            if len(labels) > 1:
                warn_user(
                    f"Labels{self._of_target()} differ only in case and count as separate classes: "
                    f"{_with_sizes({label: sizes[label] for label in labels})}. If they mean the "
                    "same, correct the labels."
                )

    def _warn_codes(self, sizes: dict[Any, int]) -> None:
        codes = {label: sizes[label] for label in _codes_for_missing(sizes)}
        if codes:
            values = ",".join(str(label) for label in codes)
            warn_user(
                f"Labels{self._of_target()} look like codes for missing: {_with_sizes(codes)}. If "
                f'they are, use `na_values="{values}"`.'
            )

    def _warn_too_small(self, small: dict[Any, int]) -> None:
        warn_user(
            f"Classes{self._of_target()} with fewer than {self.min_class_size} samples are too "
            f"small for a reliable ranking: {_with_sizes(small)}. Add samples to them."
        )

    def _warn_left_out(self, small: dict[Any, int]) -> None:
        warn_user(
            f"Classes{self._of_target()} with fewer than {self.min_class_size} samples are left "
            f"out: {_with_sizes(small)}. To keep them, use `min_class_size=1`.",
            "info",
        )


def take_labelled(
    X: Any, y: Any, rule: LabelRule, ids: Any = None
) -> tuple[Any, Any, NDArray[np.intp] | None]:
    """Return the rows of X that take part, their labels, and which they are (None for all)."""
    if y is None or (not hasattr(X, "__len__") and not hasattr(X, "shape")):
        return X, y, None
    n_samples = X.shape[0] if hasattr(X, "shape") else len(X)
    if np.size(as_given(y)) != n_samples:  # an error of the check of labels
        return X, y, None
    labels, rows = rule.apply(y, ids)
    if rows is None:
        return X, labels, None
    from featrank._utils.sklearn import take_rows

    if isinstance(X, NamedMatrix):
        return replace(X, X=X.X[rows]), labels, rows
    return take_rows(X, rows), labels, rows


def stripped(values: NDArray[Any]) -> NDArray[Any]:
    """Return labels without surrounding spaces; the same array if there are none."""
    if values.dtype.kind == "U":
        plain = np.char.strip(values)
        return values if np.array_equal(plain, values) else plain
    if values.dtype.kind != "O":
        return values
    labels = values.tolist()
    if not any(isinstance(label, str) and label != label.strip() for label in labels):
        return values
    result = np.empty(len(labels), dtype=object)
    result[:] = [label.strip() if isinstance(label, str) else label for label in labels]
    return result


def class_sizes(labels: NDArray[Any]) -> dict[Any, int] | None:
    """Return the number of samples per class; None for numbers that are hardly classes."""
    if labels.dtype.kind == "f" and not np.array_equal(labels, np.floor(labels)):
        return None
    try:
        sizes = dict(Counter(labels.tolist()))
    except TypeError:  # lists and the like, which the check of labels rejects
        return None
    numeric = all(isinstance(label, int | float) for label in sizes)
    return None if numeric and len(sizes) > MANY else sizes


def _codes_for_missing(sizes: dict[Any, int]) -> list[Any]:
    """Return the labels that look like codes for missing among other labels."""
    words = [label for label in sizes if _string(label).casefold() in _WORDS]
    others = {label: _number(label) for label in sizes if label not in words}
    suspects = [label for label, number in others.items() if number in _NUMBERS]
    usual = [number for label, number in others.items() if label not in suspects]
    if usual and all(number is None for number in usual):  # numbers among names
        return [*words, *suspects]
    counted = sorted(number for number in usual if number is not None)
    if len(usual) < 2 or counted not in ([*range(len(usual))], [*range(1, len(usual) + 1)]):
        return words
    following = counted[-1] + 1  # 9 is a class like any other after 1 to 8
    return [*words, *(label for label in suspects if others[label] != following)]


def _number(label: Any) -> float | None:
    try:
        return float(_string(label))
    except ValueError:
        return None


def _numbers_in(values: Iterable[str]) -> set[float]:
    return {number for value in values if (number := _number(value)) is not None}


def _string(label: Any) -> str:
    return (label.decode(errors="replace") if isinstance(label, bytes) else str(label)).strip()


def _with_sizes(sizes: dict[Any, int]) -> str:
    named = [f"{label!r} ({size:,})" for label, size in [*sizes.items()][:SHOWN]]
    named[0] = named[0][:-1] + (" samples)" if next(iter(sizes.values())) > 1 else " sample)")
    return _listed(named, len(sizes))


def _listed(shown: Sequence[str], total: int) -> str:
    more = total - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more > 0 else "")


def _require_size(size: int | None) -> None:
    if size is not None and (isinstance(size, bool) or not isinstance(size, int) or size < 1):
        raise UsageError(f"min_class_size must be a whole number of 1 or more, got {size!r}.")
