"""Near pairs of few samples with many features, by products of all pairs of samples.

|x - z|² = x·x + z·z - 2x·z in single precision rules most pairs out; the others are measured
exactly. So the answer is that of measuring every pair.
"""

from __future__ import annotations

import numpy as np

from featrank.engines import local
from featrank.kernels import neighbours as kernels
from featrank.kernels.neighbours import GRAM_TERMS, Links
from featrank.progress import tracked

from .columns import Floats, Matrix, map_columns
from .pairs import Pairs

# A product of two rows is off by at most (terms + 3)·2⁻²⁴ of that of their lengths: two
# roundings of the values, one of the product, one for each term of a sum. Four of them make
# up a squared distance, and 2|x||z| ≤ |x|² + |z|².
RELATIVE = 2 * (GRAM_TERMS + 8) * 2.0**-24
# Far more than what a value, or a product, loses where single precision has no normal numbers.
UNDERFLOW = 2.0**-110
# Columns of one call.
LEAST_WIDTH, MOST_WIDTH = 512, 2048
# Calls between two reports of progress, and entries that their tables may have together.
LEAST_CALLS, MOST_CALLS, ENTRIES = 4, 16, 2**22


def pairs_by_products(X: Matrix, middle: Floats, unit: float, k: int, n_jobs: int | None) -> Pairs:
    """Pairs of rows near each other, and squared distances in units of ``unit``.

    Equally near rows go by number.
    """
    products = _products(X, middle, unit, n_jobs)
    lower, higher = kernels.possible_pairs(products, k, RELATIVE, X.shape[1] * UNDERFLOW)
    offsets = np.searchsorted(lower, np.arange(len(X) + 1))
    links = Links(np.arange(len(X)), offsets, higher, np.ones(len(higher)))
    squared = _measured(X, links, unit, n_jobs)
    times = kernels.count_near(links, squared, len(X), k)
    near = times > 0
    return Pairs(lower[near], higher[near], squared[near], times[near])


def _products(X: Matrix, middle: Floats, unit: float, n_jobs: int | None) -> Floats:
    """Products of the rows less ``middle``, in units of ``unit``; i ≤ h only."""
    table, width = np.zeros((len(X), len(X))), _width(X)
    span = width * min(max(ENTRIES // table.size, LEAST_CALLS), MOST_CALLS)
    for start in tracked(range(0, X.shape[1], span)):
        part, centre = X[:, start : start + span], middle[start : start + span]

        def work(block: slice, part: Matrix = part, centre: Floats = centre) -> Floats:
            return kernels.gram(part[:, block], centre[block], 1 / unit)

        for products in local.map_blocks(work, part.shape[1], width, n_jobs):
            table += products
    return table


def _measured(X: Matrix, links: Links, unit: float, n_jobs: int | None) -> Floats:
    """Exact squared distances of the links' ends."""
    scale = np.full(X.shape[1], 1 / unit)

    def work(block: slice) -> Floats:
        return kernels.link_distances(X[:, block], links, scale[block])

    return np.sum(map_columns(work, X.shape, n_jobs), axis=0)


def _width(X: Matrix) -> int:
    return min(max(-(-X.shape[1] // 4), LEAST_WIDTH), MOST_WIDTH)
