"""Checks of a regression target, with errors that suggest a fix."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from numbers import Real
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError, counted

# Rows that a message names.
SHOWN = 5
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_DATE = re.compile(r"\d{1,4}([-/.])\d{1,2}\1\d{1,4}\b")
_COMMA = re.compile(r"[-+]?\d*,\d+")
_UNIT = re.compile(rf"({_NUMBER})\s*[^\W\d].*|({_NUMBER})\s*[%µ°].*")


def require_real(values: NDArray[Any], y: Any) -> None:
    """Raise an error for dates and other types that are not numbers, strings or objects.

    ``y`` is the target as given. The suggested fix depends on it.
    """
    kind = values.dtype.kind
    if kind in "mM":
        require_known(np.isnat(values).reshape(-1))
    if kind not in "biufUSO":
        _refuse_kind(values.flat[0] if values.size else None, values.dtype, y)


def numeric_target(values: NDArray[Any], y: Any) -> NDArray[np.float64]:
    """Return numbers, strings or objects as finite numbers.

    Examples
    --------
    >>> numeric_target(np.array([1, 2.5], dtype=object), None)
    array([1. , 2.5])
    """
    if len(values) == 0:
        raise DataError("y is empty. Pass one number per sample.")
    if values.dtype.kind == "O":
        _require_numbers(values, y)
    elif values.dtype.kind in "US":
        _refuse_texts(values)
    found = _as_floats(values)
    require_known(np.isnan(found))
    if np.isinf(found).any():
        raise DataError(
            f"Input y contains infinity: {np.isinf(found).sum()} of {len(found)} numbers, in "
            f"{_rows(np.isinf(found))}. Replace them with finite numbers, or drop those rows."
        )
    return found


def is_missing(value: Any) -> bool:
    """Whether a value is None, NaN, NaT or pandas' NA.

    Examples
    --------
    >>> [is_missing(value) for value in (None, float("nan"), "", 0)]
    [True, True, False, False]
    """
    # NaN and NaT are not equal to themselves, and pandas' NA does not compare to True or False.
    if isinstance(value, list | tuple | set | dict | np.ndarray):
        return False
    same = value == value
    return value is None or not isinstance(same, bool | np.bool_) or not same


def require_known(missing: NDArray[np.bool_]) -> None:
    """Raise an error if the target is missing for some samples; it cannot be imputed."""
    if missing.any():
        raise DataError(
            f"Input y contains NaN: {missing.sum()} of {len(missing)} numbers are missing, in "
            f"{_rows(missing)}. Drop those rows of X and y."
        )


def _require_numbers(values: NDArray[np.object_], y: Any) -> None:
    require_known(np.array([is_missing(value) for value in values], dtype=bool))
    for value in values:
        if not isinstance(value, str | bytes | Real | Decimal | np.bool_):
            _refuse_kind(value, type(value).__name__, y)
    if any(isinstance(value, str | bytes) for value in values):
        _refuse_texts(values)


def _as_floats(values: NDArray[Any]) -> NDArray[np.float64]:
    try:
        return values.astype(np.float64)
    except OverflowError:
        beyond = np.array([_overflows(value) for value in values], dtype=bool)
        raise DataError(
            f"y contains numbers too large for float64, beyond 1.8e308: {beyond.sum()} of "
            f"{len(values)}, in {_rows(beyond)}. Divide y by a constant, or take logarithms."
        ) from None


def _overflows(value: Any) -> bool:
    try:
        float(value)
    except OverflowError:
        return True
    return False


def _refuse_texts(values: NDArray[Any]) -> NoReturn:
    odd = np.array([not _is_number(value) for value in values], dtype=bool)
    if not odd.any():
        raise DataError(
            f"y contains strings such as {_plain(values[0])!r}, and a regression target must be "
            "numeric. Convert them: `numpy.asarray(y, dtype=float)`."
        )
    first = _plain(values[np.argmax(odd)])
    fault = "is not a number" if odd.sum() == 1 else "are not numbers"
    raise DataError(
        f"y contains strings such as {first[:40]!r} in {_rows(odd, 1)}, and a regression target "
        f"must be numeric: {odd.sum()} of {counted(len(odd), 'value')} {fault}. "
        f"{_suggested_fix(first, alone=bool(odd.all()))}"
    )


def _suggested_fix(value: str, alone: bool) -> str:
    """Return a fix for a string instead of a number; ``alone`` if no value is a number."""
    if _DATE.match(value):
        days = "days = pandas.to_datetime(y); y = (days - days.min()) / pandas.Timedelta(days=1)"
        return f"Replace dates with days since the first one: `{days}`."
    if _COMMA.fullmatch(value):
        return f"Use decimal points instead of commas: {value.replace(',', '.')}."
    unit = _UNIT.fullmatch(value)
    follows = "" if unit is None else f"Remove the units: {unit[1] or unit[2]}. "
    if alone:
        classes = "If these are class labels, leave out `task` and `target_bins`."
        return f"{follows}{classes}"
    return follows.strip() or "Replace them with numbers, or drop those rows."


def _refuse_kind(value: Any, kind: Any, y: Any) -> NoReturn:
    what, way = f"values of the type {kind}", "Pass one number per sample"
    if isinstance(value, date | np.datetime64):
        what, way = "dates", f"Replace them with days since the first one: `{_days(y)}`"
    elif isinstance(value, timedelta | np.timedelta64):
        seconds = 'numpy.asarray(y, "timedelta64[s]").astype(float)'
        what, way = "durations", f"Replace them with seconds: `{seconds}`"
    raise DataError(
        f"y contains {what}, such as {value!s}, and a regression target must be numeric. {way}."
    )


def _days(y: Any) -> str:
    """Return code that converts dates to days."""
    if hasattr(y, "dt") and hasattr(y, "iloc"):  # a pandas series
        return "(y - y.min()).dt.days"
    return 'days = numpy.asarray(y, "datetime64[D]"); y = (days - days.min()).astype(float)'


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    except OverflowError:  # reported where the strings are converted
        return True
    return True


def _plain(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _rows(bad: Sequence[bool] | NDArray[np.bool_], shown: int = SHOWN) -> str:
    """Return the rows for a message.

    Examples
    --------
    >>> _rows([False, True, True])
    'rows 2, 3 (counted from 1)'
    """
    places = np.flatnonzero(bad) + 1
    named = ", ".join(map(str, places[:shown]))
    if shown == 1 or len(places) == 1:
        return f"row {named} (counted from 1)"
    more = f" and {len(places) - shown} more" if len(places) > shown else ""
    return f"rows {named}{more} (counted from 1)"
