"""Contingency tables of features in blocks of rows, each counted where it is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import add
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from featrank._utils.threads import blocks
from featrank.kernels import BinArrays, Groups
from featrank.kernels.contingency import Codes, Indices, Integers, class_tables
from featrank.pairwise.contingency import encode
from featrank.pairwise.pair_tables import NLogN, PairTables

# Bytes of the counts that one block returns. Wider data is counted in several passes.
MOST_BYTES = 2**26


@dataclass(frozen=True)
class CodeBlock:
    """The bins of some rows, for all features.

    It is a :class:`CodeChunk` itself, one that is in memory already.

    Attributes
    ----------
    codes : ndarray of shape (n_features, n_rows)
        One byte per value, rows grouped by class.
    offsets : ndarray of shape (n_classes + 1,)
        Where the rows of each class begin and end.
    place : str
        What to call the block in errors and progress.
    """

    codes: Codes
    offsets: Integers
    place: str = "rows in memory"

    @classmethod
    def of(cls, X: Any, y: NDArray[np.integer], n_classes: int, bins: BinArrays) -> CodeBlock:
        """Bin the values of some rows with bins for all rows.

        Parameters
        ----------
        X : ndarray or sparse matrix of shape (n_rows, n_features)
            The rows, possibly none.
        y : ndarray of shape (n_rows,)
            Class codes 0 … n_classes - 1.
        n_classes : int
            Number of classes of all rows. A block may contain fewer.
        bins : BinArrays
            Bins of each feature, as ``kernels.choose_bins`` makes them of the range of all rows.
        """
        groups = Groups.of(y, n_classes)
        if not len(y):
            return cls(np.empty((X.shape[1], 0), np.uint8), groups.offsets)
        return cls(encode(X, groups, bins, None)[0], groups.offsets)

    def read(self) -> CodeBlock:
        """Return the block itself."""
        return self

    def tables(self, wanted: PairCounts) -> Integers:
        """Count the rows of the block."""
        n_rows = self.codes.shape[1]
        first, n_first = np.zeros(n_rows, np.uint8), 1
        if wanted.chosen is not None:
            first, n_first = self.codes[wanted.chosen], wanted.n_bins
        offsets = self.offsets if wanted.with_class else np.array([0, n_rows])
        own = np.ascontiguousarray(self.codes[wanted.start : wanted.stop])
        return class_tables(own, wanted.n_bins, offsets, np.ascontiguousarray(first), n_first)


class CodeChunk(Protocol):
    """Location of the codes of some rows. It is sent to where they are read, so it is small."""

    def read(self) -> Any:
        """Return the codes, an object with ``tables``."""


class Folds(Protocol):
    """The engine's method used here."""

    def fold(
        self, work: Callable[..., Integers], parts: Iterable[Any], merge: Callable[..., Integers]
    ) -> Integers:
        """Return the results of ``work`` on each part, merged in any order."""


@dataclass(frozen=True)
class PairCounts:
    """Count the rows of a block by the bins of features, of a chosen feature and by class.

    This object is sent to a block. The result has shape (features, classes or 1, bins of the chosen
    feature or 1, bins).

    Attributes
    ----------
    chosen : int or None
        The chosen feature, or None to count each feature alone.
    start, stop : int
        The features that are counted.
    n_bins : int
        Largest number of bins.
    with_class : bool
        Whether counts are by class.
    """

    chosen: int | None
    start: int
    stop: int
    n_bins: int
    with_class: bool

    def __call__(self, part: CodeChunk) -> Integers:
        """Return the counts of one block."""
        return part.read().tables(self)


@dataclass(frozen=True)
class RowBlockContingency(PairTables):
    """Features in blocks of rows, in files or on the workers of a cluster.

    Every block has all features of its rows. For a choice, each block counts the tables of the
    chosen feature with all others. Only the index of the chosen feature is sent, and counts are
    returned and added. They are integers, so the sums are identical to those of
    :class:`Contingency`, for any blocks and any order.

    Attributes
    ----------
    engine : Folds
        Where the blocks are counted.
    parts : sequence of CodeChunk
        The blocks.
    n_bins : int
        Largest number of bins of a feature.
    width : int
        Features that are counted in one pass over the blocks.

    Examples
    --------
    >>> from functools import reduce
    >>> from types import SimpleNamespace
    >>> from featrank import MRMR
    >>> from featrank.kernels import choose_bins
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> bins = choose_bins(X.min(axis=0), X.max(axis=0), np.zeros(4, np.uint8), X.dtype, 15)
    >>> parts = [CodeBlock.of(X[rows], y[rows], 3, bins) for rows in (slice(40), slice(40, None))]
    >>> here = SimpleNamespace(fold=lambda work, parts, merge: reduce(merge, map(work, parts)))
    >>> tables = RowBlockContingency.of(parts, here, n_features=4, n_classes=3, n_bins=15)
    >>> MRMR().fit_tables(tables, [0, 1, 2]).ranking_, MRMR().fit(X, y).ranking_
    (array([4, 3, 2, 1]), array([4, 3, 2, 1]))
    """

    engine: Folds
    parts: Sequence[CodeChunk]
    n_bins: int
    width: int

    @classmethod
    def of(
        cls,
        parts: Sequence[CodeChunk],
        engine: Folds,
        *,
        n_features: int,
        n_classes: int,
        n_bins: int,
        most_bytes: int | None = None,
    ) -> RowBlockContingency:
        """Count each feature alone and with the class. ``n_bins`` is the largest number of bins.

        The counts of a block take at most ``most_bytes``. Wider data is counted in several passes.
        """
        most_bytes = MOST_BYTES if most_bytes is None else most_bytes

        def counted(panel: slice) -> Integers:
            work = PairCounts(None, panel.start, panel.stop, n_bins, True)
            return engine.fold(work, parts, add)[:, :, 0]

        class_sizes = counted(slice(0, 1))[0].sum(axis=1)
        n_log_n = NLogN(int(class_sizes.sum()))
        marginal, by_class = np.empty((2, n_features), np.int64)
        for panel in blocks(n_features, features_a_pass(n_classes * n_bins, most_bytes)):
            counts = counted(panel)
            marginal[panel] = n_log_n(counts.sum(axis=1)).sum(axis=1)
            by_class[panel] = n_log_n(counts).sum(axis=(1, 2))
        width = features_a_pass(n_classes * n_bins**2, most_bytes)
        return cls(n_log_n, class_sizes, marginal, by_class, engine, parts, n_bins, width)

    def _sums(self, chosen: int, candidates: Indices, with_class: bool) -> Integers:
        sums = np.empty(self.n_features, np.int64)
        for panel in blocks(self.n_features, self.width):
            if ((candidates >= panel.start) & (candidates < panel.stop)).any():
                work = PairCounts(chosen, panel.start, panel.stop, self.n_bins, with_class)
                counts = self.engine.fold(work, self.parts, add)
                sums[panel] = self.n_log_n(counts).sum(axis=(1, 2, 3))
                if with_class:
                    sums[panel] -= self.n_log_n(counts.sum(axis=1)).sum(axis=(1, 2))
        return sums[candidates]


def features_a_pass(cells: int, most_bytes: int) -> int:
    """Return how many features with ``cells`` cells each are counted together."""
    return max(1, most_bytes // (8 * cells))
