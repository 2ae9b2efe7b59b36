"""The second pass over data: sums and counts that merge to the same bits in any order."""

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
# Rows whose counts 32 bits hold.
MANY = 2**31
# As many as rankers take.
MOST_BINS = 2**15


@dataclass(frozen=True, eq=False)
class ClassSummary:
    """Sums and counts of some rows: all that EC-FS, Fisher, MI and Inf-FS supervised need.

    Summaries of blocks of rows merge to the same bits however the rows are cut and in whatever
    order or tree they are merged: every sum is an integer, in units that the ranges of all rows
    define. ``fit_summary`` of a ranker takes the summary of all rows. What a sum may lose is
    bounded as for doubles: each term errs by at most 2⁻⁵² of the largest term of its class and
    feature. Weights are rounded to 2⁻⁵² of the largest sum that they can have; with that, they
    promise the same, and a row of weight 2 adds exactly what two rows add.

    Attributes
    ----------
    ranges : FeatureRanges
        Of all rows.
    rows : ndarray of shape (n_classes,)
        Rows of each class that were added up so far.
    size : ndarray of shape (n_classes,)
        The same, or their weight.
    present : ndarray of shape (n_classes, n_features)
        Number of these rows, or their weight, with a value; NaN is a missing one.
    sums : SumArrays
        In the units of the ranges.
    counts : ndarray of shape (n_features, n_classes, n_bins) or None
        Over bins between the smallest and the largest value of each feature.

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
            Their labels, of the classes that the ranges know.
        ranges : FeatureRanges
            Of all rows.
        bins : int, "auto" or None, default="auto"
            Number of bins; "auto" is what rankers use for this number of rows; None makes no
            counts, which is enough for Fisher scores.
        sample_weight : array-like of shape (n_rows,), optional
            Number of samples that each row represents; the ranges must know them too.

        Returns
        -------
        summary : ClassSummary
            That of the block, to be merged with the others.
        """
        X = as_block(X)
        if X.shape[1] != ranges.n_features:
            raise DataError(
                f"The block has {X.shape[1]} columns, and the ranges {ranges.n_features}. "
                "All blocks must have the same columns."
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
        """Summarise rows that have codes of classes; negative ones take no part."""
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
        """Summarise a block that stays in the cache."""
        if (weights is None) != (ranges.largest_weight is None):
            raise UsageError("Rows have weights in both passes or in none: give sample_weight.")
        groups = Groups.of(codes, len(ranges.classes), weights, ranges.weight_unit)
        if weights is not None and weights.max(initial=0.0) > (ranges.largest_weight or 0):
            raise DataError("A weight is larger than the largest one that the ranges know.")
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
        """How many bins there are counts for."""
        return None if self.counts is None else self.counts.shape[2]

    def merge(self, other: ClassSummary) -> ClassSummary:
        """Return the summary of the rows of both."""
        if self.ranges is not other.ranges and not _alike(self.ranges, other.ranges):
            raise UsageError(
                "Summaries of different ranges cannot be merged. Merge the ranges of all blocks "
                "first, then summarise every block with them."
            )
        if self.n_bins != other.n_bins:
            raise UsageError(
                f"Summaries of {self.n_bins} and of {other.n_bins} bins cannot be merged."
            )
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
        """Return the same without classes that have no rows, or no rows with a weight."""
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
        """Return the summary of the features of all parts, for the same rows."""
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
        """Raise an error if rows that the ranges know are missing."""
        known = self.ranges.rows
        if known is not None and not np.array_equal(known, self.rows):
            raise DataError(
                f"The summary holds {self.rows.sum():,} rows, and its ranges know "
                f"{known.sum():,}. Merge the summaries of all blocks, each once."
            )

    def digest(self) -> ColumnStats:
        """Return the moments and histograms that methods work on."""
        ranges = self.ranges
        arrays = RangeArrays(ranges.minimum, ranges.maximum, self.present, ranges.whole)
        found = kernels.finish(arrays, self.sums, ranges.weight_unit)
        histogram = None
        if self.counts is not None:
            counts = self.counts
            if counts.dtype == np.int64:  # which doubles hold too
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
        """Return the summary that ``to_bytes`` wrote; raise an error for damaged bytes."""
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
    """Return the number of bins of a summary: "auto" depends on the rows, if they are known."""
    if bins is None:
        return None
    if isinstance(bins, Integral) and 1 <= bins <= MOST_BINS:
        return int(bins)
    if bins != "auto":
        raise UsageError(
            f"bins={bins!r} is no number of bins. Give an integer from 1 to {MOST_BINS:,}, "
            '"auto", or None for no counts.'
        )
    return auto_bins(MANY if ranges.n_rows is None else ranges.n_rows)


def _alike(first: FeatureRanges, second: FeatureRanges) -> bool:
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
