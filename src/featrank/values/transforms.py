"""Transforms of values before they are ranked: logarithms, shares of a sample, ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from featrank.exceptions import DataError, UsageError, unknown_name
from featrank.values.containers import as_numbers
from featrank.values.numbers import label, listed, require_usable

#: The transform that leaves values as they are.
NONE = "none"
#: Sum to which the counts of a sample are scaled.
MILLION = 1e6

# A fitted step: takes values, and names for messages, and returns new values.
Learnt = Callable[[Any, Any], Any]


class CountTransform(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    r"""Transform counts, or other values with a meaningful order or ratio only.

    ``log1p``
        :math:`\log(1 + x)`, the natural logarithm.
    ``log2``, ``log10``
        :math:`\log_2 x` and :math:`\log_{10} x`, which need values above 0.
    ``sqrt``
        The square root.
    ``floor:20``
        20 for values below 20, or another number after the colon.
    ``cpm``
        Counts per million of each sample, :math:`10^6 x_{tj} / \sum_i x_{ti}`, the sum being over
        all features. A sample without counts stays zero.
    ``clr``
        The centred log-ratio [1]_ of each sample, :math:`\log x_{tj} - \frac1n \sum_i \log
        x_{ti}`. Zeros are first replaced by half of the smallest positive value of the sample, so
        that the result does not depend on its scale. A sample without counts becomes zero.
    ``rank``
        The rank of the value among the training rows, scaled to 0 to 1. Ties get their mean rank.
        Values that do not occur in the training rows are placed between them. It is the only step
        that learns from training rows.
    ``none``
        The values as they are.

    Missing values (NaN) stay missing, and sums skip them. CSR and CSC matrices stay sparse for
    ``log1p``, ``sqrt`` and ``cpm``. Other steps give arrays, since zeros become other numbers.

    Parameters
    ----------
    steps : str, default="cpm,log1p"
        Names from above, separated by commas, in the order in which they are applied.

    Attributes
    ----------
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray
        Their names, if they are strings.

    References
    ----------
    .. [1] J. Aitchison, "The statistical analysis of compositional data", Journal of the Royal
       Statistical Society B 44 (1982).

    Examples
    --------
    >>> from featrank import CountTransform
    >>> CountTransform("cpm").fit_transform([[1, 3], [0, 5]])
    array([[ 250000.,  750000.],
           [      0., 1000000.]])
    >>> CountTransform("rank").fit([[1.0], [2.0], [4.0]]).transform([[2.0], [3.0], [9.0]])
    array([[0.5 ],
           [0.75],
           [1.  ]])
    """

    def __init__(self, steps: str = "cpm,log1p"):
        self.steps = steps

    def fit(self, X: Any, y: Any = None) -> CountTransform:
        """Fit the steps to training rows; raise an error for negative counts.

        Parameters
        ----------
        X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
            The training rows.
        y : None
            Not used.

        Returns
        -------
        self : CountTransform
            The fitted transformer.
        """
        self._learn(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit the steps to training rows, and return the transformed rows."""
        return self._learn(X)

    def transform(self, X: Any) -> Any:
        """Return X transformed; it is not changed in place."""
        check_is_fitted(self)
        X = self._checked(X, reset=False)
        names = getattr(self, "feature_names_in_", None)
        for step in self._learnt:
            X = step(X, names)
        return X

    def _learn(self, X: Any) -> Any:
        names = step_names(self.steps)
        X = self._checked(X, reset=True)
        X, self._learnt = _learnt(X, names, getattr(self, "feature_names_in_", None))
        return X

    def _checked(self, X: Any, *, reset: bool) -> Any:
        X = validate_data(
            self,
            as_numbers(X),
            accept_sparse=("csr", "csc"),
            dtype=(np.float64, np.float32),
            ensure_all_finite=False,
            reset=reset,
        )
        require_usable(X, getattr(self, "feature_names_in_", None), accepts_nan=True)
        return X

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_learnt")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = tags.input_tags.allow_nan = True
        words = [word for word in _words(self.steps) if word != NONE]
        any_sign = not words or words[0] == "rank" or words[0].startswith(FLOOR)
        tags.input_tags.positive_only = not any_sign
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def step_names(steps: str) -> list[str]:
    """Return the names of a chain of steps, without no-ops; raise an error for unknown ones.

    Examples
    --------
    >>> step_names("cpm, log1p"), step_names("none")
    (['cpm', 'log1p'], [])
    """
    words = _words(steps)
    for word in words:
        if word.startswith(FLOOR):
            _lowest(word)
        elif word not in STEPS:
            raise UsageError(unknown_name("transform", word, [*STEPS, f"{FLOOR}20"]))
    return [word for word in words if word != NONE]


