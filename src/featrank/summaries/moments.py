"""Per-class moments of whole columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank import kernels
from featrank.kernels import Floats, Groups, MomentArrays, RangeArrays


@dataclass(frozen=True)
class Moments:
    """Count, mean, sum of squared deviations, extremes: one row per class, one column per feature.

    Attributes
    ----------
    count : ndarray of shape (n_classes,) or (n_classes, n_features)
        Number of values of each class, or the sum of their weights. Per feature if some are
        missing.
    mean, m2, minimum, maximum : ndarray of shape (n_classes, n_features)
        ``m2`` is the sum of squared deviations from the class mean.
    absolute_sum : ndarray of shape (n_features,)
        Sum of absolute values over all samples.
    whole : ndarray of shape (n_features,)
        1 where every value is an integer.
    """

    count: NDArray[Any]
    mean: Floats
    m2: Floats
    minimum: Floats
    maximum: Floats
    absolute_sum: Floats
    whole: NDArray[np.uint8]

    @classmethod
    def of(cls, block: NDArray[np.floating], groups: Groups) -> Moments:
        """Summarise all rows of some columns."""
        return cls.from_arrays(groups.sizes, *kernels.moments(block, groups))

    @classmethod
    def from_arrays(cls, sizes: NDArray[Any], ranges: RangeArrays, found: MomentArrays) -> Moments:
        """Wrap kernel results. ``sizes`` are the class sizes."""
        low, high, present, whole = ranges
        count = sizes if np.array_equal(present.min(axis=1, initial=np.inf), sizes) else present
        if present.shape[1] == 0:
            count = sizes
        return cls(count, found.mean, found.m2, low, high, found.absolute_sum, whole)

    @property
    def has_missing(self) -> bool:
        """Whether values are missing."""
        return self.count.ndim == 2

    @property
    def counts(self) -> NDArray[Any]:
        """The counts, with a shape that broadcasts with the other arrays."""
        return self.count if self.has_missing else self.count[:, None]

    def merge(self, other: Moments) -> Moments:
        """Moments of the rows of both, for the same columns (Chan, Golub and LeVeque 1979).

        The last digits depend on the order. Sums that must not depend on it are merged before they
        become moments (:class:`ClassSummary`). Values that are not finite stay so, without a
        warning.
        """
        with np.errstate(invalid="ignore", over="ignore"):
            return self._merged(other)

    def _merged(self, other: Moments) -> Moments:
        count = self.count + other.count
        share = other.counts / np.maximum(self.counts + other.counts, 1)
        shift = np.where((self.counts > 0) & (other.counts > 0), other.mean - self.mean, 0.0)
        minimum = np.minimum(self.minimum, other.minimum)
        maximum = np.maximum(self.maximum, other.maximum)
        mean = np.where(share == 1, other.mean, self.mean + shift * share)
        m2 = self.m2 + other.m2 + shift**2 * self.counts * share
        constant = (minimum == maximum) & ~np.isnan(m2)
        return Moments(
            count,
            np.where(constant, minimum, mean),
            np.where(constant, 0.0, m2),
            minimum,
            maximum,
            self.absolute_sum + other.absolute_sum,
            self.whole & other.whole,
        )

    @staticmethod
    def concatenate(parts: Sequence[Moments]) -> Moments:
        """Concatenate the moments of several blocks of columns, for the same rows."""
        tables = (
            np.concatenate([getattr(part, name) for part in parts], axis=-1)
            for name in ("mean", "m2", "minimum", "maximum", "absolute_sum", "whole")
        )
        count = parts[0].count
        if any(part.has_missing for part in parts):
            count = np.concatenate(
                [np.broadcast_to(part.counts, part.mean.shape) for part in parts], axis=1
            )
        return Moments(count, *tables)

    @cached_property
    def low(self) -> Floats:
        """Smallest value of each feature."""
        return self.minimum.min(axis=0)

    @cached_property
    def high(self) -> Floats:
        """Largest value of each feature."""
        return self.maximum.max(axis=0)

    def class_variance(self) -> Floats:
        """Sample variance (ddof 1) within each class, or 0 for a class of one sample."""
        return self.m2 / np.where(self.counts > 1, self.counts - 1, 1)

    def over_classes(self, table: Floats) -> Floats:
        """Sum count times table over the classes, in the same order for every column.

        BLAS would give other last digits at the end of a block of columns.
        """
        total = self.counts[0] * table[0]
        for count, values in zip(self.counts[1:], table[1:], strict=True):
            total += count * values
        return total

    def overall_mean(self) -> Floats:
        """Mean of each feature over all samples, or 0 if all values are missing."""
        constant = self.low == self.high
        total = self.count.sum(axis=0)
        total = np.where(total > 0, total, 1)
        return np.where(constant, self.low, self.over_classes(self.mean) / total)

    def overall_variance(self) -> Floats:
        """Sample variance (ddof 1) of each feature over all samples, or 0 for a constant."""
        between = self.over_classes((self.mean - self.overall_mean()) ** 2)
        variance = (self.m2.sum(axis=0) + between) / np.maximum(self.count.sum(axis=0) - 1, 1)
        return np.where(self.low < self.high, variance, 0.0)
