"""Binned features of a sparse matrix, and the tables of pairs of features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import BinArrays, Floats, Groups
from featrank.kernels import sparse_pairs as kernels
from featrank.kernels.contingency import Codes, Gathered, Indices, Integers
from featrank.kernels.sparse_pairs import ChosenArrays, SparseCodeArrays
from featrank.pairwise.argmax_ties import best_of_blocks
from featrank.pairwise.contingency import mapped
from featrank.pairwise.growing_array import ChosenRows
from featrank.pairwise.pair_tables import Column, NLogN, PairTables
from featrank.pairwise.sparse_codes import OVERHEAD, encode
from featrank.pairwise.sparse_columns import by_columns


@dataclass(frozen=True)
class SparseContingency(PairTables):
    """Every feature as its entries that are not in the bin of 0: the row, and one byte.

    A table of a candidate with a chosen feature is counted over the candidate's entries. The
    remainder of the chosen feature's own table is in the bin of 0. So a step takes time
    proportional to the number of entries, not of samples. The sums are identical to those of
    :class:`Contingency`.

    Attributes
    ----------
    arrays : SparseCodeArrays
        Entries of the features, the bins of 0, the number of bins and the integers n·log(n).
    classes : ndarray of shape (n_samples,)
        Class code of each row.
    kept : KeptStates
        The chosen features of a lazy search.
    """

    arrays: SparseCodeArrays
    classes: NDArray[np.integer]
    kept: ChosenRows
    n_jobs: int | None

    @classmethod
    def of(
        cls, X: Any, groups: Groups, bins: BinArrays | int, n_jobs: int | None = None
    ) -> SparseContingency:
        """Bin all entries of a sparse X.

        ``bins`` holds the bins of each feature, or the number of quantile bins.
        """
        n_log_n = NLogN(X.shape[0])
        arrays = SparseCodeArrays(*encode(by_columns(X), bins, n_jobs), n_log_n.table)
        classes = class_codes(groups)
        sums = own_sums(arrays, classes, len(groups.sizes), n_jobs)
        kept = ChosenRows(len(classes), state_type(len(groups.sizes) * arrays.n_bins))
        return cls(n_log_n, groups.sizes, *sums, arrays, classes, kept, n_jobs)

    def _sums(self, chosen: int, candidates: Indices, with_class: bool) -> Integers:
        states = self._states(chosen, len(self.class_sizes) if with_class else 1)
        return self._sums_with_states(states, candidates, with_class)

    def best_smallest(
        self, relevance: Floats, chosen: Indices, candidates: Indices, gathered: Gathered
    ) -> tuple[int, float]:
        """Return index and value of the candidate f with the largest min over s of I(f; C | s).

        Missing terms are computed only for candidates that can still be the best. So the chosen
        features are stored, one byte per sample if all classes have at most 256 bins.
        """
        state, further = self.kept.of(chosen, lambda s: self._states(s, len(self.class_sizes)))
        states = ChosenArrays(state, *map(np.concatenate, zip(*further, strict=True)))

        def best_of(part: Indices) -> tuple[int, float]:
            return kernels.sparse_best_smallest(
                *self.arrays, *states, self._factor, relevance, part, *gathered
            )

        return best_of_blocks(best_of, relevance, candidates, self._cost, self.n_jobs)

    def column(self, feature: int) -> Column:
        """Return a feature in the form that other panels of the same rows need."""
        codes = self.codes(feature)[self._by_class]
        return Column(codes, self.arrays.n_bins, self.marginal[feature], self.by_class[feature])

    def sums_with(self, column: Column, with_class: bool) -> Integers:
        """Return ``class_gains``, or ``pair_sums``, of all features with one of another panel."""
        codes = np.empty_like(column.codes)
        codes[self._by_class] = column.codes
        states = self._states_of(column._replace(codes=codes), len(self.class_sizes))
        return self._sums_with_states(states, np.arange(self.n_features), with_class)

    def _sums_with_states(
        self, states: ChosenArrays, candidates: Indices, with_class: bool
    ) -> Integers:
        def work(part: Indices) -> Integers:
            pair, triple = kernels.sparse_sums(self.arrays, states, part)
            return triple - pair if with_class else pair

        return mapped(work, candidates, self._cost, self.n_jobs)

    @property
    def _by_class(self) -> Integers:
        """The rows grouped by class, as in other tables."""
        return np.argsort(self.classes, kind="stable")

    def codes(self, feature: int) -> Codes:
        """Return the bin of each sample of one feature."""
        entries = slice(*self.arrays.begin[feature : feature + 2])
        column = np.full(self.n_samples, self.arrays.zero[feature])
        column[self.arrays.row[entries]] = self.arrays.code[entries]
        return column

    def _states(self, chosen: int, n_classes: int) -> ChosenArrays:
        """Return one feature together with the class, or alone if there is only one class."""
        sums = self.marginal[chosen], self.by_class[chosen]
        return self._states_of(Column(self.codes(chosen), self.arrays.n_bins, *sums), n_classes)

    def _states_of(self, column: Column, n_classes: int) -> ChosenArrays:
        width = column.n_bins
        states = column.codes.astype(state_type(n_classes * width))
        if n_classes > 1:
            states += self.classes.astype(states.dtype) * states.dtype.type(width)
        size = np.bincount(states, minlength=n_classes * width).astype(np.uint32)
        whole = size.reshape(n_classes, width).sum(axis=0, dtype=np.uint32)
        own = column.by_class if n_classes > 1 else column.marginal
        sums = np.array([column.marginal]), np.array([own])
        return ChosenArrays(states[None], size[None], whole[None], *sums)

    @property
    def _cost(self) -> int:
        return len(self.arrays.row) // self.n_features + OVERHEAD


def state_type(n_states: int) -> np.dtype[Any]:
    """Return the smallest unsigned type that holds ``n_states`` states.

    Examples
    --------
    >>> state_type(256), state_type(257)
    (dtype('uint8'), dtype('uint16'))
    """
    return np.min_scalar_type(n_states - 1)


def class_codes(groups: Groups) -> NDArray[np.integer]:
    """Return the class of each row, in the smallest type."""
    n_classes = len(groups.offsets) - 1
    codes = np.empty(len(groups.order), state_type(n_classes))
    codes[groups.order] = np.repeat(np.arange(n_classes), np.diff(groups.offsets))
    return codes


def own_sums(
    arrays: SparseCodeArrays, classes: NDArray[np.integer], n_classes: int, n_jobs: int | None
) -> tuple[Integers, Integers]:
    """Return the sums over each feature's own table, and over its table with the class."""
    n_log_n, n_features = arrays.n_log_n, len(arrays.zero)
    size = np.bincount(classes, minlength=n_classes).astype(np.uint32)
    whole = np.array([[len(classes)]], np.uint32)
    total, by_class = n_log_n[-1:], n_log_n[size].sum(keepdims=True)
    all_alike = ChosenArrays(classes[None], size[None], whole, total, by_class)

    def work(part: Indices) -> Integers:
        return np.stack(kernels.sparse_sums(arrays, all_alike, part))

    cost = len(arrays.row) // n_features + OVERHEAD
    pair, triple = mapped(work, np.arange(n_features), cost, n_jobs)
    return pair, triple
