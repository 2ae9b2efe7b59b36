"""Dominant sets: clusters of a weighted graph as equilibria of replicator dynamics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from featrank._utils import threads
from featrank.kernels import Floats, dot
from featrank.kernels import replicator as kernels

# Vertices with a share below this fraction of the largest are not in the dominant set.
MEMBER = 1e-5

# Features with a share below this fraction of the largest are skipped in replicator steps.
NEGLIGIBLE = 1e-6

# Maximum number of exchanges per dominant set, far more than needed, and number of exchanges
# between two computations of the payoffs.
MOST_MOVES = 100_000
MEASURED = 1000

# A product is split into at most MOST_BANDS parts, of at least BAND_WEIGHTS weights each.
MOST_BANDS = 4
BAND_WEIGHTS = 2**19

# Rows of the graph that are moved at a time.
ROWS = 64


@dataclass(frozen=True)
class Equilibrium:
    """Shares x of the vertices, adding up to 1, and their coherence xᵀWx."""

    shares: Floats
    coherence: float
    n_iter: int

    @property
    def members(self) -> NDArray[np.bool_]:
        """Mask of the vertices in the dominant set."""
        return self.shares > MEMBER * self.shares.max()


def replicate(
    weights: Floats, *, tol: float = 1e-6, max_iter: int = 100, n_jobs: int | None = None
) -> Equilibrium:
    r"""Run replicator dynamics from equal shares of all vertices to an equilibrium.

    .. math:: x_i \leftarrow x_i \frac{(Wx)_i}{x^\top W x}

    raises :math:`x^\top W x` with every step. Convergence is slow near the end. After ``max_iter``
    steps, shares are moved from the vertex with the smallest payoff :math:`(Wx)_i` to the one with
    the largest, which also raises the objective and ends in a fixed point of the same dynamics. At
    the end no vertex has :math:`(Wx)_i` above :math:`(1 + tol)\, x^\top W x`, and none with a share
    is below :math:`(1 - tol)\, x^\top W x`.

    ``weights`` is symmetric, not negative, and has a diagonal of zeros.

    Examples
    --------
    >>> triangle_and_tail = np.array(
    ...     [[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 0.1], [0, 0, 0.1, 0]], dtype=float
    ... )
    >>> replicate(triangle_and_tail).shares.round(4).tolist()
    [0.3333, 0.3333, 0.3333, 0.0]
    """
    shares, steps = _evolve(weights, tol, max_iter, n_jobs)
    coherence, moves = _settle(weights, shares, tol, n_jobs)
    return Equilibrium(shares, coherence, steps + moves)


def dominant_sets(
    weights: Floats, *, tol: float = 1e-6, max_iter: int = 100, n_jobs: int | None = None
) -> Iterator[tuple[NDArray[np.int64], int]]:
    """Yield the vertices of dominant sets, each removed from the graph, and their number of steps.

    Vertices without edges are sets of one vertex. The weights are overwritten.
    """
    left = np.arange(len(weights))
    while len(left) > 1:
        found = replicate(weights, tol=tol, max_iter=max_iter, n_jobs=n_jobs)
        if found.coherence <= 0:
            break
        yield left[found.members], found.n_iter
        weights = _without(weights, np.flatnonzero(~found.members))
        left = left[~found.members]
    for vertex in left:
        yield np.array([vertex]), 0


def _evolve(weights: Floats, tol: float, max_iter: int, n_jobs: int | None) -> tuple[Floats, int]:
    """Return the shares after replicator steps from equal shares, and the number of steps."""
    n_vertices = len(weights)
    active, part = np.arange(n_vertices), weights
    shares = np.full(n_vertices, 1 / n_vertices)
    steps = 0
    while steps < max_iter:
        payoff = _payoff(part, shares, n_jobs)
        coherence = dot(shares, payoff)
        if coherence <= 0 or np.all(shares * np.abs(payoff - coherence) <= tol * coherence):
            break
        shares = shares * payoff / coherence
        steps += 1
        keep = shares > NEGLIGIBLE * shares.max()
        if np.count_nonzero(keep) < 0.7 * len(keep):
            active, shares = active[keep], shares[keep]
            part = weights[np.ix_(active, active)]
        shares /= shares.sum()
    result = np.zeros(n_vertices)
    result[active] = shares
    return result, steps


def _settle(weights: Floats, shares: Floats, tol: float, n_jobs: int | None) -> tuple[float, int]:
    """Exchange shares until equilibrium, and return the coherence and the number of moves."""
    moves = 0
    while True:
        # Recomputed, which removes the rounding errors of many moves.
        payoff = _payoff(weights, shares, n_jobs)
        coherence = dot(shares, payoff)
        most = min(MEASURED, MOST_MOVES - moves)
        if coherence <= 0 or most == 0:
            return coherence, moves
        made, coherence = kernels.exchange(weights, shares, payoff, coherence, tol, most)
        moves += made
        if made < most:
            return coherence, moves


def _payoff(weights: Floats, shares: Floats, n_jobs: int | None) -> Floats:
    """Return Wx. Bands of rows are added in order, independent of the threads."""
    n_vertices = len(shares)
    n_bands = MOST_BANDS if n_vertices**2 > MOST_BANDS * BAND_WEIGHTS else 1
    # Rows of the upper half get shorter, but all bands have about the same number of weights.
    edges = n_vertices * (1 - np.sqrt(1 - np.arange(n_bands + 1) / n_bands))
    edges = np.rint(edges).astype(int).tolist()

    def work(band: slice) -> Floats:
        return kernels.partial_product(weights, shares, slice(edges[band.start], edges[band.stop]))

    return reduce(np.add, threads.map_blocks(work, n_bands, 1, n_jobs))


def _without(weights: Floats, kept: NDArray[np.int64]) -> Floats:
    """Remove vertices from the graph in place. The weights are overwritten."""
    size, memory = len(kept), weights.reshape(-1)
    for rows in threads.blocks(size, ROWS):
        own = memory[rows.start * size : rows.stop * size].reshape(-1, size)
        np.take(weights[kept[rows]], kept, axis=1, out=own, mode="clip")
    return memory[: size * size].reshape(size, size)
