"""Typed wrappers of the kernels on the stored entries of sparse features."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import BinArrays, Floats, _featrank
from featrank.kernels.contingency import Codes, Indices, Integers

Rows = NDArray[np.uint32]
Sizes = NDArray[np.uint32]


class StoredColumns(NamedTuple):
    """Values of the stored entries of columns, at most one per row. All other values are 0.

    The entries of column j are ``values[begin[j]:begin[j + 1]]``.
    """

    values: NDArray[np.floating]
    begin: Integers
    n_rows: int


class StoredCodes(NamedTuple):
    """The bin of each entry, and for each column the bin of 0 and the entries in other bins."""

    code: Codes
    zero: Codes
    kept: Integers


def stored_bin_codes(columns: StoredColumns, bins: BinArrays, codes: StoredCodes) -> None:
    """Write the same bins as ``bin_codes`` on the dense columns."""
    _featrank.stored_bin_codes(*columns, *bins, *codes)


def stored_quantile_codes(
    columns: StoredColumns, n_bins: int, codes: StoredCodes
) -> NDArray[np.int32]:
    """Write the same bins as ``quantile_codes`` on the dense columns."""
    number = np.empty(len(codes.zero), np.int32)
    _featrank.stored_quantile_codes(*columns, n_bins, *codes, number)
    return number


# Copy the rows and bins of entries that are not in the bin of 0.
keep_codes = _featrank.keep_codes


class SparseCodeArrays(NamedTuple):
    """Bins of all features, where they differ from the bin ``zero`` of 0, and n·log(n).

    The rows and bins of feature j are those at ``begin[j]:begin[j + 1]``, and its rows are
    distinct. ``n_log_n`` has an integer for each count of rows, starting at 0.
    """

    begin: Integers
    row: Rows
    code: Codes
    zero: Codes
    n_bins: int
    n_log_n: Integers


class ChosenArrays(NamedTuple):
    """Chosen features together with the class, one per row.

    ``state`` is class·width + code for each row of X, as unsigned integers. ``size`` is the number
    of rows of each state, and ``whole`` that of each code. ``pair`` and ``triple`` are Σ n·log(n)
    over ``whole`` and over ``size``.
    """

    state: NDArray[Any]
    size: Sizes
    whole: Sizes
    pair: Integers
    triple: Integers


def sparse_sums(
    arrays: SparseCodeArrays, chosen: ChosenArrays, candidates: Indices
) -> tuple[Integers, Integers]:
    """Σ n·log(n) over the tables (chosen, candidate) and (chosen, candidate, class)."""
    pair, triple = np.empty((2, len(candidates)), np.int64)
    _featrank.sparse_sums(*arrays, *chosen, candidates, pair, triple)
    return pair, triple


# Find the largest of the candidates' smallest I(candidate; class | chosen).
#
# ``factor`` is the size of one unit of n·log(n) in nats.
sparse_best_smallest = _featrank.sparse_best_smallest


class SparseValues(NamedTuple):
    """Stored values of all features with their rows, and each feature's mean and scale."""

    begin: Integers
    row: Rows
    values: NDArray[np.floating]
    mean: Floats
    scale: Floats


# Find the largest statistic divided by the mean absolute correlation with the chosen features.
#
# ``chosen`` has the standardised chosen features, one per row, and ``chosen_sum`` the sum of each.
# Correlations below ``least`` count as ``least``. Only the excess above it is accumulated.
sparse_best_quotient = _featrank.sparse_best_quotient
