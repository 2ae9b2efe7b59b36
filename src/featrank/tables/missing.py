"""Missing and infinite values of a numeric matrix: rejected or filled in."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from featrank.exceptions import DataError, UsageError, counted
from featrank.tables.columns import listed


def complete(X: Any, names: Sequence[str], how: str, categories: Collection[int] = ()) -> Any:
    """Fill in the missing values of X, or leave them for "keep".

    Parameters
    ----------
    X : ndarray or sparse matrix
        NaN is a missing value. An array may be changed in place.
    names : sequence of str
        Names of the columns, for messages.
    how : {"error", "mean", "median", "knn", "keep"}
        How to handle missing values. "knn" uses the mean of the five nearest rows that have the
        value (scikit-learn's ``KNNImputer``). Distances use the unscaled values that both rows
        have. X must be dense. The time grows with the square of the number of rows: with 5 % of
        the values missing about 3 s for 60 × 20,000 or 1,000 × 2,000, 50 s for 3,000 × 2,000.
    categories : collection of int
        Columns of codes, filled with the most frequent one. Distances do not use them.
    """
    sparse = not isinstance(X, np.ndarray)
    if sparse:
        X.sum_duplicates()
    if X.dtype.kind != "f" or _all_finite(X.data if sparse else X):
        return X
    _reject_infinite(count(X, np.isinf), names)
    counts = count(X, np.isnan)
    if how == "keep" or not counts.any():
        return X
    if how == "error":
        raise DataError(_missing_report(counts, names))
    _reject_all_missing(counts == X.shape[0], names)
    columns = np.flatnonzero(counts)
    if sparse:
        return _fill_sparse(X, columns, how)
    if how == "knn":
        return _fill_by_neighbours(X, columns, categories)
    return _fill_dense(X, columns, how, categories)


def _all_finite(values: np.ndarray) -> bool:
    # A finite sum proves that all terms are finite, without a mask as large as the data.
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(values.sum())) or bool(np.isfinite(values).all())


def count(X: Any, test: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Return how many values of each column pass a test that 0 does not pass."""
    if isinstance(X, np.ndarray):
        return test(X).sum(axis=0)
    entries = X.tocoo()
    return np.bincount(entries.col[test(entries.data)], minlength=X.shape[1])


def _where(found: np.ndarray) -> list[int]:
    positions: list[int] = np.flatnonzero(found).tolist()
    return positions


def _with_counts(counts: np.ndarray, names: Sequence[str]) -> str:
    return listed([f"{names[column]!r} ({counts[column]})" for column in _where(counts)])


def _count_values(counts: np.ndarray, noun: str) -> str:
    n_columns = int(np.count_nonzero(counts))
    return f"{counted(int(counts.sum()), noun)} in {counted(n_columns, 'column')}"


def _reject_infinite(counts: np.ndarray, names: Sequence[str]) -> None:
    if counts.any():
        raise DataError(
            f"{_count_values(counts, 'infinite value')}: "
            f"{_with_counts(counts, names)}. Replace them, or leave the columns out with "
            "`drop=...`."
        )


def _missing_report(counts: np.ndarray, names: Sequence[str]) -> str:
    return (
        f"{_count_values(counts, 'missing value')}: "
        f'{_with_counts(counts, names)}. Fill them in with `missing="mean"`, or leave the columns '
        "out with `max_missing=0`."
    )


def _reject_all_missing(empty: np.ndarray, names: Sequence[str]) -> None:
    if empty.any():
        columns = [repr(names[column]) for column in _where(empty)]
        raise DataError(
            f"Only missing values in {counted(len(columns), 'column')}: {listed(columns)}. Leave "
            "them out with `max_missing=0.9`."
        )


def _middle(values: np.ndarray, how: str) -> float:
    return float(np.median(values) if how == "median" else values.mean(dtype=np.float64))


def _most_frequent(values: np.ndarray) -> float:
    codes, counts = np.unique(values, return_counts=True)
    return float(codes[counts.argmax()])


def _fill_dense(
    X: np.ndarray, columns: np.ndarray, how: str, categories: Collection[int]
) -> np.ndarray:
    filled = X if X.flags.writeable else X.copy(order="K")
    for column in columns:
        is_missing = np.isnan(filled[:, column])
        values = filled[~is_missing, column]
        common = _most_frequent(values) if column in categories else _middle(values, how)
        filled[is_missing, column] = common
    return filled


def _fill_by_neighbours(
    X: np.ndarray, columns: np.ndarray, categories: Collection[int]
) -> np.ndarray:
    from sklearn.impute import KNNImputer

    coded = np.isin(np.arange(X.shape[1]), list(categories))
    X = _fill_dense(X, columns[coded[columns]], "mean", categories)
    if not coded[columns].all():
        X[:, ~coded] = KNNImputer(copy=False).fit_transform(X[:, ~coded])
    return X


def _fill_sparse(X: Any, columns: np.ndarray, how: str) -> Any:
    if how == "knn":
        raise UsageError(
            "Sparse data cannot be filled in from the nearest rows, as that would make it dense. "
            'Use `missing="mean"`.'
        )
    filled = X.tocsc(copy=True)
    for column in columns:
        stored = filled.data[filled.indptr[column] : filled.indptr[column + 1]]
        is_missing = np.isnan(stored)
        zeros = np.zeros(X.shape[0] - len(stored), dtype=stored.dtype)
        stored[is_missing] = _middle(np.concatenate([stored[~is_missing], zeros]), how)
    return filled.asformat(X.format)
