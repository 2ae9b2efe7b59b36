"""Supervised binning: the MDL intervals of Fayyad and Irani."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank._utils.panels import map_panels
from featrank.kernels import Floats, Groups
from featrank.kernels.contingency import Codes, Integers
from featrank.kernels.dense import dense_block
from featrank.pairwise.pair_tables import NLogN

# A code is a byte.
MOST_INTERVALS = 256
# Counts, one per value and class, in memory for a block of columns.
BLOCK_COUNTS = 2**18

Flags = NDArray[np.bool_]


class Intervals(NamedTuple):
    """Features cut into intervals.

    Attributes
    ----------
    codes : ndarray of shape (n_features, n_samples)
        The interval of each value.
    number : int
        Largest number of intervals of a feature.
    single : ndarray of shape (n_features,)
        Symmetric uncertainty of the class and the feature with its single best cut, even if the cut
        is rejected. 0 for a constant.
    """

    codes: Codes
    number: int
    single: Floats


def mdl_intervals(X: Any, groups: Groups, n_jobs: int | None = None) -> Intervals:
    r"""Cut every feature into a few intervals that are most informative about the class.

    A feature is cut where the remaining entropy of the class is smallest. The parts are cut again
    as long as this shortens the description length. A cut of N values with class entropy H into
    parts with :math:`H_1` and :math:`H_2` is accepted if the gain in bits exceeds

    .. math:: \frac{\log_2 m + \log_2(3^c - 2) - cH + c_1 H_1 + c_2 H_2}{N}

    where m is the number of possible cuts, and c, c₁ and c₂ are the numbers of classes in the whole
    and in its parts. If all values differ, m is N - 1, as published. Ties go to the lowest cut.
    There are at most 256 intervals, and the last one contains all larger values.

    Rows are in the order of the groups. Intervals depend only on the order of the values.

    References
    ----------
    .. [1] U. M. Fayyad and K. B. Irani, "Multi-interval discretization of continuous-valued
       attributes for classification learning", International Joint Conference on Artificial
       Intelligence (1993).

    Examples
    --------
    >>> X = np.array([[1.0, 5.0], [2.0, 3.0], [3.0, 4.0], [7.0, 4.0], [8.0, 3.0], [9.0, 5.0]])
    >>> mdl_intervals(X, Groups.of(np.array([0, 0, 0, 1, 1, 1]), 2)).codes
    array([[0, 0, 0, 1, 1, 1],
           [0, 0, 0, 0, 0, 0]], dtype=uint8)
    """
    n_samples, n_features = len(groups.order), X.shape[1]
    codes = np.empty((n_features, n_samples), np.uint8)
    single = np.empty(n_features)
    n_classes = len(groups.offsets) - 1
    classes = np.repeat(np.arange(n_classes), np.diff(groups.offsets))
    n_log_n = NLogN(n_samples)

    def work(columns: slice) -> None:
        values = np.ascontiguousarray(dense_block(X, columns)[groups.order].T)
        ordered = _Sorted.of(values, classes, n_classes, n_log_n)
        codes[columns], single[columns] = ordered.intervals()

    map_panels(work, n_features, max(1, BLOCK_COUNTS // (n_samples * n_classes)), n_jobs)
    return Intervals(codes, int(codes.max()) + 1, single)


@dataclass(frozen=True)
class _Parts:
    """Segments of the sorted values of features, each from ``start`` to ``stop``.

    ``number`` is the number of possible cuts in each.
    """

    start: Integers
    stop: Integers
    number: Integers


@dataclass(frozen=True)
class _Sorted:
    """Concatenated features, each with its values sorted.

    Attributes
    ----------
    order : ndarray of shape (n_features, n_samples)
        The rows of each feature in ascending order of value.
    rises : ndarray of shape (n_features * n_samples,)
        Whether the next value of the same feature is larger.
    before : ndarray of shape (n_classes, n_features * n_samples + 1)
        Number of values of a class before a position.
    """

    order: NDArray[np.intp]
    rises: Flags
    before: Integers
    n_log_n: NLogN

    @classmethod
    def of(
        cls, values: NDArray[np.floating], classes: Integers, n_classes: int, n_log_n: NLogN
    ) -> _Sorted:
        """Sort features, one per row."""
        order = np.argsort(values, axis=1, kind="stable")
        rises = np.zeros(values.shape, bool)
        ordered = np.take_along_axis(values, order, axis=1)
        rises[:, :-1] = ordered[:, :-1] < ordered[:, 1:]
        before = np.zeros((n_classes, values.size + 1), np.int64)
        member = classes[order].ravel() == np.arange(n_classes)[:, None]
        np.cumsum(member, axis=1, out=before[:, 1:])
        return cls(order, rises.ravel(), before, n_log_n)

    def intervals(self) -> tuple[Codes, Floats]:
        """Return the interval of each value, in row order, and the uncertainty of a single cut."""
        n_features, n_samples = self.order.shape
        cut = np.zeros(self.rises.size, bool)
        start = np.arange(n_features) * n_samples
        parts, best = self._divided(start, start + n_samples)
        single = np.zeros(n_features)
        single[parts.start // n_samples] = self._cut_uncertainty(parts, best)
        while len(best):
            worth = self._is_worth(parts, best)
            cut[best[worth]] = True
            middle = best[worth] + 1
            start = np.concatenate([parts.start[worth], middle])
            parts, best = self._divided(start, np.concatenate([middle, parts.stop[worth]]))
        return self._codes(cut), single

    def _codes(self, cut: Flags) -> Codes:
        cuts = cut.reshape(self.order.shape)
        numbers = np.cumsum(cuts, axis=1, dtype=np.int64) - cuts  # cuts before a value
        codes = np.empty(self.order.shape, np.uint8)
        np.put_along_axis(codes, self.order, np.minimum(numbers, MOST_INTERVALS - 1), axis=1)
        return codes

    def _divided(self, start: Integers, stop: Integers) -> tuple[_Parts, Integers]:
        """Return the segments with different values, and the best cut of each."""
        length = stop - start - 1
        own = np.repeat(np.arange(len(start)), length)
        places = np.arange(len(own)) - np.repeat(np.cumsum(length) - length - start, length)
        rises = self.rises[places]
        places, own = places[rises], own[rises]
        number = np.bincount(own, minlength=len(start))
        able = np.flatnonzero(number)
        parts = _Parts(start[able], stop[able], number[able])
        return parts, self._best(parts, places) if len(able) else places

    def _best(self, parts: _Parts, places: Integers) -> Integers:
        """Return the position in each segment after which a cut leaves the least class entropy."""
        own = np.repeat(np.arange(len(parts.number)), parts.number)
        left = self.before[:, places + 1] - self.before[:, parts.start][:, own]
        rest = self._entropy_sums(left) + self._entropy_sums(self._counts(parts)[:, own] - left)
        least = np.minimum.reduceat(rest, np.cumsum(parts.number) - parts.number)
        hits = np.flatnonzero(rest == least[own])
        return places[hits[np.flatnonzero(np.diff(own[hits], prepend=-1))]]

    def _is_worth(self, parts: _Parts, best: Integers) -> Flags:
        """Whether a cut shortens the description of the classes."""
        total, left, right = self._sides(parts, best)
        whole, below, above = (self._entropy_sums(counts) for counts in (total, left, right))
        change = self._weighted(total, whole)
        change -= self._weighted(left, below) + self._weighted(right, above)
        classes = np.count_nonzero(total, axis=0)
        # log2(3^c - 2) without overflow for many classes.
        choices = classes * np.log2(3) + np.log2(1 - 2 * 3.0**-classes)
        gain = self._bits(whole - below - above)
        return (classes > 1) & (gain > np.log2(parts.number) + choices - change)

    def _cut_uncertainty(self, parts: _Parts, best: Integers) -> Floats:
        """Return the symmetric uncertainty of the class and the side of the best cut."""
        total, left, right = self._sides(parts, best)
        whole, below, above = (self._entropy_sums(counts) for counts in (total, left, right))
        sides = self._entropy_sums(np.stack([left.sum(axis=0), right.sum(axis=0)]))
        return 2 * (whole - below - above) / (whole + sides)

    def _sides(self, parts: _Parts, best: Integers) -> tuple[Integers, Integers, Integers]:
        """Count the values of each part by class: in total, below and above the cut."""
        total = self._counts(parts)
        left = self.before[:, best + 1] - self.before[:, parts.start]
        return total, left, total - left

    def _counts(self, parts: _Parts) -> Integers:
        return self.before[:, parts.stop] - self.before[:, parts.start]

    def _entropy_sums(self, counts: Integers) -> Integers:
        """Return the number of values times the entropy of the rows of counts, as integers."""
        return self.n_log_n(counts.sum(axis=0)) - self.n_log_n(counts).sum(axis=0)

    def _weighted(self, counts: Integers, sums: Integers) -> Floats:
        """Return the entropy in bits times the number of classes present."""
        return np.count_nonzero(counts, axis=0) * self._bits(sums) / counts.sum(axis=0)

    def _bits(self, sums: Integers) -> Floats:
        return sums * (self.n_log_n.unit / np.log(2))
