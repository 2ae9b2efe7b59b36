"""All pairs of samples and their distances, in chunks, without a full distance matrix."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from featrank._utils.progress import tracked
from featrank.kernels.neighbours import Links
from featrank.neighbours.columns import Floats, Matrix
from featrank.neighbours.gram import link_distances

# Pairs, and values of pairs, of a chunk.
PAIRS, VALUES = 2**18, 2**31
# Both indices, a squared distance and a weight.
BYTES_OF_A_PAIR = 64


def all_pairs(X: Matrix, unit: float, n_jobs: int | None) -> Iterator[tuple[Links, Floats]]:
    """Yield links of rows to all later rows, and squared distances in units of ``unit``."""
    scale = np.full(X.shape[1], 1 / unit)
    for rows in tracked(_chunks(*X.shape)):
        links = _onward(rows, len(X))
        yield links, link_distances(X, links, scale, n_jobs, square=True)


def pair_bytes(n_samples: int) -> int:
    """Return the size of a chunk in bytes."""
    return BYTES_OF_A_PAIR * min(n_samples**2 // 2, PAIRS + n_samples)


def _chunks(n_samples: int, n_features: int) -> list[slice]:
    """Split the rows so that all chunks have about the same number of pairs."""
    most = max(min(PAIRS, VALUES // n_features), 1)
    pairs = np.arange(n_samples - 1, 0, -1)
    starts = np.flatnonzero(np.diff((np.cumsum(pairs) - pairs) // most, prepend=-1)).tolist()
    return [slice(a, b) for a, b in zip(starts, [*starts[1:], n_samples - 1], strict=True)]


def _onward(rows: slice, n_samples: int) -> Links:
    own = np.arange(rows.start, rows.stop)
    offsets = np.concatenate([[0], np.cumsum(n_samples - 1 - own)])
    later = np.concatenate([np.arange(row + 1, n_samples) for row in own])
    return Links(own, offsets, later, np.ones(len(later)))
