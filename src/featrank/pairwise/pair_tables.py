"""Mutual information of features, pairs of features and the class, from contingency tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from featrank.kernels import Floats
from featrank.kernels.contingency import Codes, Gathered, Indices, Integers
from featrank.pairwise.argmax_ties import first_of_largest

# Counts whose n·log(n) is computed together, in extended precision, and cached.
TOGETHER = 2**16
LOOKED_UP = 2**20


class NLogN:
    """n·log(n) of counts of up to ``n_samples``, as integers below 2**60.

    Attributes
    ----------
    unit : float
        Value of one unit of the integers.

    Examples
    --------
    >>> n_log_n = NLogN(3)
    >>> n_log_n(np.array([0, 1, 3])) * n_log_n.unit
    array([0. , 0. , 3.296])
    """

    def __init__(self, n_samples: int):
        self.n_samples = n_samples
        largest = np.longdouble(n_samples) * np.log(np.longdouble(max(n_samples, 1)))
        self.power = 59 - int(np.ceil(np.log2(max(float(largest), 1.0))))
        self.unit = 2.0**-self.power

    def __call__(self, counts: Integers) -> Integers:
        """Return n·log(n) of each count."""
        if self.n_samples < LOOKED_UP:
            return self.table[counts]
        few = self._first[np.minimum(counts, LOOKED_UP - 1)]
        many = counts >= LOOKED_UP
        few[many] = self._exact(counts[many])
        return few

    @cached_property
    def table(self) -> Integers:
        """The integers of all counts from 0 to ``n_samples``."""
        return self._up_to(self.n_samples + 1)

    @cached_property
    def _first(self) -> Integers:
        return self._up_to(LOOKED_UP)

    def _up_to(self, stop: int) -> Integers:
        table = np.empty(stop, np.int64)
        for start in range(0, stop, TOGETHER):
            part = table[start : start + TOGETHER]
            part[:] = self._exact(np.arange(start, start + len(part)))
        return table

    def _exact(self, counts: Integers) -> Integers:
        wide = counts.astype(np.longdouble)
        return np.rint(np.ldexp(wide * np.log(np.maximum(wide, 1)), self.power)).astype(np.int64)


class Column(NamedTuple):
    """A feature to send to other panels: its bins, with rows grouped by class, and its sums."""

    codes: Codes
    n_bins: int
    marginal: np.int64
    by_class: np.int64


@dataclass(frozen=True)
class PairTables(ABC):
    r"""Mutual information of features, pairs of features and the class, from tables of counts.

    With :math:`\Sigma(\cdot)` for the sum of :math:`n \log n` over the cells of a table of counts,
    every entropy is :math:`H = (T \log T - \Sigma)/T`. The sums are integers, so they are exact:
    equal features have identical information, :math:`I(f; s) = I(s; f)`, and it does not matter
    where and in which order rows are counted.

    Greedy methods use nothing else of the data. The counts come from dense codes
    (:class:`Contingency`), from the stored entries of sparse codes (:class:`SparseContingency`), or
    from blocks of rows that are counted elsewhere (:class:`RowBlockContingency`).

    Attributes
    ----------
    n_log_n : NLogN
        n·log(n) as integers, of counts of up to all samples.
    class_sizes : ndarray of shape (n_classes,)
        Samples of each class.
    marginal, by_class : ndarray of shape (n_features,)
        Sums over each feature's own table, and over its table with the class.
    """

    n_log_n: NLogN
    class_sizes: Integers
    marginal: Integers
    by_class: Integers

    def pair_sums(self, chosen: int, candidates: Indices) -> Integers:
        """Σ over the table of the chosen feature and each candidate."""
        return self._sums(chosen, candidates, False)

    def class_gains(self, chosen: int, candidates: Indices) -> Integers:
        """Σ over the table of chosen, candidate and class, less that of chosen and candidate."""
        return self._sums(chosen, candidates, True)

    @abstractmethod
    def _sums(self, chosen: int, candidates: Indices, with_class: bool) -> Integers:
        """Return ``class_gains``, or ``pair_sums``."""

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.marginal)

    @property
    def n_samples(self) -> int:
        """Number of samples."""
        return self.n_log_n.n_samples

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
        return self._shared(chosen, candidates, self.pair_sums(chosen, candidates))

    def class_uncertainty(self) -> Floats:
        """Symmetric uncertainty 2·I(f; C) / (H(f) + H(C)) of each feature, between 0 and 1."""
        return _shares(self.relevance(), self.entropy() + self.class_entropy())

    def uncertainty(self, chosen: int, candidates: Indices) -> Floats:
        """Symmetric uncertainty 2·I(f; s) / (H(f) + H(s)) of each candidate f and the chosen s."""
        entropy = self.entropy()
        return _shares(self.redundancy(chosen, candidates), entropy[candidates] + entropy[chosen])

    def joint_relevance(self, chosen: int, candidates: Indices) -> Floats:
        """I(f, s; C) of each candidate f together with the chosen feature s."""
        return self._nats(self.class_gains(chosen, candidates) - self._classes + self._total)

    def given_relevance(self, chosen: int, candidates: Indices) -> Floats:
        """I(f; C | s) of each candidate f, given the chosen feature s."""
        given = self.by_class[chosen] - self.marginal[chosen]
        return self._nats(self.class_gains(chosen, candidates) - given)

    def best_smallest(
        self, relevance: Floats, chosen: Indices, candidates: Indices, gathered: Gathered
    ) -> tuple[int, float]:
        """Return index and value of the candidate f with the largest min over s of I(f; C | s).

        Here every candidate is updated, with one call of ``class_gains`` per choice: if a call is a
        pass over remote rows, few calls matter more than few terms.
        """
        for step in range(int(gathered.n_known[candidates].min()), len(chosen)):
            late = candidates[gathered.n_known[candidates] == step]
            terms = self.given_relevance(int(chosen[step]), late)
            gathered.values[late] = np.minimum(gathered.values[late], terms)
            gathered.n_known[late] = step + 1
        values = gathered.values[candidates]
        place = first_of_largest(values, relevance[candidates])
        return place, float(values[place])

    def _shared(self, chosen: int, candidates: Indices, sums: Integers) -> Floats:
        return self._nats(sums - (self.marginal[candidates] + self.marginal[chosen]) + self._total)

    @cached_property
    def _total(self) -> int:
        return int(self.n_log_n(np.array([self.n_samples]))[0])

    @cached_property
    def _classes(self) -> int:
        return int(self.n_log_n(self.class_sizes).sum())

    @property
    def _factor(self) -> float:
        """Value of a unit of the sums in nats."""
        return self.n_log_n.unit / self.n_samples

    def _nats(self, sums: Integers) -> Floats:
        """Return information from integer sums, with rounding errors set to 0.

        n·log(n) of a cell is off by at most half a unit, and exact for n < 2, so the sums of up to
        four tables are off by less than one unit per sample.
        """
        return np.where(sums > self.n_samples, sums * self._factor, 0.0)


def _shares(information: Floats, entropies: Floats) -> Floats:
    """Return twice the information over the sum of two entropies, or 0 if both are 0."""
    nothing = np.zeros_like(information)
    return np.divide(2 * information, entropies, out=nothing, where=entropies > 0)
