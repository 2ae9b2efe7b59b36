"""Blocks of sparse rows, each counted where it is stored, over its entries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import BinArrays
from featrank.kernels.contingency import Codes, Integers
from featrank.kernels.sparse_pairs import Rows
from featrank.pairwise.row_blocks import PairCounts
from featrank.pairwise.sparse_codes import encode
from featrank.pairwise.sparse_columns import by_columns


@dataclass(frozen=True, eq=False)
class SparseCodeBlock:
    """The bins of some rows, for all features. Only entries outside the bin of 0 are stored.

    Attributes
    ----------
    begin : ndarray of shape (n_features + 1,)
        Where the entries of each feature begin and end.
    row, code : ndarray of shape (n_entries,)
        Their rows and bins.
    zero : ndarray of shape (n_features,)
        The bin of 0.
    classes : ndarray of shape (n_rows,)
        Class code of each row.
    n_classes : int
        Classes of all rows.
    """

    begin: Integers
    row: Rows
    code: Codes
    zero: Codes
    classes: NDArray[np.integer]
    n_classes: int

    @classmethod
    def of(cls, X: Any, y: NDArray[np.integer], n_classes: int, bins: BinArrays) -> SparseCodeBlock:
        """Bin the entries of some rows with bins for all rows. There may be no rows."""
        begin, row, code, zero, _ = encode(by_columns(X), bins, None)
        return cls(begin, row, code, zero, np.asarray(y), n_classes)

    def tables(self, wanted: PairCounts) -> Integers:
        """Count the rows of the block. The remainder is in the bin of 0."""
        n_first = 1 if wanted.chosen is None else wanted.n_bins
        n_classes = self.n_classes if wanted.with_class else 1
        states = self._states(wanted, n_first)
        features, width = wanted.stop - wanted.start, n_classes * n_first
        entries = slice(self.begin[wanted.start], self.begin[wanted.stop])
        feature = np.repeat(
            np.arange(features), np.diff(self.begin[wanted.start : wanted.stop + 1])
        )
        cell = (feature * width + states[self.row[entries]]) * wanted.n_bins + self.code[entries]
        counts = np.bincount(cell, minlength=features * width * wanted.n_bins)
        counts = counts.reshape(features, width, wanted.n_bins)
        rest = np.bincount(states, minlength=width) - counts.sum(axis=2)
        counts[np.arange(features), :, self.zero[wanted.start : wanted.stop]] += rest
        return counts.reshape(features, n_classes, n_first, wanted.n_bins)

    def _states(self, wanted: PairCounts, n_first: int) -> Integers:
        """Return class and bin of the chosen feature as one number per row."""
        states = np.zeros(len(self.classes), np.int64)
        if wanted.chosen is not None:
            own = slice(self.begin[wanted.chosen], self.begin[wanted.chosen + 1])
            states[:] = self.zero[wanted.chosen]
            states[self.row[own]] = self.code[own]
        return states + self.classes * n_first if wanted.with_class else states
