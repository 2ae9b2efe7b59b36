"""Counts of one-byte values, which determine all statistics after a single pass."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils import serialise
from featrank.exceptions import DataError, UsageError
from featrank.kernels import counted as kernels
from featrank.kernels.counted import N_BYTES, ValueCounts
from featrank.kernels.dense import float_type
from featrank.summaries.blocks import BYTE_TYPES
from featrank.summaries.column_stats import ColumnStats
from featrank.summaries.histogram import Bins, Histogram
from featrank.summaries.ranges import FeatureRanges, label_facts, labels_of
from featrank.summaries.summary import MANY, ClassSummary
from featrank.values.classes import all_classes, places_among

KIND = "ByteCounts"


@dataclass(frozen=True, eq=False)
class ByteCounts:
    """Counts of each one-byte value per feature and class.

    One-byte integers and booleans need no first pass for their ranges. Counts merge in any order,
    and their summary is identical to one made in two passes.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        The labels in sorted order.
    rows : ndarray of shape (n_classes,)
        Number of rows of each class.
    counts : ndarray of shape (n_features, n_classes, 256)
        Counts by the value as an unsigned byte.
    dtype : numpy.dtype
        uint8, int8 or bool.

    Examples
    --------
    >>> import numpy as np
    >>> X, codes = np.array([[0, 7], [1, 7], [1, 9]], np.uint8), np.array([0, 1, 1])
    >>> some = [ByteCounts.of(X[k : k + 1], codes[k : k + 1], np.array(["a", "b"])) for k in (0, 1)]
    >>> counts = some[0].merge(some[1]).merge(ByteCounts.of(X[2:], codes[2:], np.array(["a", "b"])))
    >>> counts.rows.tolist(), counts.counts[1, :, 7].tolist(), counts.counts[1, :, 9].tolist()
    ([1, 2], [1, 1], [0, 1])
    >>> counts.summary(10).ranges.maximum.tolist()
    [[0.0, 7.0], [1.0, 9.0]]
    """

    classes: NDArray[Any]
    rows: NDArray[np.int64]
    counts: NDArray[np.int32] | NDArray[np.int64]
    dtype: np.dtype[Any]

    @classmethod
    def of(cls, X: NDArray[Any], codes: NDArray[np.integer], classes: NDArray[Any]) -> ByteCounts:
        """Count a block of rows.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_features)
            Of type uint8, int8 or bool, of any strides.
        codes : ndarray of shape (n_rows,)
            The index of each row's class. Rows with a negative code are ignored.
        classes : ndarray of shape (n_classes,)
            The labels in sorted order.

        Returns
        -------
        counts : ByteCounts
            The counts of the block, to be merged with others.
        """
        if X.dtype not in BYTE_TYPES:
            raise UsageError(
                f"ByteCounts needs one-byte values (uint8, int8 or bool), got {X.dtype}. Use "
                "`FeatureRanges.of` and `ClassSummary.of`."
            )
        wide = np.int64 if len(X) >= MANY else np.int32
        counts = np.zeros((X.shape[1], len(classes), N_BYTES), wide)
        kernels.add_byte_counts(X.view(np.uint8), codes, counts)
        rows = np.bincount(codes[codes >= 0], minlength=len(classes))
        return cls(classes, rows.astype(np.int64), counts, X.dtype)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.counts)

    def merge(self, other: ByteCounts) -> ByteCounts:
        """Return the counts of the rows of both."""
        if self.n_features != other.n_features or self.dtype != other.dtype:
            raise DataError(
                f"Cannot merge a block of {self.n_features} {self.dtype} features with one of "
                f"{other.n_features} {other.dtype} features. All blocks need the same columns."
            )
        classes = self.classes
        if not np.array_equal(classes, other.classes):
            classes = all_classes(classes, other.classes)
        mine, theirs = self.among(classes), other.among(classes)
        rows = mine.rows + theirs.rows
        wide = rows.sum() >= MANY
        counts = (mine.counts.astype(np.int64) if wide else mine.counts) + theirs.counts
        return ByteCounts(classes, rows, counts, self.dtype)

    def among(self, classes: NDArray[Any]) -> ByteCounts:
        """Return the same counts for a larger set of classes."""
        if classes is self.classes or np.array_equal(classes, self.classes):
            return self
        places = places_among(classes, self.classes)
        shape = self.n_features, len(classes), N_BYTES
        rows, counts = np.zeros(len(classes), np.int64), np.zeros(shape, self.counts.dtype)
        rows[places], counts[:, places] = self.rows, self.counts
        return replace(self, classes=classes, rows=rows, counts=counts)

    def ranges(self) -> FeatureRanges:
        """Return the ranges of the rows, as a first pass computes them."""
        found = kernels.ranges(self._counted)
        kind = float_type(self.dtype)
        return FeatureRanges(
            self.classes, self.rows, found.minimum, found.maximum, found.whole, kind, complete=True
        )

    def summary(self, n_bins: int | None) -> ClassSummary:
        """Return the summary of the rows, with ``n_bins`` bins."""
        ranges = self.ranges()
        counts = None
        if n_bins is not None:
            bins = Bins.of(ranges.low, ranges.high, ranges.whole, ranges.dtype, n_bins)
            counts = kernels.histogram(self._counted, bins.arrays, n_bins)
        sums = kernels.sums(self._counted, ranges.arrays)
        present = np.repeat(self.rows.astype(np.float64)[:, None], self.n_features, axis=1)
        return ClassSummary(ranges, self.rows, self.rows, present, sums, counts)

    def digest(self, n_bins: int | None, binning: str = "width") -> ColumnStats:
        """Return the moments and histograms."""
        if n_bins is None or binning == "width":
            return self.summary(n_bins).digest()
        counts = kernels.histogram(self._counted, None, n_bins)
        if counts.dtype == np.int64:  # exact as doubles, too
            counts = counts.astype(np.float64)
        return ColumnStats(self.summary(None).digest().moments, Histogram(counts, self.rows.sum()))

    @property
    def _counted(self) -> ValueCounts:
        values = np.arange(N_BYTES, dtype=np.uint8).view(self.dtype).astype(np.float64)
        return ValueCounts(self.counts, values)

    def to_bytes(self) -> bytes:
        """Return the counts of the values that occur as bytes, for another process or computer."""
        places = np.flatnonzero(self.counts.any(axis=(0, 1)))
        arrays: dict[str, NDArray[Any]] = {
            "rows": self.rows,
            "places": places.astype(np.uint8),
            "counts": self.counts[:, :, places],
        }
        facts = {"classes": label_facts(self.classes), "dtype": self.dtype.name}
        return serialise.pack(KIND, facts, arrays)

    @classmethod
    def from_bytes(cls, blob: bytes) -> ByteCounts:
        """Return the counts that ``to_bytes`` wrote, or raise an error for damaged bytes."""
        facts, arrays = serialise.unpack(blob, KIND)
        found = arrays["counts"]
        counts = np.zeros((*found.shape[:2], N_BYTES), found.dtype)
        counts[:, :, arrays["places"]] = found
        return cls(labels_of(facts["classes"]), arrays["rows"], counts, np.dtype(facts["dtype"]))
