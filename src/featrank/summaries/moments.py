"""Per-class moments of each feature, exact to merge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank import kernels
from featrank.kernels import Floats, Groups, MomentArrays


@dataclass(frozen=True)
class Moments:
    """Count, mean, sum of squared deviations, extremes: one row a class, one column a feature.

    Attributes
    ----------
    count : ndarray of shape (n_classes,)
        Samples of each class, or the sum of their weights.
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
        """Summarise a block of rows and columns."""
        return cls.from_arrays(groups, kernels.moments(block, groups))

    @classmethod
    def from_arrays(cls, groups: Groups, arrays: MomentArrays) -> Moments:
        """Wrap a kernel's outputs."""
        return cls(groups.sizes, *arrays)

    def merge(self, other: Moments) -> Moments:
        """Summary of the rows of both, for the same columns (Chan, Golub and LeVeque 1979).

        What is not finite stays so, without a warning: who reads the summary refuses it.
        """
        with np.errstate(invalid="ignore", over="ignore"):
            return self._merged(other)

    def _merged(self, other: Moments) -> Moments:
        count = self.count + other.count
        share = (other.count / np.maximum(count, 1))[:, None]
        both = ((self.count > 0) & (other.count > 0))[:, None]
        gap = np.where(both, other.mean - self.mean, 0.0)
        minimum = np.minimum(self.minimum, other.minimum)
        maximum = np.maximum(self.maximum, other.maximum)
        mean = np.where(share == 1, other.mean, self.mean + gap * share)
        m2 = self.m2 + other.m2 + gap**2 * self.count[:, None] * share
        # The extremes pass over NaN, which must not be taken for a constant.
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
        """Summary of the columns of all parts, for the same rows."""
        tables = (
            np.concatenate([getattr(part, name) for part in parts], axis=-1)
            for name in ("mean", "m2", "minimum", "maximum", "absolute_sum", "whole")
        )
        return Moments(parts[0].count, *tables)

    @cached_property
    def low(self) -> Floats:
        """Smallest value of each feature."""
        return self.minimum.min(axis=0)

    @cached_property
    def high(self) -> Floats:
        """Largest value of each feature."""
        return self.maximum.max(axis=0)

    def class_variance(self) -> Floats:
        """Sample variance (ddof 1) within each class; 0 for a class of one sample."""
        return self.m2 / np.where(self.count > 1, self.count - 1, 1)[:, None]

    def overall_mean(self) -> Floats:
        """Mean of each feature over all samples."""
        constant = self.low == self.high
        return np.where(constant, self.low, self.count @ self.mean / self.count.sum())

    def overall_variance(self) -> Floats:
        """Sample variance (ddof 1) of each feature over all samples; 0 for a constant."""
        between = self.count @ (self.mean - self.overall_mean()) ** 2
        variance = (self.m2.sum(axis=0) + between) / max(self.count.sum() - 1, 1)
        return np.where(self.low == self.high, 0.0, variance)
