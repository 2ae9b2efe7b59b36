"""Nearest neighbours of few samples with many features, by products of all pairs of samples.

|x - z|² = x·x + z·z - 2x·z in single precision rules most pairs out; the others are measured
exactly. So the answer is that of measuring every pair.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from featrank.engines import local
from featrank.kernels import neighbours as kernels
from featrank.kernels.neighbours import GRAM_TERMS, Links
from featrank.progress import tracked

from .columns import Floats, Matrix

Integers = NDArray[np.int64]

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


def nearest_by_products(
    X: Matrix, middle: Floats, unit: float, k: int, n_jobs: int | None
) -> tuple[Integers, Floats]:
    """The k nearest other rows of each, and squared distances in units of ``unit``.

    Equally near rows go by number. Where a row has fewer others, -1 and infinity fill up.
    """
    lower, higher = _candidates(_products(X, middle, unit, n_jobs), X.shape[1], k)
    squared = _measured(X, lower, higher, unit, n_jobs)
    row, other = np.concatenate([lower, higher]), np.concatenate([higher, lower])
    squared = np.tile(squared, 2)
    order = np.lexsort((other, squared, row))
    first = np.searchsorted(row[order], np.arange(len(X)))
    place = np.arange(len(order)) - first[row[order]]
    order, place = order[place < k], place[place < k]
    neighbour = np.full((len(X), min(k, len(X))), -1)
    distance = np.full(neighbour.shape, np.inf)
    neighbour[row[order], place] = other[order]
    distance[row[order], place] = squared[order]
    return neighbour, distance


def _products(X: Matrix, middle: Floats, unit: float, n_jobs: int | None) -> Floats:
    """Products of the rows less ``middle``, in units of ``unit``; i ≤ h only."""
    table, width = np.zeros((len(X), len(X))), _width(X)
    span = width * int(np.clip(ENTRIES // table.size, LEAST_CALLS, MOST_CALLS))
    for start in tracked(range(0, X.shape[1], span)):
        part, centre = X[:, start : start + span], middle[start : start + span]

        def work(block: slice, part: Matrix = part, centre: Floats = centre) -> Floats:
            return kernels.gram(part[:, block], centre[block], 1 / unit)

        for products in local.map_blocks(work, part.shape[1], width, n_jobs):
            table += products
    return table


def _width(X: Matrix) -> int:
    return int(np.clip(-(-X.shape[1] // 4), LEAST_WIDTH, MOST_WIDTH))


def _candidates(products: Floats, n_features: int, k: int) -> tuple[Integers, Integers]:
    """Pairs of rows (the lower first) of which one may be among the k nearest of the other."""
    size = np.diagonal(products).copy()
    sizes = size[:, np.newaxis] + size
    upper = np.triu(products, 1)
    squared = sizes - 2 * (upper + upper.T)
    np.fill_diagonal(squared, np.inf)
    error = RELATIVE * sizes + n_features * UNDERFLOW
    if k < len(products) - 1:
        limit = np.partition(squared + error, k - 1, axis=1)[:, k - 1]
        near = squared - error <= limit[:, np.newaxis]
    else:
        near = ~np.eye(len(products), dtype=bool)
    lower, higher = np.nonzero(np.triu(near | near.T, 1))
    return np.ascontiguousarray(lower), np.ascontiguousarray(higher)


def _measured(
    X: Matrix, lower: Integers, higher: Integers, unit: float, n_jobs: int | None
) -> Floats:
    """Exact squared distances of the pairs, which are sorted by ``lower``."""
    offsets = np.searchsorted(lower, np.arange(len(X) + 1))
    scale = np.full(X.shape[1], 1 / unit)
    links = Links(np.arange(len(X)), offsets, higher, np.ones(len(higher)))

    def work(block: slice) -> Floats:
        return kernels.link_distances(X[:, block], links, scale[block])

    parts = local.map_blocks(work, X.shape[1], _width(X), n_jobs)
    return np.sum(parts, axis=0)
