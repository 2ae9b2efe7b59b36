"""What methods want to know of a source: one pass or two over its parts, wherever they are read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils.threads import blocks
from featrank.data.byte_passes import RowGroups, counted_bytes, counts_of_bytes
from featrank.data.partial_vectors import PartialVectors, Vectors
from featrank.data.reader import Reader
from featrank.data.row_labels import RowLabels
from featrank.exceptions import UsageError, counted
from featrank.kernels import Groups
from featrank.sources import Chunk, Source
from featrank.summaries.blocks import as_block, block_of
from featrank.summaries.column_stats import ColumnStats
from featrank.summaries.missing import treated
from featrank.summaries.ranges import FeatureRanges
from featrank.summaries.summary import MANY, ClassSummary

# Classes that are expected before any label is read.
FEW_CLASSES = 2


@dataclass(frozen=True)
class DescriptionSpec:
    """What a method needs: its description of features, and the bins for a number of rows."""

    describe: Callable[[ColumnStats], Vectors]
    bins: Callable[[int], tuple[int | None, str]]
    missing: str = "error"


@dataclass(frozen=True)
class Description:
    """What the passes found: classes and their rows, and for each view the vectors of features."""

    classes: NDArray[Any]
    sizes: NDArray[np.integer]
    vectors: list[Vectors]


def describe_source(
    source: Source,
    labels: RowLabels,
    wanted: DescriptionSpec,
    reader: Reader,
    ranges: FeatureRanges | None = None,
) -> Description:
    """Return the vectors of all features, for each view of the rows.

    Whole columns are read once, and so are values of one byte. Other rows are read twice, for
    ranges, then for sums and counts; once where the ranges are given.
    """
    if ranges is not None:
        _require_fitting(ranges, source)
    if source.axis == "columns":
        return _by_columns(source, labels, wanted, reader)
    groups = counts_of_bytes(source, labels, reader) if ranges is None else None
    if groups is not None:
        return _by_bytes(source, groups, wanted, reader)
    if ranges is not None:
        return _counted(source, labels, wanted, reader, [ranges])
    if not source.again:
        raise UsageError(
            f"{source.name!r} can be read only once, and the first pass is needed for the ranges "
            "of features. Give them (ranges=featrank.summaries.FeatureRanges.given(classes, "
            "minimum, maximum)), or something that can be read again, such as a function "
            "that returns the blocks."
        )
    return _counted(source, labels, wanted, reader, _looked(source, labels, reader))


def _require_fitting(ranges: FeatureRanges, source: Source) -> None:
    """Raise an error for ranges that a source does not need, or that are of other features."""
    if source.axis == "columns":
        raise UsageError(
            f"{source.name!r} is stored by columns, so featrank finds the ranges itself. Leave "
            "out `ranges`."
        )
    if ranges.n_features != source.shape[1]:
        raise UsageError(
            f"The ranges are of {counted(ranges.n_features, 'feature')}, but {source.name!r} has "
            f"{source.shape[1]:,}. Pass one range per feature."
        )


def _by_bytes(
    source: Source, groups: RowGroups, wanted: DescriptionSpec, reader: Reader
) -> Description:
    views = counted_bytes(source, groups, reader)
    digests = (view.digest(*wanted.bins(int(view.rows.sum()))) for view in views)
    vectors = [wanted.describe(digest) for digest in digests]
    return Description(views[0].classes, views[0].rows, vectors)


@dataclass(frozen=True)
class RangePass:
    """The first pass over a part: its ranges, for each view."""

    labels: RowLabels

    def __call__(self, part: Chunk) -> list[FeatureRanges]:
        """Read the part."""
        read = part.read()
        classes, views = self.labels.views(part, read)
        X = as_block(read.X)
        return [FeatureRanges.of_rows(X, codes, classes) for codes in views]


@dataclass(frozen=True)
class Count:
    """The second pass over a part: its summary, for each view."""

    labels: RowLabels
    ranges: list[FeatureRanges]
    n_bins: list[int | None]

    def __call__(self, part: Chunk) -> list[ClassSummary]:
        """Read the part."""
        read = part.read()
        classes, views = self.labels.views(part, read)
        X = as_block(read.X)
        return [
            ClassSummary.of_rows(X, ranges.codes_of(codes, classes), ranges, n_bins)
            for codes, ranges, n_bins in zip(views, self.ranges, self.n_bins, strict=True)
        ]


def _looked(source: Source, labels: RowLabels, reader: Reader) -> list[FeatureRanges]:
    """Return the ranges of all features, for each view."""
    panels = blocks(source.shape[1], reader.panel(17 * FEW_CLASSES))
    reader.passes += len(panels)
    found = [
        reader.fold(f"ranges {columns.start}", RangePass(labels), source, columns, FeatureRanges)
        for columns in panels
    ]
    return [FeatureRanges.join(view) for view in zip(*found, strict=True)]


def _counted(
    source: Source,
    labels: RowLabels,
    wanted: DescriptionSpec,
    reader: Reader,
    ranges: list[FeatureRanges],
) -> Description:
    n_bins = [_equal_width(wanted, view.n_rows) for view in ranges]
    first = ranges[0]
    sizes = [_state_bytes(view, number) for view, number in zip(ranges, n_bins, strict=True)]
    panels = blocks(first.n_features, reader.panel(sum(sizes)))
    reader.passes += len(panels) - 1
    found = PartialVectors(first.n_features)
    for columns in reader.left(panels, found):
        work = Count(labels, [view.columns(columns) for view in ranges], n_bins)
        summaries = [
            summary.of_classes_seen()
            for summary in reader.fold(_counts(columns), work, source, columns, ClassSummary)
        ]
        found.put([_described(one, wanted, source, columns) for one in summaries], columns)
        reader.keep(panels, columns, found, _counts(columns))
    return Description(summaries[0].ranges.classes, summaries[0].rows, found.views)


def _counts(columns: slice) -> str:
    return f"counts {columns.start}"


def _described(
    summary: ClassSummary, wanted: DescriptionSpec, source: Source, columns: slice
) -> Vectors:
    summary.require_all_rows()
    return wanted.describe(treated(summary, wanted.missing, source.names, columns.start))


def _equal_width(wanted: DescriptionSpec, n_rows: int | None) -> int | None:
    n_bins, binning = wanted.bins(MANY if n_rows is None else n_rows)
    if n_bins is not None and binning != "width":
        raise UsageError(
            "Bins of equal content need whole columns, and this data is read row by row. Use "
            'binning="width", or data that is stored by columns (Zarr in panels of columns, CSC).'
        )
    return n_bins


def _state_bytes(ranges: FeatureRanges, n_bins: int | None) -> int:
    """Return what a summary takes for each feature."""
    return len(ranges.classes) * (16 + 32 + 8 + 4 * (n_bins or 0)) + 17


@dataclass(frozen=True)
class Whole:
    """The only pass over a chunk of whole columns: it describes them."""

    labels: RowLabels
    wanted: DescriptionSpec

    def __call__(self, part: Chunk) -> Description:
        """Read the part."""
        read = part.read()
        classes, views = self.labels.views(part, read)
        X = as_block(read.X)
        digests = (self._digest(X, codes, classes, part.columns.start) for codes in views)
        sizes = np.bincount(views[0][views[0] >= 0], minlength=len(classes))
        return Description(classes, sizes, [self.wanted.describe(digest) for digest in digests])

    def _digest(
        self, X: Any, codes: NDArray[np.integer], classes: NDArray[Any], first: int
    ) -> ColumnStats:
        ranges = FeatureRanges.of_rows(X, codes, classes)
        n_bins, binning = self.wanted.bins(int(np.count_nonzero(codes >= 0)))
        of_width = n_bins if binning == "width" else None
        summary = ClassSummary.of_rows(X, codes, ranges, of_width)
        digest = treated(summary, self.wanted.missing, None, first)
        if n_bins == of_width:
            return digest
        if self.wanted.missing == "mean" and summary.digest().moments.has_missing:
            raise UsageError(
                'To replace missing values by means, use bins of equal width: `binning="width"`.'
            )
        return ColumnStats.of(block_of(X), Groups.of(codes, len(classes)), n_bins, binning)


def _by_columns(
    source: Source, labels: RowLabels, wanted: DescriptionSpec, reader: Reader
) -> Description:
    whole = PartialVectors(source.shape[1])
    last = None
    for part, found in reader.each_kept(Whole(labels, wanted), source, whole):
        whole.put(found.vectors, part.columns)
        last = found
    assert last is not None
    return replace(last, vectors=whole.views)
