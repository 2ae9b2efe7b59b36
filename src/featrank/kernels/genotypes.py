"""Typed wrapper of the kernel for two-bit genotypes."""

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import _featrank

#: Number of two-bit codes.
N_CODES = 4


def genotype_counts(
    packed: NDArray[np.uint8], classes: NDArray[np.integer], n_classes: int
) -> NDArray[np.int32]:
    """Return the counts of each code in each class, of shape (variants, classes, 4).

    ``packed`` has one row per variant and four samples per byte, the first in the lowest bits.
    Samples with a negative class are ignored.
    """
    counts = np.empty((len(packed), n_classes, N_CODES), np.int32)
    own = np.ascontiguousarray(classes, dtype=np.int32)
    _featrank.genotype_counts(np.ascontiguousarray(packed), own, counts)
    return counts
