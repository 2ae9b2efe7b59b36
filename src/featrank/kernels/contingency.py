"""Typed wrappers of the kernels on binned features, pairs of features and correlations."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import BinArrays, Floats, Groups, _featrank

Codes = NDArray[np.uint8]
Integers = NDArray[np.int64]
Indices = NDArray[np.int64]


class CodeArrays(NamedTuple):
    """Bins of all features, of shape (features, rows), and n·log(n) for each count of rows.

    Rows are grouped by class, every code is below ``n_bins``, and ``n_log_n`` has integers in a
    unit that the caller chooses.
    """

    codes: Codes
    n_bins: int
    n_log_n: Integers


def bin_codes(block: NDArray[np.floating], groups: Groups, bins: BinArrays, codes: Codes) -> None:
    """Write the bin in which ``histogram`` counts each value, one row of codes per column."""
    _featrank.bin_codes(block, (*groups[:2], None), bins, codes)


def quantile_codes(
    block: NDArray[np.floating], groups: Groups, n_bins: int, codes: Codes
) -> NDArray[np.int32]:
    """Write the bin of each value in ``quantile_histogram``. Return the bins per column."""
    number = np.empty(block.shape[1], np.int32)
    _featrank.quantile_codes(block, (*groups[:2], None), n_bins, codes, number)
    return number


def pair_sums(arrays: CodeArrays, chosen: int, candidates: Indices) -> Integers:
    """Σ n·log(n) over the table of the chosen feature and each candidate."""
    pair = np.empty(len(candidates), np.int64)
    _featrank.pair_sums(*arrays, chosen, candidates, pair)
    return pair


def class_sums(
    arrays: CodeArrays, offsets: Integers, chosen: int, candidates: Indices
) -> tuple[Integers, Integers]:
    """Σ n·log(n) over the tables (chosen, candidate) and (chosen, candidate, class)."""
    pair, triple = np.empty((2, len(candidates)), np.int64)
    _featrank.class_sums(*arrays, offsets, chosen, candidates, pair, triple)
    return pair, triple


def class_tables(
    codes: Codes, n_bins: int, offsets: Integers, first: Codes, n_first: int
) -> Integers:
    """Count the rows of each class by the codes ``first`` and those of each feature.

    The counts have shape (features, classes, n_first, n_bins).
    """
    tables = np.empty((len(codes), len(offsets) - 1, n_first, n_bins), np.int64)
    _featrank.class_tables(codes, n_bins, offsets, first, n_first, tables)
    return tables


def state_sums(
    arrays: CodeArrays,
    offsets: Integers,
    states: NDArray[np.uint32],
    n_states: int,
    candidates: Indices,
) -> tuple[Integers, Integers]:
    """Σ n·log(n) over the tables (state, candidate) and (state, candidate, class)."""
    pair, triple = np.empty((2, len(candidates)), np.int64)
    _featrank.state_sums(*arrays, offsets, states, n_states, candidates, pair, triple)
    return pair, triple


# Write (x - mean)·scale, one row per column of the block.
standardise = _featrank.standardise


class Gathered(NamedTuple):
    """Values that each feature has accumulated over the first ``n_known`` chosen features.

    The kernels only update candidates that may be the best one. They return the place of the best
    candidate among the candidates, and its value. Ties go to the more relevant candidate, then to
    the first.
    """

    n_known: Integers
    values: Floats

    @classmethod
    def of(cls, start: Floats) -> "Gathered":
        """Return a copy of the values before any feature is chosen."""
        return cls(np.zeros(len(start), np.int64), np.array(start))


# Find the largest statistic divided by the mean absolute correlation with the chosen features.
#
# Correlations below ``least`` count as ``least``. Only the excess above it is accumulated.
best_quotient = _featrank.best_quotient


# Find the largest of the candidates' smallest I(candidate; class | chosen). The arguments after the
# codes are the class offsets, the sum over the table (s, class) minus that over (s) for each
# feature s, and the size of one unit of the sums in nats.
best_smallest = _featrank.best_smallest
