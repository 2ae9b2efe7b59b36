"""Typed wrapper of the kernel for genotypes of two bits."""

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import _featrank

#: Codes of two bits.
N_CODES = 4


def genotype_counts(
    packed: NDArray[np.uint8], classes: NDArray[np.integer], n_classes: int
) -> NDArray[np.int32]:
    """How often each code occurs in each class, of shape (variants, classes, 4).

    ``packed`` has a row a variant and four samples a byte, the first in the lowest bits; samples
    of a negative class take no part.
    """
    counts = np.empty((len(packed), n_classes, N_CODES), np.int32)
    own = np.ascontiguousarray(classes, dtype=np.int32)
    _featrank.genotype_counts(np.ascontiguousarray(packed), own, counts)
    return counts
