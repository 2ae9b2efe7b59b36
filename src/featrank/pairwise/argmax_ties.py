"""The best of many candidates, with ties broken by relevance."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from featrank._utils import threads
from featrank.kernels import Floats
from featrank.kernels.contingency import Indices

# Values of the candidates per kernel call, and the fraction that a step of a lazy search
# reads: one in four to one in eight on several datasets.
CALL_VALUES = 2**26
LAZINESS = 4


def first_of_largest(values: Floats, relevance: Floats) -> int:
    """Return the index of the largest value. Ties go to the most relevant, then to the first.

    Examples
    --------
    >>> first_of_largest(np.array([1.0, 3.0, 3.0, 3.0]), np.array([9.0, 1.0, 2.0, 2.0]))
    2
    """
    ties = np.flatnonzero(values == values.max())
    return int(ties[np.argmax(relevance[ties])])


def best_of_blocks(
    best_of: Callable[[Indices], tuple[int, float]],
    relevance: Floats,
    candidates: Indices,
    cost: int,
    n_jobs: int | None,
) -> tuple[int, float]:
    """Return the index and value of the best candidate, from the best of each block.

    ``best_of`` returns the best of some candidates. ``cost`` is the largest number of values read
    per candidate.
    """

    def work(block: slice) -> tuple[float, float, int]:
        place, value = best_of(candidates[block])
        place += block.start
        return value, relevance[candidates[place]], -place

    size, width = len(candidates), max(1, CALL_VALUES // max(cost, 1))
    width = threads.shared_width(size, width, cost // LAZINESS, n_jobs)
    value, _, place = max(threads.map_blocks(work, size, width, n_jobs))
    return -place, value
