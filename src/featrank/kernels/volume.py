"""Typed wrappers of the kernels for greedy selection by volume."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats, _featrank

Integers = NDArray[np.int64]


class Batch(NamedTuple):
    """A batch of features, each up to date with the first ``n_known`` chosen features.

    ``values`` has one row per feature, and ``reciprocal`` is 1 divided by its length. ``rest`` is
    the part of it that the chosen features do not explain, ``gain`` is relevance·rest^diversity,
    and ``factor`` has its row of the Cholesky factor.
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
        """Return a batch before any choice, with space for ``n_steps`` chosen features."""
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
    """1/|v| of each row v, or 0 for a row of zeros."""
    reciprocal = np.empty(len(values))
    _featrank.reciprocal_lengths(values, reciprocal)
    return reciprocal


# Find the candidate with the largest gain: its place among the candidates, and the gain.
#
# Only candidates that may be the best are updated. A rest below ``least`` counts as 0. Ties go to
# the more relevant candidate, then to the first.
best_gain = _featrank.best_gain
