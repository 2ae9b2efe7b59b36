"""Sources of one-byte values: one pass counts the values, and all views follow from the counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils.threads import blocks
from featrank.data.reader import Reader
from featrank.data.row_labels import KnownLabels, RowLabels, small_codes
from featrank.kernels.counted import N_BYTES
from featrank.sources import Chunk, Source
from featrank.summaries.blocks import BYTE_TYPES
from featrank.summaries.byte_counts import ByteCounts

# Bytes of a count, and classes that are expected before any label is read.
CELL_BYTES = 8
FEW_CLASSES = 2
# More combinations of classes in several views than this are not counted together.
MANY = 2**24


@dataclass(frozen=True)
class CountBytes:
    """The only pass over a part of one-byte values: how often each occurs in each group."""

    labels: RowLabels

    def __call__(self, part: Chunk) -> list[ByteCounts]:
        """Read the part."""
        read = part.read()
        classes, views = self.labels.views(part, read)
        return [ByteCounts.of(read.X, codes, classes) for codes in views]


@dataclass(frozen=True, eq=False)
class RowGroups:
    """Rows that have the same class in every view, so that they can be counted together.

    Attributes
    ----------
    labels : RowLabels
        With the groups for classes, and one view.
    classes : ndarray or None
        The classes of the views; None where the groups are the classes, of one view.
    patterns : ndarray of shape (n_groups, n_views)
        The class of each group in each view, -1 where it takes no part.
    """

    labels: RowLabels
    classes: NDArray[Any] | None
    patterns: NDArray[np.integer]

    @classmethod
    def of(cls, labels: RowLabels) -> RowGroups:
        """Group the rows with the same labels."""
        if not isinstance(labels, KnownLabels):
            return cls(labels, None, np.zeros((FEW_CLASSES, 1), np.intp))
        base, n_views = len(labels.classes) + 1, len(labels.codes)
        # Every row's classes as one number; few enough, as the counts of all would not fit else.
        key = np.zeros(labels.codes.shape[1], np.int32)
        for view in labels.codes:
            key *= base
            key += view
            key += 1
        found = np.flatnonzero(np.bincount(key, minlength=base**n_views))
        place = np.zeros(base**n_views, np.int32)
        place[found] = np.arange(len(found))
        codes = small_codes(place, len(found))[key]
        known = replace(labels, classes=np.arange(len(found)), codes=codes[None])
        digits = base ** np.arange(n_views - 1, -1, -1)
        return cls(known, labels.classes, found[:, None] // digits % base - 1)

    def views(self, counts: ByteCounts) -> list[ByteCounts]:
        """Return the counts of each view from those of the groups."""
        if self.classes is None:
            return [counts]
        return [self._view(counts, pattern, self.classes) for pattern in self.patterns.T]

    @staticmethod
    def _view(
        counts: ByteCounts, pattern: NDArray[np.integer], classes: NDArray[Any]
    ) -> ByteCounts:
        own = pattern[counts.classes]
        tables = [counts.counts[:, own == code].sum(axis=1) for code in range(len(classes))]
        rows = np.array([counts.rows[own == code].sum() for code in range(len(classes))])
        return ByteCounts(classes, rows, np.stack(tables, axis=1), counts.dtype)


def counts_of_bytes(source: Source, labels: RowLabels, reader: Reader) -> RowGroups | None:
    """Return how rows are grouped, where values of the source are counted; else None.

    That is where they are of one byte, are read by rows, and their counts fit into the memory.
    """
    # Sources other than files may contain blocks of other types.
    if source.axis != "rows" or source.dtype not in BYTE_TYPES or not source.files:
        return None
    if isinstance(labels, KnownLabels) and (len(labels.classes) + 1) ** len(labels.codes) > MANY:
        return None
    groups = RowGroups.of(labels)
    size = source.shape[1] * len(groups.patterns) * N_BYTES * CELL_BYTES
    return groups if size * reader.n_resident <= reader.memory / 2 else None


def counted_bytes(source: Source, groups: RowGroups, reader: Reader) -> Sequence[ByteCounts]:
    """Return the counts of each view, from one pass."""
    (columns,) = blocks(source.shape[1], source.shape[1])
    work = CountBytes(groups.labels)
    (counts,) = reader.fold("bytes", work, source, columns, ByteCounts)
    return groups.views(counts)
