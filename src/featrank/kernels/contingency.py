"""Typed wrappers of the kernels on binned features, pairs of features and correlations."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import BinArrays, Floats, Groups, _featrank

Codes = NDArray[np.uint8]
Integers = NDArray[np.int64]
Indices = NDArray[np.int64]


class CodeArrays(NamedTuple):
    """Bins of all features, of shape (features, rows), and n·log(n) for each count of rows.

    Rows are grouped by class, every code is below ``n_bins``, and ``n_log_n`` holds integers
    in units of the caller's choice.
    """

    codes: Codes
    n_bins: int
    n_log_n: Integers


def bin_codes(block: NDArray[np.floating], groups: Groups, bins: BinArrays, codes: Codes) -> None:
    """Write the bin in which ``histogram`` counts each value, one row of codes a column."""
    _featrank.bin_codes(block, groups.order, groups.offsets, *bins, codes)


def quantile_codes(
    block: NDArray[np.floating],
    groups: Groups,
    whole: NDArray[np.uint8],
    n_bins: int,
    codes: Codes,
) -> NDArray[np.int32]:
    """Write the bin in which ``quantile_histogram`` counts each value; return how many bins."""
    number = np.empty(block.shape[1], np.int32)
    _featrank.quantile_codes(block, groups.order, groups.offsets, whole, n_bins, codes, number)
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


def standardise(
    block: NDArray[np.floating], mean: Floats, scale: Floats, out: NDArray[np.floating]
) -> None:
    """Write (x - mean)·scale, one row a column of the block."""
    _featrank.standardise(block, mean, scale, out)


class Lagging(NamedTuple):
    """Candidates that know the first ``n_known`` of the chosen features, and what they gathered.

    The kernels bring ``n_known`` and ``gathered`` up to date.
    """

    chosen: Indices
    candidates: Indices
    n_known: Integers
    gathered: Floats

    def part(self, block: slice) -> "Lagging":
        """Return some of the candidates, as views."""
        own = self.candidates[block], self.n_known[block], self.gathered[block]
        return Lagging(self.chosen, *own)


def correlation_sums(values: NDArray[np.floating], least: float, lagging: Lagging) -> None:
    """Add absolute correlations, each counted as ``least`` at least, with the chosen ones."""
    _featrank.correlation_sums(values, least, *lagging)


def smallest_relevance(
    arrays: CodeArrays,
    offsets: Integers,
    given: Integers,
    factor: float,
    floor: float,
    lagging: Lagging,
) -> None:
    """Lower to the smallest I(candidate; class | chosen), giving up below the floor.

    ``given`` holds, for each feature s, the sum over the table (s, class) less that over (s);
    ``factor`` is what one of its units is worth in nats.
    """
    _featrank.smallest_relevance(*arrays, offsets, given, factor, floor, *lagging)
