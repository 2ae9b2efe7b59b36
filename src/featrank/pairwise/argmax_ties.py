"""The best of many candidates."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from featrank._utils import threads
from featrank.kernels import Floats
from featrank.kernels.contingency import Indices

# Values of the candidates of one call of a kernel, and which part of them a step of a lazy search
# has to read: one in four to one in eight on several data sets.
CALL_VALUES = 2**26
LAZINESS = 4


def first_of_largest(values: Floats, relevance: Floats) -> int:
    """Place of the largest value; ties go to the most relevant, then to the first.

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
    """Find the best candidate of each block, and return place and value of the overall best.

    ``best_of`` does so for some candidates; ``cost`` is what one costs at worst, in values read.
    """

    def work(block: slice) -> tuple[float, float, int]:
        place, value = best_of(candidates[block])
        place += block.start
        return value, relevance[candidates[place]], -place

    size, width = len(candidates), max(1, CALL_VALUES // max(cost, 1))
    width = threads.shared_width(size, width, cost // LAZINESS, n_jobs)
    value, _, place = max(threads.map_blocks(work, size, width, n_jobs))
    return -place, value
