"""Feature importances in forests of randomised trees, which only use the order of values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils import threads
from featrank.kernels import forest as kernels

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]

# Trees per block: few enough to balance threads, and enough to outweigh the overhead.
TREES = 16
# Number of values of X ranked at a time.
VALUES = 2**18


def ordered_codes(X: NDArray[Any]) -> Codes:
    """Return for each feature (row) the dense ranks of the samples.

    Examples
    --------
    >>> ordered_codes(np.array([[3.0, 1.0], [-7.0, 1.0], [3.0, 0.0]]))
    array([[1, 0, 1],
           [1, 1, 0]], dtype=int32)
    """
    n_samples, n_features = X.shape
    codes = np.empty((n_features, n_samples), np.int32)
    for block in threads.blocks(n_features, max(VALUES // n_samples, 1)):
        columns = np.ascontiguousarray(X[:, block].T)
        order = np.argsort(columns, axis=1)
        ranked = np.take_along_axis(columns, order, axis=1)
        steps = np.zeros(ranked.shape, np.int32)
        np.cumsum(ranked[:, 1:] != ranked[:, :-1], axis=1, out=steps[:, 1:])
        np.put_along_axis(codes[block], order, steps, axis=1)
    return codes


def class_target(y: NDArray[np.intp]) -> Floats:
    """Return a target whose variance reduction is the reduction of the Gini index."""
    indicators = (y[:, np.newaxis] == np.arange(y.max() + 1)).astype(np.float64)
    # With two classes, one indicator suffices.
    return np.ascontiguousarray(indicators[:, 1:]) if indicators.shape[1] == 2 else indicators


def regression_leaf_target(y: Floats) -> Floats:
    """Return a regression target, scaled so that no square overflows."""
    centred = y / np.abs(y).max()
    centred -= centred.mean()
    return centred[:, np.newaxis]


def forest_importances(
    codes: Codes,
    target: Floats,
    seeds: NDArray[np.uint64],
    *,
    depth: int | None,
    n_jobs: int | None,
) -> Floats:
    """Return the mean decrease in impurity of each feature, normalised to sum to 1.

    Without splits all are 0. As in scikit-learn, each node considers the square root of the number
    of features, and trees have equal weights.
    """
    tried = max(1, int(np.sqrt(len(codes))))

    def work(block: slice) -> tuple[Floats, int]:
        return kernels.grow_trees(codes, target, seeds[block], tried=tried, depth=depth)

    parts = threads.map_blocks(work, len(seeds), TREES, n_jobs)
    total = np.sum([part for part, _ in parts], axis=0)
    grown = sum(count for _, count in parts)
    return total / grown if grown else total
