"""Importances of features in forests of randomised trees, which see the order of values alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils import threads
from featrank.kernels import forest as kernels

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]

# Trees of a block: few enough for threads to share, and enough to be worth one.
TREES = 16
# Values of X that are ranked at a time.
VALUES = 2**18


def ordered_codes(X: NDArray[Any]) -> Codes:
    """Return for each feature (row) the places of the samples in its order; ties share one.

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
    """Return what trees reduce the deviations of, so that they reduce Gini's index of classes."""
    indicators = (y[:, np.newaxis] == np.arange(y.max() + 1)).astype(np.float64)
    # The indicator of one of two classes determines that of the other.
    return np.ascontiguousarray(indicators[:, 1:]) if indicators.shape[1] == 2 else indicators


def regression_leaf_target(y: Floats) -> Floats:
    """Return the same for a regression target, in a unit in which no square overflows."""
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
    """Return the mean decrease of impurity by each feature, as shares; all 0 without splits.

    As in scikit-learn: each node considers the square root of the number of features, and
    trees have equal weights.
    """
    tried = max(1, int(np.sqrt(len(codes))))

    def work(block: slice) -> tuple[Floats, int]:
        return kernels.grow_trees(codes, target, seeds[block], tried=tried, depth=depth)

    parts = threads.map_blocks(work, len(seeds), TREES, n_jobs)
    total = np.sum([part for part, _ in parts], axis=0)
    grown = sum(count for _, count in parts)
    return total / grown if grown else total
