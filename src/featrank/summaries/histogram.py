"""Bins, and per-class histograms of each feature over them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from featrank import kernels
from featrank.kernels import BinArrays, Counts, Floats, Groups


def auto_bins(n_samples: int) -> int:
    """Return the number of bins: 20 above 200 samples, otherwise a tenth, but at least 10.

    Examples
    --------
    >>> auto_bins(60), auto_bins(150), auto_bins(5000)
    (10, 15, 20)
    """
    return 20 if n_samples > 200 else max(10, n_samples // 10)


@dataclass(frozen=True)
class Bins:
    """Bins [a, b), the last one closed, for joint and marginal counts.

    A feature of integers whose range is below ``n_bins`` gets one bin per integer. Every other
    feature gets ``n_bins`` of equal width between its smallest and largest value. Their edges are
    lower by eight units in the last place of the largest value, in the type of the samples. So a
    value on an edge belongs to the bin above, even if a change of units rounds it down.
    """

    arrays: BinArrays
    n_bins: int

    @classmethod
    def of(
        cls,
        low: Floats,
        high: Floats,
        whole: NDArray[np.uint8],
        dtype: np.dtype[np.floating],
        n_bins: int,
    ) -> Bins:
        """Return bins for features whose range over all samples is known."""
        return cls(kernels.choose_bins(low, high, whole, dtype, n_bins), n_bins)

    def of_values(self, values: Floats) -> NDArray[np.int64]:
        """Return the bin of one value of each feature."""
        low, step, number = self.arrays
        bins = np.zeros(len(values), np.int64)
        for k in range(1, self.n_bins):
            bins += (k < number) & (values >= low + k * step)
        return bins

    def edges(self, feature: int) -> Floats:
        """Return the edges of one feature's bins."""
        low, step, count = (column[feature] for column in self.arrays)
        return low + np.arange(count + 1) * step


@dataclass(frozen=True)
class Histogram:
    """Counts of shape (n_features, n_classes, n_bins); bins that a feature lacks stay 0.

    ``most`` is the largest total count, or weight, of a feature.
    """

    counts: Counts
    most: float

    @classmethod
    def of(cls, block: NDArray[np.floating], groups: Groups, bins: Bins) -> Histogram:
        """Count all rows of some columns over given bins."""
        return cls(kernels.histogram(block, groups, bins.arrays, bins.n_bins), groups.sizes.sum())

    def information(self) -> tuple[Floats, Floats]:
        """Mutual information with the class, and entropy, of each binned feature, in nats."""
        return kernels.information(self.counts, self.most)
