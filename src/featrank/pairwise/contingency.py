"""Binned features in memory, one byte per value, and contingency tables of pairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils import threads
from featrank.kernels import BinArrays, Floats, Groups
from featrank.kernels import contingency as kernels
from featrank.kernels.contingency import CodeArrays, Codes, Gathered, Indices, Integers
from featrank.kernels.dense import dense_block
from featrank.pairwise.argmax_ties import best_of_blocks
from featrank.pairwise.pair_tables import Column, NLogN, PairTables

# Rows counted per kernel call: a few milliseconds of work.
CALL_ROWS = 2**22


@dataclass(frozen=True)
class Contingency(PairTables):
    """Every feature as one byte per sample, with the bins of the histograms.

    Attributes
    ----------
    arrays : CodeArrays
        Codes of shape (n_features, n_samples), rows grouped by class; the number of bins; and
        the integers n·log(n).
    offsets : ndarray of shape (n_classes + 1,)
        Where the rows of each class begin and end.
    """

    arrays: CodeArrays
    offsets: Integers
    n_jobs: int | None

    @classmethod
    def of(
        cls, X: Any, groups: Groups, bins: BinArrays | int, n_jobs: int | None = None
    ) -> Contingency:
        """Bin all values.

        ``bins`` holds the bins of each feature, or the number of quantile bins.
        """
        return cls.of_codes(*encode(X, groups, bins, n_jobs), groups, n_jobs)

    @classmethod
    def of_codes(
        cls, codes: Codes, n_bins: int, groups: Groups, n_jobs: int | None = None
    ) -> Contingency:
        """Use existing codes, features by rows, with rows in the order of the groups."""
        n_log_n = NLogN(codes.shape[1])
        arrays = CodeArrays(codes, n_bins, n_log_n.table)
        sums = own_sums(arrays, groups.offsets, n_jobs)
        return cls(n_log_n, np.diff(groups.offsets), *sums, arrays, groups.offsets, n_jobs)

    def _sums(self, chosen: int, candidates: Indices, with_class: bool) -> Integers:
        def work(part: Indices) -> Integers:
            if not with_class:
                return kernels.pair_sums(self.arrays, chosen, part)
            pair, triple = kernels.class_sums(self.arrays, self.offsets, chosen, part)
            return triple - pair

        return self._mapped(work, candidates)

    def column(self, feature: int) -> Column:
        """Return a feature in the form that other panels of the same rows need."""
        codes = self.arrays.codes[feature].copy()
        return Column(codes, self.arrays.n_bins, self.marginal[feature], self.by_class[feature])

    def sums_with(self, column: Column, with_class: bool) -> Integers:
        """Return ``class_gains``, or ``pair_sums``, of all features with one of another panel."""
        everyone, states = np.arange(self.n_features), column.codes.astype(np.uint32)
        return self._sums_with_states(states, column.n_bins, everyone, with_class)

    def best_smallest(
        self, relevance: Floats, chosen: Indices, candidates: Indices, gathered: Gathered
    ) -> tuple[int, float]:
        """Return index and value of the candidate f with the largest min over s of I(f; C | s).

        Missing terms are computed only for candidates that can still be the best.
        """
        given = *self.arrays, self.offsets, self.by_class - self.marginal, self._factor

        def best_of(part: Indices) -> tuple[int, float]:
            return kernels.best_smallest(*given, relevance, chosen, part, *gathered)

        return best_of_blocks(best_of, relevance, candidates, self.n_samples, self.n_jobs)

    def redundancies(self, rows: range) -> list[Floats]:
        """I(f; s) of each feature s of the rows and every later feature f."""

        def work(block: slice) -> list[Floats]:
            return [self._later(chosen) for chosen in rows[block]]

        parts = threads.map_blocks(work, len(rows), 4, self.n_jobs)
        return [row for part in parts for row in part]

    def _later(self, chosen: int) -> Floats:
        later = np.arange(chosen + 1, self.n_features)
        return self._shared(chosen, later, kernels.pair_sums(self.arrays, chosen, later))

    def set_relevance(self, states: NDArray[np.uint32], candidates: Indices) -> Floats:
        """I(f, S; C) of each candidate f together with the joint state S of other features.

        ``states`` holds one state per row of the codes, in their order.
        """
        sums = self._sums_with_states(states, int(states.max()) + 1, candidates, True)
        return self._nats(sums - self._classes + self._total)

    def _sums_with_states(
        self, states: NDArray[np.uint32], n_states: int, candidates: Indices, with_class: bool
    ) -> Integers:
        def work(part: Indices) -> Integers:
            pair, triple = kernels.state_sums(self.arrays, self.offsets, states, n_states, part)
            return triple - pair if with_class else pair

        return self._mapped(work, candidates)

    def refined(self, states: Integers, feature: int) -> Integers:
        """Number the joint states of earlier states and one more feature, one per row."""
        joint = states * self.arrays.n_bins + self.arrays.codes[feature]
        return np.unique(joint, return_inverse=True)[1]

    def _mapped(self, work: Callable[[Indices], Integers], candidates: Indices) -> Integers:
        return mapped(work, candidates, self.n_samples, self.n_jobs)


def encode(
    X: Any, groups: Groups, bins: BinArrays | int, n_jobs: int | None
) -> tuple[NDArray[np.uint8], int]:
    """Return the bin of each value, features by rows, and the largest number of bins."""
    n_features, n_samples = X.shape[1], len(groups.order)
    codes = np.empty((n_features, n_samples), np.uint8)

    def work(columns: slice) -> int:
        block, own = dense_block(X, columns), codes[columns]
        if isinstance(bins, int):
            return int(kernels.quantile_codes(block, groups, bins, own).max())
        part = BinArrays(bins.low[columns], bins.step[columns], bins.number[columns])
        kernels.bin_codes(block, groups, part, own)
        return int(part.number.max())

    return codes, max(threads.map_blocks(work, n_features, max(64, CALL_ROWS // n_samples), n_jobs))


def own_sums(
    arrays: CodeArrays, offsets: Integers, n_jobs: int | None
) -> tuple[Integers, Integers]:
    """Return the sums over each feature's own table, and over its table with the class."""
    n_features, n_samples = arrays.codes.shape
    one_state = np.zeros(n_samples, np.uint32)

    def work(part: Indices) -> Integers:
        return np.stack(kernels.state_sums(arrays, offsets, one_state, 1, part))

    marginal, by_class = mapped(work, np.arange(n_features), n_samples, n_jobs)
    return marginal, by_class


def mapped(
    work: Callable[[Indices], Integers], features: Indices, n_rows: int, n_jobs: int | None
) -> Integers:
    """Return the concatenated results of ``work``, with features along the last axis.

    ``n_rows`` is the number of rows counted per feature.
    """
    width = max(1, CALL_ROWS // n_rows)
    parts = threads.map_blocks(lambda block: work(features[block]), len(features), width, n_jobs)
    return np.concatenate(parts, axis=-1) if parts else np.empty(0, np.int64)
