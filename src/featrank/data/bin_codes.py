"""Bin codes of out-of-core data, computed where each part is read."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.data.row_labels import RowLabels
from featrank.kernels import BinArrays
from featrank.kernels.dense import float_type
from featrank.pairwise.column_panels import CodePanel
from featrank.pairwise.contingency import Contingency
from featrank.pairwise.row_blocks import CodeBlock
from featrank.pairwise.sparse_columns import by_columns, is_sparse
from featrank.pairwise.sparse_contingency import SparseContingency
from featrank.pairwise.sparse_row_blocks import SparseCodeBlock
from featrank.sources import Chunk
from featrank.summaries.blocks import as_block, block_of
from featrank.summaries.columns import RowClasses, column_bins
from featrank.summaries.ranges import FeatureRanges
from featrank.values.classes import places_among
from featrank.values.numbers import Unusable

# Bytes of an entry of sparse codes: its row and its bin.
ENTRY_BYTES = 5


@dataclass(frozen=True, eq=False)
class Looked:
    """What the first pass over rows finds: ranges, values that are unusable, bytes of codes."""

    ranges: FeatureRanges
    unusable: Unusable | None
    code_bytes: int

    def merge(self, other: Looked) -> Looked:
        """Return what is known of the rows of both."""
        unusable = self.unusable or other.unusable
        if self.unusable is not None and other.unusable is not None:
            unusable = self.unusable.merge(other.unusable)
        size = self.code_bytes + other.code_bytes
        return Looked(self.ranges.merge(other.ranges), unusable, size)


@dataclass(frozen=True)
class Look:
    """The first pass over rows."""

    labels: RowLabels

    def __call__(self, part: Chunk) -> Looked:
        """Read the part."""
        read = part.read()
        classes, (codes,) = self.labels.views(part, read)
        X = _numbers(read.X)
        size = ENTRY_BYTES * X.nnz if is_sparse(X) else math.prod(X.shape)
        return Looked(FeatureRanges.of_block(block_of(X), codes, classes), Unusable.of(X), size)


@dataclass(frozen=True, eq=False)
class Encode:
    """Puts the values of some rows into bins that hold for all rows."""

    labels: RowLabels
    classes: NDArray[Any]
    bins: BinArrays
    dtype: np.dtype[np.floating]

    def __call__(self, part: Chunk) -> CodeBlock | SparseCodeBlock:
        """Read the part."""
        read = part.read()
        own, (codes,) = self.labels.views(part, read)
        y = _codes_among(self.classes, own, codes)
        X = _numbers(read.X)
        if float_type(X.dtype) != self.dtype:  # other blocks are of another type
            X = X.astype(self.dtype)
        kind = SparseCodeBlock if is_sparse(X) else CodeBlock
        return kind.of(X, y, len(self.classes), self.bins)


@dataclass(frozen=True)
class EncodePanel:
    """Puts whole columns into their bins."""

    labels: RowLabels
    bins: int | str
    binning: str

    def __call__(self, part: Chunk) -> CodePanel:
        """Read the part."""
        read = part.read()
        classes, (codes,) = self.labels.views(part, read)
        X = _numbers(read.X)
        unusable = Unusable.of(X)
        if unusable is not None:
            return CodePanel(classes, unusable, None)
        X = X if isinstance(X, np.ndarray) else by_columns(X)
        rows = RowClasses(codes.astype(np.intp), len(classes))
        kind = SparseContingency if is_sparse(X) else Contingency
        return CodePanel(classes, None, kind.of(X, rows.groups(), self._bins(X, rows)))

    def _bins(self, X: Any, rows: RowClasses) -> BinArrays | int:
        return column_bins(X, rows, self.bins, self.binning)


def _numbers(X: Any) -> Any:
    """Return a block as an array or a sparse matrix; genotypes are written out."""
    X = as_block(X)
    return X.toarray() if hasattr(X, "packed") else X


def _codes_among(
    classes: NDArray[Any], own: NDArray[Any], codes: NDArray[np.integer]
) -> NDArray[np.intp]:
    if own is classes or np.array_equal(own, classes):
        return codes.astype(np.intp)
    return places_among(classes, own)[codes] if len(own) else codes.astype(np.intp)