def require_transformable(X: Any, steps: str, names: Sequence[str] | None = None) -> None:
    """Raise an error that names the columns whose values the steps cannot transform."""
    _learnt(X, step_names(steps), names)


def _words(steps: Any) -> list[str]:
    return [word.strip() for word in str(steps).split(",")]


def _learnt(X: Any, steps: list[str], names: Any) -> tuple[Any, list[Learnt]]:
    """Return transformed training rows, and the fitted steps."""
    learnt = []
    for step in steps:
        learnt.append(_step(step, X))
        X = learnt[-1](X, names)
    return X, learnt


def _step(step: str, train: Any) -> Learnt:
    """Return a step fitted to training rows."""
    return partial(_floor, _lowest(step)) if step.startswith(FLOOR) else STEPS[step](train)


def _logarithm(base: str, X: Any, names: Any) -> NDArray[Any]:
    X, need = _dense(X), f"log{base} needs values above 0"
    advice = (
        f'Set a lowest value first, such as `transform="floor:1,log{base}"`, or use '
        '`transform="log1p"` for counts.'
    )
    _refuse(X, lambda values: values <= 0, names, need, ("Zero or negative values", advice))
    return np.log2(X) if base == "2" else np.log10(X)


def _floor(lowest: float, X: Any, names: Any) -> Any:
    X = X if lowest <= 0 and not isinstance(X, np.ndarray) else _dense(X)
    return np.maximum(X, X.dtype.type(lowest)) if isinstance(X, np.ndarray) else X.maximum(lowest)


def _sqrt(X: Any, names: Any) -> Any:
    _refuse(X, lambda values: values < 0, names, "sqrt needs values of 0 or more")
    return np.sqrt(X) if isinstance(X, np.ndarray) else _own(X).sqrt()


def _log1p(X: Any, names: Any) -> Any:
    _refuse(X, lambda values: values <= -1, names, "log1p needs values above -1")
    if isinstance(X, np.ndarray):
        return np.log1p(X)
    X = _own(X)
    np.log1p(X.data, out=X.data)
    return X


def _cpm(X: Any, names: Any) -> Any:
    _refuse(X, lambda values: values < 0, names, "cpm needs counts, of 0 or more")
    if isinstance(X, np.ndarray):
        shares = X / _divisors(np.nansum(X, axis=1, dtype=np.float64))[:, None]
        return (MILLION * shares).astype(X.dtype, copy=False)
    X = _own(X)
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr)) if X.format == "csr" else X.indices
    sums = np.bincount(rows, weights=np.nan_to_num(X.data), minlength=X.shape[0])
    X.data[:] = MILLION * (X.data / _divisors(sums)[rows])
    return X


def _divisors(sums: Any) -> NDArray[np.float64]:
    return np.where(sums > 0, sums, 1.0)


def _clr(X: Any, names: Any) -> NDArray[Any]:
    _refuse(X, lambda values: values < 0, names, "clr needs values of 0 or more")
    X = _dense(X)
    with np.errstate(divide="ignore"):
        logs = np.log(X)
    least = np.where(X > 0, logs, np.inf).min(axis=1, keepdims=True)
    lowest = np.where(np.isfinite(least), least - np.log(2.0), 0.0)
    logs = np.where(X == 0, lowest, logs)
    known = np.maximum((~np.isnan(X)).sum(axis=1, keepdims=True), 1)
    means = np.nansum(logs, axis=1, dtype=np.float64, keepdims=True) / known
    return (logs - means).astype(X.dtype, copy=False)


