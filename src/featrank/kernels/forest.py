"""Random forests, grown for their feature importances."""

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
    """Importances, summed over one tree per seed, and the number of trees with splits.

    Row j of ``values`` has feature j as integers. Only their order matters. Row t of ``target`` has
    the outputs of sample t. Each tree is grown on a bootstrap sample. Each split
    reduces the squared deviations of the target most among ``tried`` features drawn for the node,
    with further features drawn until one varies. The importances of a tree are the reductions by
    the splits on each feature, as fractions of the total.
    """
    importance = np.zeros(len(values))
    return importance, _featrank.grow_trees(values, target, tried, depth or 0, seeds, importance)
