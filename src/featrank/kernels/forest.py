"""Forests of randomised trees, grown for the importances of their features."""

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats, _featrank


def grow_trees(
    values: NDArray[np.int32],
    target: Floats,
    seeds: NDArray[np.uint64],
    *,
    tried: int,
    depth: int | None = None,
) -> tuple[Floats, int]:
    """Importances, summed over one tree a seed, and how many trees have splits.

    Row j of ``values`` has feature j: whole numbers, whose order is all that counts; row t of
    ``target`` has the outputs of sample t. Each tree is grown on as many samples, drawn with
    replacement. A node is split where that reduces the squared deviations of the target most,
    among ``tried`` features drawn for this node, and further ones until one varies. The importances
    of a tree are the reductions by the splits on each feature, as shares of the total.
    """
    importance = np.zeros(len(values))
    return importance, _featrank.grow_trees(values, target, tried, depth or 0, seeds, importance)