def _ranks(train: Any) -> Learnt:
    """Return the step that ranks values among the training rows."""
    ordered = np.sort(_dense(train), axis=0)  # NaN comes last
    return partial(_places, ordered, (~np.isnan(ordered)).sum(axis=0))


def _places(ordered: NDArray[Any], counts: NDArray[np.intp], X: Any, names: Any) -> NDArray[Any]:
    X = _dense(X)
    places = np.empty(X.shape, dtype=X.dtype)
    for column, count in enumerate(counts):
        values, known = X[:, column], ordered[:count, column]
        below = np.searchsorted(known, values, "left")
        places[:, column] = _scaled(below + np.searchsorted(known, values, "right"), count)
    places[np.isnan(X)] = np.nan
    return places


def _scaled(twice: NDArray[np.intp], count: int) -> NDArray[np.float64]:
    """Return places from 0 to 1; ``twice`` counts training values below, and those not above."""
    if count < 2:  # below, at or above the only value; in the middle without one
        return twice / 2 if count else np.full(len(twice), 0.5)
    return np.clip((twice - 1) / (2 * (count - 1)), 0.0, 1.0)


# Name → function that fits the step to training rows.
STEPS: dict[str, Callable[[Any], Learnt]] = {
    "log1p": lambda train: _log1p,
    "log2": lambda train: partial(_logarithm, "2"),
    "log10": lambda train: partial(_logarithm, "10"),
    "sqrt": lambda train: _sqrt,
    "cpm": lambda train: _cpm,
    "clr": lambda train: _clr,
    "rank": _ranks,
    NONE: lambda train: lambda X, names: X,
}
# A step with a number, such as floor:20.
FLOOR = "floor:"
# The scale of the values after a step, for fold changes.
_SCALES = {
    "log1p": "log1p", "log2": "log2", "log10": "log10", "sqrt": "none", "cpm": "linear",
    "clr": "ln", "rank": "none",
}  # fmt: skip


def scale_after(steps: Sequence[str]) -> str:
    """Return the scale of values after these steps; "auto" if they do not determine it.

    Examples
    --------
    >>> scale_after(["floor:20", "log2"]), scale_after(["floor:20"])
    ('log2', 'auto')
    """
    scales = [_SCALES[step] for step in steps if step in _SCALES]
    return scales[-1] if scales else "auto"


def _lowest(step: str) -> float:
    """Return the number of a step such as floor:20."""
    try:
        lowest = float(step.removeprefix(FLOOR))
    except ValueError:
        lowest = np.nan
    if not np.isfinite(lowest):
        raise UsageError(f"{step!r} is not a transform. Give a lowest value: `floor:20`.")
    return lowest


_ADVICE = (
    'If the values are logarithms, use `transform="none"`. Leave out columns that are not counts: '
    "`drop=...`."
)


def _refuse(
    X: Any,
    is_bad: Callable[[Any], NDArray[np.bool_]],
    names: Any,
    need: str,
    wording: tuple[str, str] = ("Negative values", _ADVICE),
) -> None:
    stored = X if isinstance(X, np.ndarray) else X.data
    if not is_bad(np.fmin.reduce(stored, axis=None, initial=np.inf)):
        return
    if isinstance(X, np.ndarray):
        counts = is_bad(X).sum(axis=0)
    else:
        entries = X.tocoo()
        counts = np.bincount(entries.col[is_bad(entries.data)], minlength=X.shape[1])
    columns = np.flatnonzero(counts)
    raise DataError(
        f"{wording[0]} in data: {need}, and {counts.sum()} are not, in {len(columns)} of "
        f"{len(counts)} columns: {listed([f'{label(j, names)} ({counts[j]})' for j in columns])}. "
        f"{wording[1]}"
    )


def _own(X: Any) -> Any:
    """Return a copy of a sparse matrix without duplicate entries."""
    X = X.copy()
    X.sum_duplicates()
    return X


def _dense(X: Any) -> NDArray[Any]:
    return X if isinstance(X, np.ndarray) else X.toarray()
