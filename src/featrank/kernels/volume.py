"""Typed wrappers of the kernels for the greedy choice by volume."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats, _featrank

Integers = NDArray[np.int64]


class Batch(NamedTuple):
    """Some features, and what each knows of the first ``n_known`` of the chosen ones.

    ``values`` has one row per feature, ``reciprocal`` is 1 over its length. ``rest`` is what the
    chosen features leave unexplained of it, ``gain`` is relevance·rest^diversity, and ``factor``
    holds its row of the Cholesky factor.
    """

    values: NDArray[np.floating]
    reciprocal: Floats
    relevance: Floats
    n_known: Integers
    rest: Floats
    gain: Floats
    factor: Floats

    @classmethod
    def of(cls, values: NDArray[np.floating], relevance: Floats, n_steps: int) -> "Batch":
        """Return features before any choice, with room for ``n_steps`` chosen ones."""
        size = len(values)
        reciprocal, n_known = reciprocal_lengths(values), np.zeros(size, np.int64)
        factor = np.empty((size, n_steps))
        return cls(values, reciprocal, relevance, n_known, np.ones(size), relevance.copy(), factor)


class Chosen(NamedTuple):
    """The chosen features in the order of choice, with their rows of the Cholesky factor."""

    values: NDArray[np.floating]
    reciprocal: Floats
    factor: Floats

    def first(self, number: int) -> "Chosen":
        """Return the first ``number`` chosen features."""
        return Chosen(self.values[:number], self.reciprocal[:number], self.factor[:number])


def reciprocal_lengths(values: NDArray[np.floating]) -> Floats:
    """1/|v| of each row v, and 0 for a row of zeros."""
    reciprocal = np.empty(len(values))
    _featrank.reciprocal_lengths(values, reciprocal)
    return reciprocal


# Find the candidate with the largest gain: its place among the candidates, and the gain.
#
# Candidates are brought up to date where they may be the best. A rest below ``least`` is 0.
# Equal gains: the more relevant candidate, then the first.
best_gain = _featrank.best_gain
