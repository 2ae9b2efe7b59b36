"""Dominant sets: clusters of a weighted graph as equilibria of replicator dynamics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Shares below this part of the largest one are outside of a dominant set.
MEMBER = 1e-5

# Features with a smaller part of the largest share are left aside while the others evolve.
NEGLIGIBLE = 1e-6


# Exchanges of one dominant set: far more than are needed, and an end in any case.
MOST_MOVES = 100_000


@dataclass(frozen=True)
class Equilibrium:
    """Shares x of the vertices, adding up to 1, and their coherence xᵀWx."""

    shares: Floats
    coherence: float
    n_iter: int

    @property
    def members(self) -> NDArray[np.bool_]:
        """True for the vertices of the dominant set."""
        return self.shares > MEMBER * self.shares.max()


def replicate(weights: Floats, *, tol: float = 1e-6, max_iter: int = 100) -> Equilibrium:
    r"""Let equal shares of all vertices evolve into an equilibrium of the replicator dynamics.

    .. math:: x_i \leftarrow x_i \frac{(Wx)_i}{x^\top W x}

    raises :math:`x^\top W x` with every step. Its tail is slow, so that after ``max_iter`` steps
    exchanges take over, which raise it too and end in a fixed point of the same dynamics: shares
    move from the vertex that earns least, :math:`(Wx)_i`, to the one that earns most. At the end
    no vertex has :math:`(Wx)_i` above :math:`(1 + tol)\, x^\top W x`, and none with a share is
    below :math:`(1 - tol)\, x^\top W x`.

    ``weights`` is symmetric, not negative, and has a diagonal of zeros.

    Examples
    --------
    >>> triangle_and_tail = np.array(
    ...     [[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 0.1], [0, 0, 0.1, 0]], dtype=float
    ... )
    >>> replicate(triangle_and_tail).shares.round(4).tolist()
    [0.3333, 0.3333, 0.3333, 0.0]
    """
    shares, steps = _evolve(weights, tol, max_iter)
    population = _Population(weights, shares)
    while population.coherence > 0 and population.move(tol):
        pass
    return Equilibrium(population.shares, population.coherence, steps + population.moves)


def dominant_sets(
    weights: Floats, *, tol: float = 1e-6, max_iter: int = 100
) -> Iterator[tuple[NDArray[np.int64], int]]:
    """Yield the vertices of one dominant set after the other, each taken off the graph.

    With each set comes the number of steps that it took.

    What is left without any edge comes as sets of one vertex.
    """
    left = np.arange(len(weights))
    while len(left) > 1:
        found = replicate(weights[np.ix_(left, left)], tol=tol, max_iter=max_iter)
        if found.coherence <= 0:
            break
        yield left[found.members], found.n_iter
        left = left[~found.members]
    for vertex in left:
        yield np.array([vertex]), 0


def _evolve(weights: Floats, tol: float, max_iter: int) -> tuple[Floats, int]:
    """Return the shares after replicator steps from equal shares, and how many steps."""
    n_vertices = len(weights)
    active, part = np.arange(n_vertices), weights
    shares = np.full(n_vertices, 1 / n_vertices)
    steps = 0
    while steps < max_iter:
        payoff = part @ shares
        coherence = shares @ payoff
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


class _Population:
    """Shares that move from one vertex to another, in O(n) a step."""

    def __init__(self, weights: Floats, shares: Floats):
        self.weights = weights
        self.shares = shares
        self.moves = 0
        self._measure()

    def _measure(self) -> None:
        self.payoff = self.weights @ self.shares
        self.coherence = float(self.shares @ self.payoff)

    def move(self, tol: float) -> bool:
        """Move shares from the worst vertex to the best; False at equilibrium."""
        alive = np.flatnonzero(self.shares)
        best = int(np.argmax(self.payoff))
        worst = int(alive[np.argmin(self.payoff[alive])])
        gap = self.payoff[best] - self.payoff[worst]
        if gap <= tol * self.coherence or self.moves == MOST_MOVES:
            return False
        step, room = self.shares[worst], 2 * self.weights[best, worst]
        if gap < step * room:
            step = gap / room
        self._shift(worst, best, step)
        return True

    def _shift(self, worst: int, best: int, step: float) -> None:
        """Move shares; xᵀWx is a parabola in the step, whose top has a closed form."""
        self.shares[best] += step
        self.shares[worst] -= step  # exactly 0 where all of it goes
        self.payoff += step * (self.weights[best] - self.weights[worst])
        self.moves += 1
        if self.moves % 1000:
            self.coherence = float(self.shares @ self.payoff)
        else:
            self._measure()  # leaves the roundings of many steps behind
