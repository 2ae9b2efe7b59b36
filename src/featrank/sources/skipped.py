"""Columns of a file that are no features: where the others are in the file, and their names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

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
        before = np.asarray(self.positions, dtype=np.int64) - np.arange(len(self.positions))
        return feature + int(np.searchsorted(before, feature, side="right"))

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


@dataclass(frozen=True)
class Numbered(Sequence[str]):
    """The names ``x0``, ``x1``, … of columns without names, made when they are asked for.

    Examples
    --------
    >>> names = Numbered(3, Skipped((1,)))
    >>> list(names), names.index("x3"), "x1" in names
    (['x0', 'x2', 'x3'], 2, False)
    """

    n_features: int
    skipped: Skipped = Skipped()

    def __len__(self) -> int:
        return self.n_features

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [self[index] for index in range(*place.indices(len(self)))]
        index = range(len(self))[place]
        return f"x{self.skipped.in_file(index)}"

    def __iter__(self) -> Iterator[str]:
        skipped = set(self.skipped.positions)
        width = self.n_features + len(skipped)
        return (f"x{position}" for position in range(width) if position not in skipped)

    def __contains__(self, name: object) -> bool:
        try:
            self.index(name)
        except ValueError:
            return False
        return True

    def index(self, name: object, *limits: int) -> int:
        """Return the position of a name without making the others."""
        text = str(name)
        position = int(text[1:]) if text[:1] == "x" and text[1:].isdecimal() else -1
        if position < 0 or f"x{position}" != text or position in self.skipped.positions:
            raise ValueError(f"{name!r} is not among the names")
        feature = self.skipped.features(slice(position, position + 1)).start
        if feature >= self.n_features:
            raise ValueError(f"{name!r} is not among the names")
        return feature
