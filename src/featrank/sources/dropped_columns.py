"""Columns of a file that are not features, and the positions of the features."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class Skipped:
    """Positions in the file, in order, of the columns that are left out.

    Examples
    --------
    >>> skipped = Skipped((1, 4))
    >>> [skipped.in_file(feature) for feature in range(4)]
    [0, 2, 3, 5]
    >>> skipped.span(slice(1, 4))
    (slice(2, 6, None), [2])
    >>> skipped.features(slice(0, 4))
    slice(0, 3, None)
    """

    positions: tuple[int, ...] = ()

    def in_file(self, feature: int) -> int:
        """Return the position in the file of a feature."""
        return feature + bisect_right(self._features_before, feature)

    @cached_property
    def _features_before(self) -> tuple[int, ...]:
        """How many features come before each of the positions."""
        return tuple(position - place for place, position in enumerate(self.positions))

    def span(self, columns: slice) -> tuple[slice, list[int]]:
        """Return the range of the file around some features, and what in it is left out."""
        if not self.positions or columns.stop <= columns.start:
            return columns, []
        span = slice(self.in_file(columns.start), self.in_file(columns.stop - 1) + 1)
        first, last = np.searchsorted(self.positions, [span.start, span.stop])
        return span, [position - span.start for position in self.positions[first:last]]

    def features(self, span: slice) -> slice:
        """Return which features are in a range of the file."""
        first, last = np.searchsorted(self.positions, [span.start, span.stop])
        return slice(span.start - int(first), span.stop - int(last))


def all_but(kept: Sequence[int], n_columns: int) -> Skipped:
    """Return what is skipped where some columns are kept."""
    others = np.setdiff1d(np.arange(n_columns), kept, assume_unique=True)
    return Skipped(tuple(others.tolist()))
