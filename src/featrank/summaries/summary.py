"""The second pass over data: sums and counts that merge exactly in any order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from featrank import kernels
from featrank._utils import serialise
from featrank.exceptions import DataError, UsageError
from featrank.kernels import Counts, Floats, Groups, RangeArrays, SumArrays
from featrank.summaries.blocks import Block, as_block, pieces_of
from featrank.summaries.column_stats import ColumnStats
from featrank.summaries.histogram import Bins, Histogram, auto_bins
from featrank.summaries.moments import Moments
from featrank.summaries.ranges import FeatureRanges, checked_weights
from featrank.values.classes import block_labels

KIND = "ClassSummary"
# Maximum number of rows for 32-bit counts.
MANY = 2**31
# The same limit as for rankers.
MOST_BINS = 2**15


@dataclass(frozen=True, eq=False)
class ClassSummary:
    """Sums and counts of rows: everything that EC-FS, Fisher, MI and supervised Inf-FS need.

    Summaries merge exactly, for any split of the rows and any order: every sum is an integer, in
    units defined by the ranges of all rows. Pass the summary of all rows to ``fit_summary`` of a
    ranker. Rounding errors are like those of doubles: at most 2⁻⁵² of the largest term of the class
    and feature. Weights are rounded to 2⁻⁵² of their largest possible sum, and a row of weight 2
    adds exactly as much as two rows.

    Attributes
    ----------
    ranges : FeatureRanges
        Of all rows.
    rows : ndarray of shape (n_classes,)
        Number of rows of each class so far.
    size : ndarray of shape (n_classes,)
        The same, or their weight.
    present : ndarray of shape (n_classes, n_features)
        Number of rows with a value, or their weight. NaN is a missing value.
    sums : SumArrays
        Sums in the units of the ranges.
    counts : ndarray of shape (n_features, n_classes, n_bins) or None
        Counts over bins between the smallest and the largest value of each feature.

    Examples
    --------
    >>> import numpy as np
    >>> from functools import reduce
    >>> from featrank import FisherScore
    >>> from featrank.summaries import ClassSummary, FeatureRanges
    >>> X, y = np.array([[0.0, 1.0], [1.0, 1.0], [5.0, 2.0], [6.0, 0.0]]), [0, 0, 1, 1]
    >>> blocks = [(X[:3], y[:3]), (X[3:], y[3:])]
    >>> ranges = reduce(FeatureRanges.merge, (FeatureRanges.of(*block) for block in blocks))
    >>> summary = reduce(ClassSummary.merge, (ClassSummary.of(*block, ranges) for block in blocks))
    >>> FisherScore().fit_summary(summary).scores_
    array([25.,  0.])
    """

    ranges: FeatureRanges
    rows: NDArray[np.int64]
    size: NDArray[Any]
    present: Floats
    sums: SumArrays
    counts: Counts | None

    @classmethod
    def of(
        cls,
        X: Any,
        y: Any,
        ranges: FeatureRanges,
        *,
        bins: int | str | None = "auto",
        sample_weight: ArrayLike | None = None,
    ) -> ClassSummary:
        """Summarise a block of rows.

        Parameters
        ----------
        X : ndarray or sparse matrix of shape (n_rows, n_features)
            Some rows.
        y : array-like of shape (n_rows,)
            Labels of the rows, among the classes of the ranges.
        ranges : FeatureRanges
            Of all rows.
        bins : int, "auto" or None, default="auto"
            Number of bins. "auto" is the default of rankers for this number of rows. None computes
            no counts, which is enough for Fisher scores.
        sample_weight : array-like of shape (n_rows,), optional
            Number of samples that each row represents. The ranges need the same weights.

        Returns
        -------
        summary : ClassSummary
            The summary of the block, to be merged with others.
        """
        X = as_block(X)
        if X.shape[1] != ranges.n_features:
            raise DataError(
                f"The block has {X.shape[1]} columns, but the ranges have {ranges.n_features}. All "
                "blocks need the same columns."
            )
        own, codes = block_labels(y, X.shape[0])
        weights = checked_weights(sample_weight, X.shape[0])
        n_bins = summary_bins(bins, ranges)
        return cls.of_rows(X, ranges.codes_of(codes, own), ranges, n_bins, weights)

    @classmethod
    def of_rows(
        cls,
        X: Any,
        codes: NDArray[np.integer],
        ranges: FeatureRanges,
        n_bins: int | None,
        weights: Floats | None = None,
    ) -> ClassSummary:
        """Summarise rows with class codes. Rows with a negative code are ignored."""
        parts = (
            cls.of_block(
                block,
                codes[rows],
                ranges,
                n_bins,
                None if weights is None else weights[rows],
                check=True,
            )
            for rows, block in pieces_of(X)
        )
        return reduce(cls.merge, parts)

    @classmethod
    def of_block(
        cls,
        block: Block,
        codes: NDArray[np.integer],
        ranges: FeatureRanges,
        n_bins: int | None,
        weights: Floats | None = None,
        *,
        check: bool = False,
    ) -> ClassSummary:
        """Summarise a block that fits into the cache."""
        if (weights is None) != (ranges.largest_weight is None):
            raise UsageError("sample_weight was used in only one of two passes. Pass it in both.")
        groups = Groups.of(codes, len(ranges.classes), weights, ranges.weight_unit)
        if weights is not None and weights.max(initial=0.0) > (ranges.largest_weight or 0):
            raise DataError(
                "A weight exceeds the largest weight of the ranges. Recompute the ranges."
            )
        present = np.repeat(groups.sizes.astype(np.float64)[:, None], ranges.n_features, axis=1)
        if check or not ranges.complete:
            found = block.ranges(groups)
            present = found.present
            if check:
                ranges.require_inside(found)
        rows = np.diff(groups.offsets)
        if n_bins is None:
            sums, counts = block.sums(groups, ranges.arrays), None
        else:
            bins = Bins.of(ranges.low, ranges.high, ranges.whole, ranges.dtype, n_bins)
            sums, counts = block.tally(groups, ranges.arrays, bins)
        return cls(ranges, rows, groups.sizes, present, sums, counts)

    @property
    def n_bins(self) -> int | None:
        """Number of bins, or None without counts."""
        return None if self.counts is None else self.counts.shape[2]

    def merge(self, other: ClassSummary) -> ClassSummary:
        """Return the summary of the rows of both."""
        if self.ranges is not other.ranges and not _are_equal(self.ranges, other.ranges):
            raise UsageError(
                "Summaries with different ranges cannot be merged. Merge the ranges of all blocks "
                "first, then use them to summarise every block."
            )
        if self.n_bins != other.n_bins:
            raise UsageError(f"Cannot merge summaries with {self.n_bins} and {other.n_bins} bins.")
        rows = self.rows + other.rows
        sums = SumArrays(*map(_added, self.sums, other.sums))
        counts = None
        if self.counts is not None and other.counts is not None:
            wide = self.counts.dtype.kind == "i" and rows.sum() >= MANY
            counts = (self.counts.astype(np.int64) if wide else self.counts) + other.counts
        size, present = self.size + other.size, self.present + other.present
        return ClassSummary(self.ranges, rows, size, present, sums, counts)

    def columns(self, some: slice) -> ClassSummary:
        """Return the summary of some of the features."""
        first, second, absolute = self.sums
        return replace(
            self,
            ranges=self.ranges.columns(some),
            present=np.ascontiguousarray(self.present[:, some]),
            sums=SumArrays(
                np.ascontiguousarray(first[:, some]),
                np.ascontiguousarray(second[:, some]),
                np.ascontiguousarray(absolute[some]),
            ),
            counts=None if self.counts is None else self.counts[some],
        )

    def of_classes_seen(self) -> ClassSummary:
        """Return the same without classes that have no rows with positive weight."""
        seen = self.size > 0
        if seen.all():
            return self
        known = self.ranges
        first, second, absolute = self.sums
        return replace(
            self,
            ranges=replace(
                known,
                classes=known.classes[seen],
                rows=None if known.rows is None else known.rows[seen],
                minimum=known.minimum[seen],
                maximum=known.maximum[seen],
            ),
            rows=self.rows[seen],
            size=self.size[seen],
            present=self.present[seen],
            sums=SumArrays(first[seen], second[seen], absolute),
            counts=None if self.counts is None else self.counts[:, seen].copy(),
        )

    @staticmethod
    def join(parts: Sequence[ClassSummary]) -> ClassSummary:
        """Concatenate the summaries of several blocks of columns, for the same rows."""
        first = parts[0]
        sums = SumArrays(
            *(
                np.concatenate([getattr(part.sums, name) for part in parts], axis=-2)
                for name in SumArrays._fields
            )
        )
        counts = None
        if first.counts is not None:
            counts = np.concatenate([part.counts for part in parts if part.counts is not None])
        return replace(
            first,
            ranges=FeatureRanges.join([part.ranges for part in parts]),
            present=np.concatenate([part.present for part in parts], axis=1),
            sums=sums,
            counts=counts,
        )

    def require_all_rows(self) -> None:
        """Raise an error unless the summary has all rows of the ranges."""
        known = self.ranges.rows
        if known is not None and not np.array_equal(known, self.rows):
            raise DataError(
                f"The summary has {self.rows.sum():,} rows, but its ranges have {known.sum():,}. "
                "Merge the summaries of all blocks, each once."
            )

    def digest(self) -> ColumnStats:
        """Return the moments and histograms."""
        ranges = self.ranges
        arrays = RangeArrays(ranges.minimum, ranges.maximum, self.present, ranges.whole)
        found = kernels.finish(arrays, self.sums, ranges.weight_unit)
        histogram = None
        if self.counts is not None:
            counts = self.counts
            if counts.dtype == np.int64:  # exact as doubles, too
                counts = counts.astype(np.float64)
            histogram = Histogram(counts, self.size.sum())
        return ColumnStats(Moments.from_arrays(self.size, arrays, found), histogram)

    def to_bytes(self) -> bytes:
        """Return the summary and its ranges as bytes, for another process or computer."""
        arrays = {
            "ranges": np.frombuffer(self.ranges.to_bytes(), np.uint8),
            "rows": self.rows,
            "size": self.size,
            "present": self.present,
            **self.sums._asdict(),
        }
        if self.counts is not None:
            arrays["counts"] = self.counts
        return serialise.pack(KIND, {}, arrays)

    @classmethod
    def from_bytes(cls, blob: bytes) -> ClassSummary:
        """Return the summary that ``to_bytes`` wrote, or raise an error for damaged bytes."""
        _, arrays = serialise.unpack(blob, KIND)
        return cls(
            FeatureRanges.from_bytes(arrays["ranges"].tobytes()),
            arrays["rows"],
            arrays["size"],
            arrays["present"],
            SumArrays(*(arrays[name] for name in SumArrays._fields)),
            arrays.get("counts"),
        )


def summary_bins(bins: int | str | None, ranges: FeatureRanges) -> int | None:
    """Return the number of bins of a summary. "auto" depends on the number of rows, if known."""
    if bins is None:
        return None
    if isinstance(bins, Integral) and 1 <= bins <= MOST_BINS:
        return int(bins)
    if bins != "auto":
        raise UsageError(
            f'bins={bins!r} is not valid. Use an integer from 1 to {MOST_BINS:,}, "auto" or None.'
        )
    return auto_bins(MANY if ranges.n_rows is None else ranges.n_rows)


def _are_equal(first: FeatureRanges, second: FeatureRanges) -> bool:
    return (
        np.array_equal(first.classes, second.classes)
        and np.array_equal(first.minimum, second.minimum)
        and np.array_equal(first.maximum, second.maximum)
        and np.array_equal(first.whole, second.whole)
        and first.dtype == second.dtype
        and first.weight_unit == second.weight_unit
    )


def _added(first: NDArray[np.uint64], second: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Add integers of 128 bits, the lower 64 first."""
    total = first + second
    total[..., 1] += total[..., 0] < first[..., 0]
    return total
