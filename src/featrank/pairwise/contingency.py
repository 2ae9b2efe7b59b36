"""Binned features and the information in pairs of them, alone and together with the class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.engines import local
from featrank.engines.dense import dense_block
from featrank.kernels import BinArrays, Floats, Groups
from featrank.kernels import contingency as kernels
from featrank.kernels.contingency import CodeArrays, Gathered, GivenArrays, Indices, Integers

# Rows counted in one call of a kernel: some milliseconds of work.
CALL_ROWS = 2**22


@dataclass(frozen=True)
class Contingency:
    r"""Every feature as one byte a sample, and mutual information from tables of counts.

    The bins are those of the histograms. With :math:`\Sigma(\cdot)` for the sum of
    :math:`n \log n` over the cells of a table of counts, every entropy is
    :math:`H = (T \log T - \Sigma)/T`. The sums are kept as integers in units of ``unit``, so
    that they are exact: equal features have equal information to the last bit, and
    :math:`I(f; s) = I(s; f)`.

    Attributes
    ----------
    arrays : CodeArrays
        Codes of shape (n_features, n_samples), rows grouped by class; the number of bins; and
        the integers n·log(n).
    unit : float
        What one unit of the integers is worth.
    offsets : ndarray of shape (n_classes + 1,)
        Where the rows of each class begin and end.
    marginal, by_class : ndarray of shape (n_features,)
        Sums over each feature's own table, and over its table with the class.
    """

    arrays: CodeArrays
    unit: float
    offsets: Integers
    marginal: Integers
    by_class: Integers
    n_jobs: int | None

    @classmethod
    def of(
        cls, X: Any, groups: Groups, bins: BinArrays | int, n_jobs: int | None = None
    ) -> Contingency:
        """Put every value into its bin.

        ``bins`` holds the bins of each feature, or is how many to make, of about equal content.
        """
        n_log_n, unit = integer_n_log_n(X.shape[0])
        arrays = CodeArrays(*encode(X, groups, bins, n_jobs), n_log_n)
        sums = own_sums(arrays, groups.offsets, n_jobs)
        return cls(arrays, unit, groups.offsets, *sums, n_jobs)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.marginal)

    @property
    def n_samples(self) -> int:
        """Number of samples."""
        return self.arrays.codes.shape[1]

    def entropy(self) -> Floats:
        """H(f) of each feature, in nats."""
        return self._nats(self._total - self.marginal)

    def class_entropy(self) -> float:
        """H(C) in nats."""
        return float(self._nats(np.array([self._total - self._classes]))[0])

    def relevance(self) -> Floats:
        """I(f; C) of each feature, in nats."""
        return self._nats(self.by_class - self.marginal - self._classes + self._total)

    def redundancy(self, chosen: int, candidates: Indices) -> Floats:
        """I(f; s) of each candidate f and the chosen feature s."""

        def work(part: Indices) -> Integers:
            return kernels.pair_sums(self.arrays, chosen, part)

        own = self.marginal[candidates] + self.marginal[chosen]
        return self._nats(self._mapped(work, candidates) - own + self._total)

    def redundancies(self, rows: range) -> list[Floats]:
        """I(f; s) of each feature s of the rows and every later feature f."""

        def work(block: slice) -> list[Floats]:
            return [self._later(chosen) for chosen in rows[block]]

        parts = local.map_blocks(work, len(rows), 4, self.n_jobs)
        return [row for part in parts for row in part]

    def _later(self, chosen: int) -> Floats:
        later = np.arange(chosen + 1, self.n_features)
        own = self.marginal[later] + self.marginal[chosen]
        return self._nats(kernels.pair_sums(self.arrays, chosen, later) - own + self._total)

    def joint_relevance(self, chosen: int, candidates: Indices) -> Floats:
        """I(f, s; C) of each candidate f together with the chosen feature s."""

        def work(part: Indices) -> Integers:
            pair, triple = kernels.class_sums(self.arrays, self.offsets, chosen, part)
            return triple - pair

        return self._nats(self._mapped(work, candidates) - self._classes + self._total)

    def best_smallest(
        self, relevance: Floats, chosen: Indices, candidates: Indices, gathered: Gathered
    ) -> tuple[int, float]:
        """Place and value of the candidate f with the largest smallest I(f; C | s), s chosen."""
        factor = self.unit / self.n_samples
        given = GivenArrays(self.offsets, self.by_class - self.marginal, factor)
        return kernels.best_smallest(self.arrays, given, relevance, chosen, candidates, gathered)

    def set_relevance(self, states: NDArray[np.uint32], candidates: Indices) -> Floats:
        """I(f, S; C) of each candidate f together with the joint state S of other features.

        ``states`` holds one state a row of the codes, in their order.
        """
        n_states = int(states.max()) + 1

        def work(part: Indices) -> Integers:
            sums = kernels.state_sums(self.arrays, self.offsets, states, n_states, part)
            return sums[1] - sums[0]

        return self._nats(self._mapped(work, candidates) - self._classes + self._total)

    def refined(self, states: Integers, feature: int) -> Integers:
        """Number the joint states of earlier states and one more feature, one a row."""
        joint = states * self.arrays.n_bins + self.arrays.codes[feature]
        return np.unique(joint, return_inverse=True)[1]

    def _mapped(self, work: Callable[[Indices], Integers], candidates: Indices) -> Integers:
        return mapped(work, candidates, self.n_samples, self.n_jobs)

    @property
    def _total(self) -> int:
        return int(self.arrays.n_log_n[-1])

    @property
    def _classes(self) -> int:
        return int(self.arrays.n_log_n[np.diff(self.offsets)].sum())

    def _nats(self, sums: Integers) -> Floats:
        """Information from integer sums; what rounding alone can make is nothing.

        A cell's n·log(n) is off by half a unit at most, and by nothing for n < 2, so that the
        sums of up to four tables are off by less than one unit a sample.
        """
        return np.where(sums > self.n_samples, sums * (self.unit / self.n_samples), 0.0)


def integer_n_log_n(n_samples: int) -> tuple[Integers, float]:
    """Return n·log(n) for n = 0 … n_samples as integers below 2**60, and their unit."""
    counts = np.arange(n_samples + 1).astype(np.longdouble)
    exact = counts * np.log(np.maximum(counts, 1))
    power = 59 - int(np.ceil(np.log2(max(float(exact[-1]), 1.0))))
    return np.rint(np.ldexp(exact, power)).astype(np.int64), 2.0**-power


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

    width = max(64, CALL_ROWS // n_samples)
    return codes, max(local.map_blocks(work, n_features, width, n_jobs))


def own_sums(
    arrays: CodeArrays, offsets: Integers, n_jobs: int | None
) -> tuple[Integers, Integers]:
    """Return the sums over each feature's own table, and over its table with the class."""
    n_features, n_samples = arrays.codes.shape
    alike = np.zeros(n_samples, np.uint32)

    def work(part: Indices) -> Integers:
        return np.stack(kernels.state_sums(arrays, offsets, alike, 1, part))

    marginal, by_class = mapped(work, np.arange(n_features), n_samples, n_jobs)
    return marginal, by_class


def mapped(
    work: Callable[[Indices], Integers], features: Indices, n_samples: int, n_jobs: int | None
) -> Integers:
    """Return what ``work`` makes of some features, which run along the last axis."""
    width = max(1, CALL_ROWS // n_samples)
    parts = local.map_blocks(lambda block: work(features[block]), len(features), width, n_jobs)
    return np.concatenate(parts, axis=-1) if parts else np.empty(0, np.int64)
