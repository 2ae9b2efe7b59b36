"""Wrappers of the kernels for nearest neighbours. Rows of every matrix are contiguous."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats, _featrank

Matrix = NDArray[np.floating]
Integers = NDArray[np.int64]


class Links(NamedTuple):
    """Weighted links: row ``rows[i]`` has ``neighbour[offsets[i]:offsets[i + 1]]``."""

    rows: Integers
    offsets: Integers
    neighbour: Integers
    weight: Floats


class Sketch(NamedTuple):
    """Quantised samples in the order of positions: 8 bits, or 16 bits for squared distances.

    ``error`` bounds the rounding error of each row, ``norm`` is the sum of a row's squares (16 bits
    only), and a unit of distance is ``steps`` quantisation steps.
    """

    bytes_: NDArray[np.uint8]
    shorts: NDArray[np.int16]
    error: Floats
    norm: Floats
    steps: float

    @classmethod
    def none(cls) -> "Sketch":
        """No sketch: the search compares all values."""
        return cls.of_bytes(0, 0)

    @classmethod
    def of_bytes(cls, n_samples: int, n_features: int) -> "Sketch":
        """Allocate one byte per value. Rows are padded with zeros."""
        table = np.zeros((n_samples, _padded(n_features)), np.uint8)
        return cls(table, np.zeros((0, 0), np.int16), np.empty(n_samples), np.empty(0), 255.0)

    @classmethod
    def of_shorts(cls, n_samples: int, n_features: int, steps: float) -> "Sketch":
        """Allocate 16 bits per value. Rows are padded with zeros."""
        table = np.zeros((n_samples, _padded(n_features)), np.int16)
        error, norm = np.empty((2, n_samples))
        return cls(np.zeros((0, 0), np.uint8), table, error, norm, steps)


# Largest magnitude of a 16-bit value, such that a sum of 1024 products fits into 32 bits.
MOST_SHORT = 1448


def _padded(n_features: int) -> int:
    return -(-n_features // 64) * 64


class Missing(NamedTuple):
    """Missing values: row r lacks the columns ``column[slot[offsets[r]:offsets[r + 1]]]``.

    ``expected[m, c, r]`` is the expected scaled difference in ``column[m]`` between a missing value
    of class c and row r.
    """

    offsets: Integers
    slot: Integers
    column: Integers
    expected: NDArray[np.float64]

    @classmethod
    def none(cls) -> "Missing":
        """No value is missing."""
        nothing = np.zeros(0, np.int64)
        return cls(nothing, nothing, nothing, np.zeros((0, 0, 0)))


def ranges(block: Matrix, low: Floats, high: Floats, unknown: Integers) -> None:
    """Write the smallest and largest value and the number of missing values of each column."""
    _featrank.ranges(block, low, high, unknown)


def quantise(
    samples: "Samples", low: Floats, fill: Floats, spread: Floats, block: slice, out: Sketch
) -> None:
    """Write bytes ``round(255·(x - low)·scale)`` of some positions, and the rounding errors.

    A missing value of class c is replaced by ``fill[c]`` and adds ``spread[c]`` to the error, both
    in quantisation steps. These tables have no rows if no value is missing.
    """
    _featrank.quantise(
        samples.X,
        samples.order[block],
        samples.codes,
        low,
        out.steps * samples.scale,
        fill,
        spread,
        out.bytes_[block],
        out.error[block],
    )


def shorten(samples: "Samples", middle: Floats, scale: float, block: slice, out: Sketch) -> None:
    """Write ``round((x - middle)·scale)`` of some positions, and the squared rounding errors."""
    rows, shorts = samples.order[block], out.shorts[block]
    _featrank.shorten(samples.X, rows, middle, scale, shorts, out.error[block], out.norm[block])


class Samples(NamedTuple):
    """Samples by class, and the distance: Σ scale·|x - z|, or the sum of squares."""

    X: Matrix
    order: Integers
    offsets: Integers
    codes: Integers
    scale: Floats
    square: bool
    missing: Missing

    def _arguments(self) -> tuple[Any, ...]:
        return *self[:-1], *self.missing


def nearest(
    samples: Samples, slots: Integers, positions: slice, sketch: Sketch, known: Floats
) -> tuple[Integers, Floats]:
    """Nearest rows of the samples at the positions, and their distances.

    Columns ``slots[c]:slots[c + 1]`` have the rows of class c, nearest first, with ties in the
    order of rows, and -1 if the class has too few rows. ``known`` is the table of all distances,
    or empty.
    """
    shape = positions.stop - positions.start, int(slots[-1])
    neighbour, distance = np.empty(shape, np.int64), np.empty(shape)
    span = positions.start, positions.stop
    _featrank.nearest(*samples._arguments(), slots, *span, *sketch, known, neighbour, distance)
    return neighbour, distance


def all_distances(samples: Samples, positions: slice, table: Floats) -> None:
    """Write the distances between the positions and all later ones into a symmetric table."""
    _featrank.all_distances(*samples._arguments(), positions.start, positions.stop, table)


def gram(block: Matrix, middle: Floats, scale: Floats, *, square: bool) -> Floats:
    """Products of all pairs of rows of ``(x - middle)·scale``, in single precision.

    If not ``square``, the sums of their absolute differences. Entries with i > h are undefined.
    Sums of ``GRAM_TERMS`` terms are rounded to single precision, and added in double precision.
    """
    out = np.zeros((len(block), len(block)))
    _featrank.gram(block, middle, scale, square, out)
    return out


# Number of terms that are summed in single precision: 512 columns in 8 lanes.
GRAM_TERMS = 64


def possible_pairs(
    products: Floats, k: int, relative: float, absolute: float
) -> tuple[Integers, Integers]:
    """Pairs of rows (the lower first) in which one may be among the k nearest of the other.

    Squared distances are computed from the products of all rows (i ≤ h). Their error is at most
    ``relative``·(|x|² + |z|²) + ``absolute``.
    """
    possible = np.zeros(products.shape, np.bool_)
    _featrank.possible_pairs(products, k, relative, absolute, possible)
    return np.divmod(np.flatnonzero(possible), len(products))


def count_near(pairs: Links, distance: Floats, n_rows: int, k: int) -> Integers:
    """For each pair, how many of its two rows have the other among their k nearest.

    Ties go to the lower row number.
    """
    times = np.empty(len(distance), np.int64)
    _featrank.count_near(*pairs, distance, n_rows, k, times)
    return times


def link_distances(X: Matrix, links: Links, scale: Floats, *, square: bool) -> Floats:
    """Σ scale·|x_i - x_h| over all columns, or the sum of squares, for the ends of each link."""
    out = np.empty(len(links.neighbour))
    _featrank.link_distances(X, *links, scale, square, out)
    return out


def differences(
    block: Matrix,
    links: Links,
    scale: Floats,
    out: Floats,
    *,
    square: bool = False,
    unknown: bool = False,
) -> None:
    """Add Σ weight·|x_i - x_j|·scale of each column, or the sum of squares, to ``out``.

    With ``unknown``, NaN adds nothing.
    """
    _featrank.differences(block, *links, scale, square, unknown, out)


def expect(
    X: Matrix,
    columns: Integers,
    low: Floats,
    scale: Floats,
    codes: Integers,
    n_classes: int,
    out: NDArray[np.float64],
) -> tuple[Floats, Floats]:
    """Write the expected differences (column, class, row) of columns with NaN into ``out``.

    Returns, for each (column, class), a value within the column's range that represents missing
    values, and the mean deviation of the present values from it.
    """
    place, deviation = np.empty((2, len(columns), n_classes))
    _featrank.expect(X, columns, low, scale, codes, out, place, deviation)
    return place, deviation


def expected_differences(samples: Samples, links: Links) -> Floats:
    """Σ weight·expected difference over links with a missing value, for each missing column."""
    out = np.zeros(len(samples.missing.column))
    if len(out):
        _featrank.expected_differences(samples.X, *links, samples.codes, *samples.missing, out)
    return out


# Write Σ weight·(z_i - z_h)² over the links, and Σ degree·(z - mean)², of each column.
#
# z is (x - low)·scale, where the scale is a power of two. The mean is weighted by the degrees.
smoothness = _featrank.smoothness
