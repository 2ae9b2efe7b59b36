"""Sparse matrices in the form that the kernels need."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.kernels.contingency import Integers
from featrank.kernels.dense import float_type

# An entry takes five bytes for row and bin, a dense code takes one. Above this density, dense codes
# are smaller and faster.
WORTH_DENSE = 1 / 5


def is_sparse(X: Any) -> bool:
    """Whether X is a sparse matrix with few enough entries to keep it sparse.

    Examples
    --------
    >>> from scipy.sparse import csr_array, eye_array
    >>> is_sparse(np.eye(9)), is_sparse(eye_array(9)), is_sparse(csr_array(np.ones((9, 9))))
    (False, True, False)
    """
    return not isinstance(X, np.ndarray) and X.nnz < WORTH_DENSE * X.shape[0] * X.shape[1]


def by_columns(X: Any) -> Any:
    """Return a sparse X as CSC with sorted rows, without duplicates and zeros. X is unchanged.

    Duplicate entries are added in the same order as in ``X.toarray()``.
    """
    columns = X.tocsc()
    if not columns.has_sorted_indices:
        columns = columns.tocsr().tocsc()  # sorts, and keeps the order of duplicate entries
    if not columns.has_canonical_format:
        columns = columns.copy() if shares_memory(columns, X) else columns
        columns.sum_duplicates()
    if np.count_nonzero(columns.data) < columns.nnz:
        columns = columns.copy() if shares_memory(columns, X) else columns
        columns.eliminate_zeros()
    return columns


def shares_memory(one: Any, other: Any) -> bool:
    """Whether two sparse matrices hold the same values in the same place."""
    return np.may_share_memory(one.data, other.data)


def entries_before(columns: Any) -> Integers:
    """Return the number of entries before each column of a CSC matrix, and in total."""
    return columns.indptr.astype(np.int64, copy=False)


def rows_of(columns: Any, entries: slice = slice(None)) -> NDArray[np.uint32]:
    """Return the rows of some entries of a CSC matrix."""
    return columns.indices[entries].astype(np.uint32)


def values_of(columns: Any, entries: slice = slice(None)) -> NDArray[np.floating]:
    """Return the values of some entries of a CSC matrix, as they would be in a dense block."""
    with np.errstate(over="ignore"):
        return columns.data[entries].astype(float_type(columns.dtype), copy=False)
