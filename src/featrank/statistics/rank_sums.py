"""Rank sums by class: one sort per feature serves every class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank import kernels
from featrank.kernels import Groups
from featrank.summaries.blocks import DenseBlock
from featrank.summaries.sparse_blocks import SparseBlock

Floats = NDArray[np.float64]
Integers = NDArray[np.integer]


class Entries(NamedTuple):
    """The non-zero values of a block, with their rows and columns."""

    values: Floats
    rows: Integers
    columns: Integers

    @classmethod
    def of(cls, block: DenseBlock | SparseBlock) -> Entries:
        """Return the non-zero values. Stored zeros are ignored."""
        if isinstance(block, DenseBlock):
            by_column = block.values.T
            places = np.nonzero(by_column)
            return cls(by_column[places].astype(np.float64), places[1], places[0])
        values, rows, starts = block.columns
        columns = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        return cls(values.astype(np.float64), rows, columns).some(values != 0)

    def some(self, which: NDArray[np.bool_] | Integers) -> Entries:
        """Return a selection of the entries."""
        return Entries(self.values[which], self.rows[which], self.columns[which])

    def sorted(self) -> Entries:
        """Return the entries sorted by column, then by value."""
        order = kernels.argsort(self.values)
        # A stable sort of 16-bit integers takes one pass, and a block has fewer columns.
        return self.some(order[np.argsort(self.columns[order].astype(np.int16), kind="stable")])


@dataclass(frozen=True)
class RankSums:
    """Rank sums of the classes. Tied values share their mean rank.

    Attributes
    ----------
    count, total : ndarray of shape (n_classes, n_features)
        The number of values of each class, and the sum of their ranks among all classes.
    ties : ndarray of shape (n_features,)
        The sum of t³ - t over groups of t tied values.
    """

    count: Floats
    total: Floats
    ties: Floats

    @classmethod
    def of(cls, block: DenseBlock | SparseBlock, groups: Groups) -> RankSums:
        """Rank the values of each column. Only non-zero values are sorted."""
        n_rows, n_columns = block.shape
        codes, sizes = groups.codes(n_rows), groups.sizes
        entries = Entries.of(block)

        def by_class(some: Entries, weights: Floats | None = None) -> Floats:
            places = some.columns * len(sizes) + codes[some.rows]
            found = np.bincount(places, weights, n_columns * len(sizes))
            return found.reshape(n_columns, -1).T.astype(np.float64)

        zeros_of_class = sizes[:, None] - by_class(entries)
        entries = entries.some(~np.isnan(entries.values)).sorted()
        zeros = zeros_of_class.sum(axis=0)
        below = np.bincount(entries.columns[entries.values < 0], minlength=n_columns)
        ranks, ties = _ranks(entries, zeros)
        total = by_class(entries, ranks) + zeros_of_class * (below + (zeros + 1) / 2)
        return cls(zeros_of_class + by_class(entries), total, ties + zeros**3 - zeros)


def _ranks(entries: Entries, zeros: Floats) -> tuple[Floats, Floats]:
    """Return the ranks of sorted entries, and the ties of each column.

    ``zeros`` is the number of zeros per column, which rank between negative and positive values.
    """
    values, _, columns = entries
    new = (np.diff(values, prepend=np.nan) != 0) | (np.diff(columns, prepend=-1) != 0)
    starts = np.flatnonzero(new)
    sizes = np.diff(starts, append=len(values))
    of_run = columns[starts]
    first = np.searchsorted(columns, np.arange(len(zeros)))
    before = starts - first[of_run] + np.where(values[starts] > 0, zeros[of_run], 0)
    lengths = sizes.astype(np.float64)
    ties = np.bincount(of_run, lengths**3 - lengths, len(zeros)).astype(np.float64)
    return np.repeat(before + (lengths + 1) / 2, sizes), ties
