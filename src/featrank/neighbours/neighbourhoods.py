"""Neighbourhoods: each sample with its nearest samples, and products within them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from featrank.neighbours.columns import Floats
from featrank.neighbours.pairs import Integers

# Number of values processed at a time.
VALUES = 2**22


def with_own(neighbour: Integers) -> Integers:
    """Each row's own number before those of its neighbours."""
    return np.column_stack([np.arange(len(neighbour)), neighbour])


def centred_products(X: Floats, members: Integers) -> Iterator[tuple[slice, Floats]]:
    """Yield products of centred samples, several neighbourhoods at a time."""
    height = max(1, VALUES // max(1, members.shape[1] * X.shape[1]))
    for start in range(0, len(members), height):
        block = slice(start, min(start + height, len(members)))
        local = X[members[block]]
        local -= local.mean(axis=1, keepdims=True)
        yield block, local @ local.transpose(0, 2, 1)


def scattered(blocks: Floats, members: Integers, n_samples: int) -> Any:
    """Sparse sum of square blocks, each at the rows and columns of its members."""
    from scipy.sparse import coo_array

    size = members.shape[1]
    rows, columns = np.repeat(members, size, axis=1), np.tile(members, size)
    ends = rows.ravel(), columns.ravel()
    return coo_array((blocks.ravel(), ends), (n_samples, n_samples)).tocsr()
