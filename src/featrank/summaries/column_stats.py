"""Statistics of whole columns: moments and histograms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank import kernels
from featrank.kernels import Groups
from featrank.summaries.blocks import Block, DenseBlock
from featrank.summaries.histogram import Bins, Histogram
from featrank.summaries.moments import Moments


@dataclass(frozen=True)
class ColumnStats:
    """Moments of features, and counts over their bins if a method needs them."""

    moments: Moments
    histogram: Histogram | None

    @classmethod
    def of(cls, block: Block, groups: Groups, n_bins: int | None, binning: str) -> ColumnStats:
        """Summarise all rows of some columns, with histograms if ``n_bins`` is given."""
        if isinstance(block, DenseBlock) and binning == "width":
            return cls._in_one_read(block.values, groups, n_bins)
        sizes = groups.sizes
        ranges = block.ranges(groups)
        found = kernels.finish(ranges, block.sums(groups, ranges), groups.weight_unit)
        moments = Moments.from_arrays(sizes, ranges, found)
        if n_bins is None or not np.isfinite(moments.mean).all():
            return cls(moments, None)
        bins = None
        if binning == "width":
            bins = Bins.of(moments.low, moments.high, moments.whole, block.dtype, n_bins)
        return cls(moments, Histogram(block.counts(groups, bins, n_bins), sizes.sum()))

    @classmethod
    def _in_one_read(cls, values: NDArray[Any], groups: Groups, n_bins: int | None) -> ColumnStats:
        if n_bins is None:
            return cls(Moments.of(values, groups), None)
        ranges, found, counts = kernels.summarise(values, groups, n_bins)
        sizes = groups.sizes
        return cls(Moments.from_arrays(sizes, ranges, found), Histogram(counts, sizes.sum()))
