"""Summary of the data of a comparison before ranking."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.evaluation.checks import row_numbers
from featrank.evaluation.data import is_numeric
from featrank.values.numbers import by_power_of_two

# Columns per block, so that a wide table is never copied as a whole.
BLOCK = 1024


def data_facts(X: NDArray[Any], y: NDArray[Any] | None) -> dict[str, Any]:
    """Return counts of what may distort a comparison, without values of single samples.

    Only a numeric target shows its extremes, which are values of samples.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The samples; NaN where a value is missing.
    y : ndarray of shape (n_samples,) or None
        Class codes, or floats for regression; None without a target.

    Returns
    -------
    facts : dict
        ``class_sizes``, or the distribution of a numeric ``target``; ``missing`` and ``zeros`` as
        shares of all values; ``features_with_missing`` and ``samples_with_missing``; ``constant``,
        the number of features with one value; ``duplicate_features``, the number of varying
        features that duplicate an earlier one; ``duplicate_rows``, the number of duplicate rows;
        ``sd_range``, the smallest, median and largest standard deviation of features that vary.
    """
    count, n_features = X.shape
    missing = np.zeros(n_features, dtype=np.int64)
    rows_missing = np.zeros(count, dtype=bool)
    spreads, zeros = np.empty(n_features), 0
    for start in range(0, n_features, BLOCK):
        block = np.asarray(X[:, start : start + BLOCK], dtype=np.float64)
        holes = np.isnan(block)
        missing[start : start + BLOCK] = holes.sum(axis=0)
        rows_missing |= holes.any(axis=1)
        zeros += int((block == 0).sum())
        spreads[start : start + BLOCK] = _spreads(block, holes)
    varying = spreads[spreads > 0]
    different = np.unique(row_numbers(X.T)[spreads > 0])
    return {
        **_of_target(y),
        "missing": float(missing.sum() / X.size),
        "features_with_missing": int((missing > 0).sum()),
        "samples_with_missing": int(rows_missing.sum()),
        "zeros": zeros / X.size,
        "constant": n_features - len(varying),
        "duplicate_features": len(varying) - len(different),
        "duplicate_rows": int(count - (row_numbers(X).max() + 1)),
        "sd_range": np.quantile(varying, (0, 0.5, 1)).tolist() if len(varying) else [],
    }


def _of_target(y: NDArray[Any] | None) -> dict[str, Any]:
    if y is None:
        return {}
    return {"target": _target(y)} if is_numeric(y) else {"class_sizes": np.bincount(y).tolist()}


def _target(y: NDArray[np.float64]) -> dict[str, float]:
    """Return quantiles, mean, standard deviation and number of distinct values."""
    low, first, middle, third, high = np.quantile(y, (0, 0.25, 0.5, 0.75, 1)).tolist()
    places = {"min": low, "q25": first, "q50": middle, "q75": third, "max": high}
    small, exponent = by_power_of_two(y)
    deviation = float(np.ldexp(small.std(), exponent))
    return {**places, "mean": float(y.mean()), "sd": deviation, "values": len(np.unique(y))}


def _spreads(block: NDArray[np.float64], holes: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the standard deviation of each column, exactly 0 for a constant."""
    low = np.where(holes, np.inf, block).min(axis=0)
    high = np.where(holes, -np.inf, block).max(axis=0)
    known = np.maximum((~holes).sum(axis=0), 1)
    means = np.where(holes, 0.0, block).sum(axis=0) / known
    squares = np.where(holes, 0.0, block - means) ** 2
    return np.where(high > low, np.sqrt(squares.sum(axis=0) / known), 0.0)
