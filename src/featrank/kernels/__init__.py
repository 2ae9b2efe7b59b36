"""Typed wrappers of the compiled functions, which only allocate the outputs.

Every kernel is serial and releases the GIL. ``block`` is a float32 or float64 matrix with any
strides. Rows are grouped by class through ``Groups``.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank.compiled import _featrank

Floats = NDArray[np.float64]
Counts = NDArray[np.int32] | NDArray[np.float64]
Words = NDArray[np.uint64]


class Groups(NamedTuple):
    """Rows grouped by class: class c owns ``order[offsets[c]:offsets[c + 1]]``.

    Rows that ``order`` does not list are ignored. ``weights`` are those of the listed rows, and
    are multiples of ``weight_unit``, a power of two.
    """

    order: NDArray[np.int64]
    offsets: NDArray[np.int64]
    weights: Floats | None = None
    weight_unit: float = 1.0

    @classmethod
    def of(
        cls,
        codes: NDArray[np.integer],
        n_classes: int,
        weights: Floats | None = None,
        unit: float | None = None,
    ) -> "Groups":
        """Group the rows of class codes 0 … n_classes - 1.

        Rows with a negative code or a zero weight are dropped. Weights are rounded to multiples
        of the unit, by default the unit of these rows alone.
        """
        order = np.argsort(codes, kind="stable").astype(np.int64)
        order = order[np.searchsorted(codes, 0, sorter=order) :]
        if weights is None:
            sizes = np.bincount(codes[order], minlength=n_classes)
            return cls(order, np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64))
        order = order[weights[order] > 0]
        if unit is None:
            unit = weight_unit(len(order), weights[order].max(initial=0.0))
        sizes = np.bincount(codes[order], minlength=n_classes)
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        return cls(order, offsets, np.rint(weights[order] / unit) * unit, unit)

    @property
    def sizes(self) -> NDArray[Any]:
        """Number of samples of each class, or the sum of their weights."""
        if self.weights is None:
            return np.diff(self.offsets)
        parts = np.split(self.weights, self.offsets[1:-1])
        return np.array([part.sum() for part in parts])

    def codes(self, n_rows: int) -> NDArray[np.int32]:
        """Return the class of each row, or -1 for ignored rows."""
        codes, sizes = np.full(n_rows, -1, np.int32), np.diff(self.offsets)
        codes[self.order] = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        return codes

    def no_counts(self, n_columns: int, n_bins: int) -> "Counts":
        """Return zero counts: integers, or doubles for weighted rows."""
        shape = n_columns, len(self.offsets) - 1, n_bins
        return np.zeros(shape, np.int32) if self.weights is None else np.zeros(shape)


def weight_unit(count: int, largest: float) -> float:
    """Return a power of two. ``count`` weights are rounded to its multiples.

    Sums of rounded weights are exact in any order. Integer weights are not changed.

    Examples
    --------
    >>> weight_unit(1000, 3.0) * 2**40
    1.0
    """
    return float(2.0 ** (np.ceil(np.log2(max(count * float(largest), 2.0**-900))) - 52))


class RangeArrays(NamedTuple):
    """Per-class minimum, maximum and number (or weight) of values, then the integer flag."""

    minimum: Floats
    maximum: Floats
    present: Floats
    whole: NDArray[np.uint8]

    @classmethod
    def empty(cls, n_classes: int, n_columns: int) -> "RangeArrays":
        """Allocate outputs for a kernel."""
        low, high, present = np.empty((3, n_classes, n_columns))
        return cls(low, high, present, np.empty(n_columns, np.uint8))


class SumArrays(NamedTuple):
    """Sums as 128-bit integers, the lower 64 bits first, in units that depend on the ranges.

    ``first`` and ``second`` are sums of deviations and of their squares, of shape (classes,
    columns, 2). ``absolute`` is the sum of absolute values, of shape (columns, 2).
    """

    first: Words
    second: Words
    absolute: Words

    @classmethod
    def empty(cls, n_classes: int, n_columns: int) -> "SumArrays":
        """Allocate outputs for a kernel."""
        first, second = np.empty((2, n_classes, n_columns, 2), np.uint64)
        return cls(first, second, np.empty((n_columns, 2), np.uint64))


class MomentArrays(NamedTuple):
    """Per-class mean and m2, then the absolute sum."""

    mean: Floats
    m2: Floats
    absolute_sum: Floats

    @classmethod
    def empty(cls, n_classes: int, n_columns: int) -> "MomentArrays":
        """Allocate outputs for a kernel."""
        mean, m2 = np.empty((2, n_classes, n_columns))
        return cls(mean, m2, np.empty(n_columns))


class BinArrays(NamedTuple):
    """Equal-width bins of each column: lowest edge, width and number.

    The lowest edge is a few rounding errors below the smallest value, see ``choose_bins``.
    """

    low: Floats
    step: Floats
    number: NDArray[np.int32]

    @classmethod
    def empty(cls, n_columns: int) -> "BinArrays":
        """Allocate outputs for a kernel."""
        return cls(np.empty(n_columns), np.empty(n_columns), np.empty(n_columns, np.int32))


def ranges(block: NDArray[np.floating], groups: Groups) -> RangeArrays:
    """Per-class extremes of each column. NaN is a missing value."""
    out = RangeArrays.empty(len(groups.offsets) - 1, block.shape[1])
    _featrank.ranges(block, groups[:3], groups.weight_unit, out)
    return out


def sums(block: NDArray[np.floating], groups: Groups, of_all: RangeArrays) -> SumArrays:
    """Per-class sums of some rows, in units that depend on the ranges of all rows."""
    out = SumArrays.empty(len(groups.offsets) - 1, block.shape[1])
    _featrank.sums(block, groups[:3], groups.weight_unit, of_all, out)
    return out


def products(block: NDArray[np.floating], factors: Floats, centre: Floats, reach: Floats) -> Floats:
    """Sum of factor·(value - centre) of each column, the same for any order of the rows.

    Factors are at most 1 in magnitude. Rows with a factor of 0 are ignored, even if they have NaN.
    ``reach`` is the largest distance of a value from the centre.
    """
    rows, sums = np.flatnonzero(factors).astype(np.int64), np.empty(block.shape[1])
    _featrank.products(block, rows, factors[rows], centre, reach, sums)
    return sums


def finish(of_all: RangeArrays, total: SumArrays, unit: float) -> MomentArrays:
    """Moments from the ranges and the sums of all rows. ``unit`` is the unit of their weights."""
    out = MomentArrays.empty(*of_all.minimum.shape)
    _featrank.finish(unit, of_all, total, out)
    return out


def moments(block: NDArray[np.floating], groups: Groups) -> tuple[RangeArrays, MomentArrays]:
    """Per-class ranges and moments of each column, from one read of all rows."""
    shape = len(groups.offsets) - 1, block.shape[1]
    extremes, out = RangeArrays.empty(*shape), MomentArrays.empty(*shape)
    _featrank.moments(block, groups[:3], groups.weight_unit, extremes, out)
    return extremes, out


def choose_bins(
    minimum: Floats,
    maximum: Floats,
    whole: NDArray[np.uint8],
    dtype: np.dtype[np.floating],
    n_bins: int,
) -> BinArrays:
    """Bins for columns of a known range: ``n_bins`` of equal width, or one per integer.

    A value of this type that is just below an edge because of rounding is counted above it.
    """
    out = BinArrays.empty(len(minimum))
    _featrank.choose_bins(minimum, maximum, whole, float(np.finfo(dtype).eps), n_bins, out)
    return out


def histogram(block: NDArray[np.floating], groups: Groups, bins: BinArrays, n_bins: int) -> Counts:
    """Counts of shape (columns, classes, n_bins) over equal-width bins."""
    counts = groups.no_counts(block.shape[1], n_bins)
    _featrank.histogram(block, groups[:3], bins, counts)
    return counts


def tally(
    block: NDArray[np.floating], groups: Groups, of_all: RangeArrays, bins: BinArrays, n_bins: int
) -> tuple[SumArrays, Counts]:
    """Sums and counts of some rows, from one read."""
    out = SumArrays.empty(len(groups.offsets) - 1, block.shape[1])
    counts = groups.no_counts(block.shape[1], n_bins)
    _featrank.tally(block, groups[:3], groups.weight_unit, of_all, out, bins, counts)
    return out, counts


def quantile_histogram(block: NDArray[np.floating], groups: Groups, n_bins: int) -> Counts:
    """Counts of shape (columns, classes, n_bins) over bins with about equal counts."""
    counts = groups.no_counts(block.shape[1], n_bins)
    _featrank.quantile_histogram(block, groups[:3], counts)
    return counts


def summarise(
    block: NDArray[np.floating], groups: Groups, n_bins: int
) -> tuple[RangeArrays, MomentArrays, Counts]:
    """Ranges, moments and equal-width histograms from one read of all rows."""
    n_classes, n_columns = len(groups.offsets) - 1, block.shape[1]
    extremes, out = (
        RangeArrays.empty(n_classes, n_columns),
        MomentArrays.empty(n_classes, n_columns),
    )
    counts = groups.no_counts(n_columns, n_bins)
    bins = BinArrays.empty(n_columns)
    _featrank.summarise(block, groups[:3], groups.weight_unit, extremes, out, bins, counts)
    return extremes, out, counts


def information(counts: Counts, most: float | None = None) -> tuple[Floats, Floats]:
    """Mutual information of bin and class, and the entropy of the bins, in nats.

    ``most`` is the largest total of a column, by default that of the first column.
    """
    result, entropy = np.empty(len(counts)), np.empty(len(counts))
    if len(counts):
        most = counts[0].sum().item() if most is None else counts.dtype.type(most).item()
        _featrank.information(counts, most, result, entropy)
    return result, entropy


def dot(a: Floats, b: Floats) -> float:
    """Return a·b, summed in a fixed order, unlike in a threaded BLAS."""
    return _featrank.dot(a, b)


def add_scaled(factor: float, vector: Floats, result: Floats) -> None:
    """Add factor·vector to the result, in place."""
    _featrank.add_scaled(factor, vector, result)


def add_largest_of_two(level: Floats, vector: Floats, weight: float, result: Floats) -> None:
    """Add weight·Σ_j max(level_i, level_j)·vector_j to the result. Levels must ascend."""
    _featrank.add_largest_of_two(level, vector, weight, result)


def advance(image: Floats, vector: Floats, shift: float = 0.0) -> tuple[float, float, float]:
    """Take a step of the power iteration on A + shift·1, in place, for an image A·vector.

    Returns λ = vector·image, |image + shift·vector| and |image - λ·vector|. The vector must have
    length 1. It becomes image + shift·vector scaled to length 1, unless that is 0. The image
    becomes 0.
    """
    return _featrank.advance(image, vector, shift)


class Levelled(NamedTuple):
    """A_ij = Σ_t weight_t·left_ti·right_tj + weight·max(level_i, level_j), with ascending levels.

    There are one or two terms. ``weights`` has their weights, then that of the levels.
    """

    left: Floats
    right: Floats
    level: Floats
    weights: Floats


# Take the step of ``advance`` including the product in one pass, without scaling the vector.
#
# The vector of length 1 is factor·vector. ``products`` are right_t·vector, then level·vector, and
# are updated. ``eigenvalue`` is an estimate: the better it is, the more exact is the residual. The
# vector becomes A·v + shift·v for v = factor·vector.
levelled_step = _featrank.levelled_step


def gather(source: Floats, order: NDArray[np.int64]) -> Floats:
    """Return source[order], faster than NumPy for vectors larger than the cache."""
    result = np.empty(len(order))
    _featrank.gather(source, order, result)
    return result


def scatter(source: Floats, order: NDArray[np.int64]) -> Floats:
    """Return a vector with result[order] = source, for a permutation ``order``."""
    result = np.empty(len(order))
    _featrank.scatter(source, order, result)
    return result


def argsort(values: Floats) -> NDArray[np.int64]:
    """Positions in ascending order of value, for values without NaN. Equal values keep order."""
    # NumPy's large arrays are on huge pages, which makes random writes faster than in C++ vectors.
    order, scratch = np.empty(len(values), np.int64), np.empty(len(values), np.int64)
    _featrank.argsort(np.ascontiguousarray(values), scratch, order)
    return order


def places(order: NDArray[np.int64]) -> NDArray[np.int64]:
    """Place of each position in the permutation ``order``. The first has place 1."""
    result = np.empty(len(order), np.int64)
    _featrank.places(order, result)
    return result


def instruction_set() -> str:
    """Return the name of the instruction set that the hot kernels use on this computer."""
    return _featrank.instruction_set()
