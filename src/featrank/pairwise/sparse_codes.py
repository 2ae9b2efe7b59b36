"""Bins of the stored entries of a sparse matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from featrank._utils import threads
from featrank.kernels import BinArrays
from featrank.kernels import sparse_pairs as kernels
from featrank.kernels.contingency import Codes, Integers
from featrank.kernels.sparse_pairs import Rows, StoredCodes, StoredColumns
from featrank.pairwise import contingency
from featrank.pairwise.sparse_columns import entries_before, rows_of, values_of

# Overhead per feature, in entries.
OVERHEAD = 16


def encode(
    X: Any, bins: BinArrays | int, n_jobs: int | None
) -> tuple[Integers, Rows, Codes, Codes, int]:
    """Return begin, row and code of the entries that are not in the bin of 0, and that bin.

    ``X`` is as :func:`~featrank.pairwise.by_columns` returns it. The last of the results is the
    largest number of bins.
    """
    encoder = Encoder(X)
    n_features = X.shape[1]
    width = max(64, contingency.CALL_ROWS // (X.nnz // n_features + OVERHEAD))

    def code(columns: slice) -> int:
        return encoder.code(columns, bins)

    n_bins = max(threads.map_blocks(code, n_features, width, n_jobs))
    begin = np.concatenate([[0], np.cumsum(encoder.codes.kept)])
    row, kept = np.empty(begin[-1], np.uint32), np.empty(begin[-1], np.uint8)

    def keep(columns: slice) -> None:
        place = slice(begin[columns.start], begin[columns.stop])
        encoder.keep(columns, row[place], kept[place])

    threads.map_blocks(keep, n_features, width, n_jobs)
    return begin, row, kept, encoder.codes.zero, n_bins


class Encoder:
    """Bins the entries of a sparse matrix, some columns at a time."""

    def __init__(self, X: Any):
        self.X = X
        self.before = entries_before(X)
        code, zero = np.empty(X.nnz, np.uint8), np.empty(X.shape[1], np.uint8)
        self.codes = StoredCodes(code, zero, np.empty(X.shape[1], np.int64))

    def code(self, columns: slice, bins: BinArrays | int) -> int:
        """Bin the entries of some columns, and return the largest number of bins."""
        entries, begin, own = self._part(columns)
        stored = StoredColumns(values_of(self.X, entries), begin, self.X.shape[0])
        if isinstance(bins, int):
            return int(kernels.stored_quantile_codes(stored, bins, own).max())
        part = BinArrays(bins.low[columns], bins.step[columns], bins.number[columns])
        kernels.stored_bin_codes(stored, part, own)
        return int(part.number.max())

    def keep(self, columns: slice, row: Rows, code: Codes) -> None:
        """Copy the entries that are not in the bin of 0."""
        entries, begin, own = self._part(columns)
        kernels.keep_codes(begin, rows_of(self.X, entries), *own, row, code)

    def _part(self, columns: slice) -> tuple[slice, Integers, StoredCodes]:
        begin = self.before[columns.start : columns.stop + 1]
        entries = slice(begin[0], begin[-1])
        code, zero, kept = self.codes
        return entries, begin - begin[0], StoredCodes(code[entries], zero[columns], kept[columns])
