"""Near pairs of few samples with many features: all pairs in single precision, a few exactly.

Squared distances are |x - z|² = x·x + z·z - 2x·z, absolute ones sums of |x - z|. What single
precision does not decide is measured, so that the answer is that of measuring every pair.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from featrank._utils import threads
from featrank._utils.progress import tracked
from featrank.kernels import neighbours as kernels
from featrank.kernels.neighbours import GRAM_TERMS, Links, Samples
from featrank.neighbours.columns import Floats, Matrix, map_columns
from featrank.neighbours.pairs import Integers, Pairs, pair_links

# A product of two rows is off by at most (terms + 3)·2⁻²⁴ of that of their lengths: two
# roundings of the values, one of the product, one for each term of a sum. Four such errors make
# up a squared distance, and 2|x||z| ≤ |x|² + |z|².
RELATIVE = 2 * (GRAM_TERMS + 8) * 2.0**-24
# An absolute distance of features in [-1, 1] is off by less than this part of itself, and by this
# much for each feature, whose two values are rounded.
ABSOLUTE = 2.0**-23
# Far more than what a value, or a product, loses where single precision has no normal numbers.
UNDERFLOW = 2.0**-110
# Columns of one call.
LEAST_WIDTH, MOST_WIDTH = 512, 2048
# Calls between two reports of progress, and entries that their tables may have together.
LEAST_CALLS, MOST_CALLS, ENTRIES = 4, 16, 2**22


def pairs_by_products(X: Matrix, middle: Floats, unit: float, k: int, n_jobs: int | None) -> Pairs:
    """Pairs of rows near each other, and squared distances in units of ``unit``.

    Ties between equally near rows go to the lower number.
    """
    scale = np.full(X.shape[1], 1 / unit)
    products = _rough(X, middle, scale, n_jobs, square=True)
    lower, higher = kernels.possible_pairs(products, k, RELATIVE, X.shape[1] * UNDERFLOW)
    links = pair_links(lower, higher, np.ones(len(lower)), len(X))
    squared = link_distances(X, links, scale, n_jobs, square=True)
    times = kernels.count_near(links, squared, len(X), k)
    near = times > 0
    return Pairs(lower[near], higher[near], squared[near], times[near])


def near_distances(samples: Samples, k: int, n_jobs: int | None, *, ordered: bool) -> Floats:
    """Return absolute distances of all positions, from which the k nearest of each class follow.

    Distances that decide which is the k-th are exact, the others rough; with ``ordered`` those of
    all k are exact, so that they can be sorted. Every value must be known.
    """
    X, middle = samples.X, samples.X[0].astype(np.float64)
    table = np.triu(_rough(X, middle, samples.scale, n_jobs, square=False))
    table += table.T
    possible = _possible(table, samples.codes, k, X.shape[1], ordered=ordered)
    lower, higher = np.divmod(np.flatnonzero(np.triu(possible | possible.T, 1)), len(X))
    links = pair_links(lower, higher, np.ones(len(lower)), len(X))
    exact = link_distances(X, links, samples.scale, n_jobs, square=False)
    table[lower, higher] = table[higher, lower] = exact
    return table[np.ix_(samples.order, samples.order)]


def _possible(
    table: Floats, codes: Integers, k: int, n_features: int, *, ordered: bool
) -> NDArray[np.bool_]:
    """Pairs that may be as near as the k-th nearest of a class.

    Unless ``ordered``, only where they are more than k. A rough distance D is off by at most
    ε·D + absolute.
    """
    absolute, result = n_features * ABSOLUTE, np.zeros(table.shape, np.bool_)
    np.fill_diagonal(table, np.inf)
    for code in range(codes.max() + 1):
        columns = np.flatnonzero(codes == code)
        if len(columns) > k:
            part = table[:, columns]
            kth = np.partition(part, k - 1, axis=1)[:, k - 1 : k]
            limit = (kth * (1 + RELATIVE) + 2 * absolute) / (1 - RELATIVE)
            possible = part <= limit
            result[:, columns] = possible & (ordered | (possible.sum(axis=1, keepdims=True) > k))
        else:
            result[:, columns] = ordered
    return result


def _rough(X: Matrix, middle: Floats, scale: Floats, n_jobs: int | None, *, square: bool) -> Floats:
    """Products of the rows of (x - middle)·scale, or absolute distances; valid for i ≤ h only."""
    table, width = np.zeros((len(X), len(X))), _width(X)
    span = width * min(max(ENTRIES // table.size, LEAST_CALLS), MOST_CALLS)
    for start in tracked(range(0, X.shape[1], span)):

        def work(block: slice, start: int = start) -> Floats:
            own = slice(start + block.start, start + block.stop)
            return kernels.gram(X[:, own], middle[own], scale[own], square=square)

        for part in threads.map_blocks(work, min(span, X.shape[1] - start), width, n_jobs):
            table += part
    return table


def link_distances(
    X: Matrix, links: Links, scale: Floats, n_jobs: int | None, *, square: bool
) -> Floats:
    """Exact distances, or their squares, of the links' ends."""

    def work(block: slice) -> Floats:
        return kernels.link_distances(X[:, block], links, scale[block], square=square)

    return np.sum(map_columns(work, X.shape, n_jobs), axis=0)


def _width(X: Matrix) -> int:
    return min(max(-(-X.shape[1] // 4), LEAST_WIDTH), MOST_WIDTH)
