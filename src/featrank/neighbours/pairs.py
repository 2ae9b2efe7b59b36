"""Pairs of near samples, each listed once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank.kernels.neighbours import Links
from featrank.neighbours.columns import Floats

Integers = NDArray[np.int64]


class Pairs(NamedTuple):
    """Rows ``lower`` and ``higher`` in which either is among the k nearest of the other.

    Pairs are sorted. ``squared`` holds squared distances. ``times`` is 2 for mutual neighbours.
    """

    lower: Integers
    higher: Integers
    squared: Floats
    times: Integers

    @classmethod
    def of(cls, rows: Integers, neighbour: Integers, squared: Floats) -> Pairs:
        """Pair all rows with their nearest rows; -1 means none."""
        there = neighbour >= 0
        first = np.broadcast_to(rows[:, np.newaxis], neighbour.shape)[there]
        lower, higher = np.minimum(first, neighbour[there]), np.maximum(first, neighbour[there])
        keys, found, times = np.unique(
            lower * len(rows) + higher, return_index=True, return_counts=True
        )
        return cls(*np.divmod(keys, len(rows)), squared[there][found], times)


def pair_links(lower: Integers, higher: Integers, weight: Floats, n_samples: int) -> Links:
    """Links from the lower to the higher row of sorted pairs, each with its weight."""
    offsets = np.searchsorted(lower, np.arange(n_samples + 1))
    return Links(np.arange(n_samples), offsets, higher, weight)
