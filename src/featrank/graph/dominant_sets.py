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
    infection and immunisation (Rota Bulò and Bomze 2011) take over, which have the same fixed
    points: shares move to the vertex that gains most, or away from the one that loses most. At
    the end no vertex has :math:`(Wx)_i` above :math:`(1 + tol)\, x^\top W x`, and none with a
    share is below :math:`(1 - tol)\, x^\top W x`.

    ``weights`` is symmetric, not negative, and has a diagonal of zeros.

    Examples
    --------
    >>> triangle_and_tail = np.array(
    ...     [[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 0.1], [0, 0, 0.1, 0]], dtype=float
    ... )
    >>> replicate(triangle_and_tail).shares.round(6).tolist()
    [0.333333, 0.333333, 0.333333, 0.0]
    """
    shares, steps = _evolve(weights, tol, max_iter)
    state = _Population(weights, shares)
    while state.coherence > 0 and state.move(tol):
        steps += 1
    return Equilibrium(state.shares, state.coherence, steps)


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
    """Shares that move towards one vertex or away from one, in O(n) a step."""

    def __init__(self, weights: Floats, shares: Floats):
        self.weights = weights
        self.shares = shares
        self.payoff = weights @ shares
        self.coherence = float(shares @ self.payoff)

    def move(self, tol: float) -> bool:
        """Take the step that gains most; False where none gains more than ``tol``."""
        alive = np.flatnonzero(self.shares)
        best = int(np.argmax(self.payoff))
        worst = int(alive[np.argmin(self.payoff[alive])])
        gain, loss = self.payoff[best] - self.coherence, self.coherence - self.payoff[worst]
        if max(gain, loss) <= tol * self.coherence:
            return False
        if gain >= loss:
            self._shift(best, gain / (2 * self.payoff[best] - self.coherence))
        else:
            self._immunise(worst, loss)
        self.coherence = float(self.shares @ self.payoff)
        return True

    def _immunise(self, worst: int, loss: float) -> None:
        most = self.shares[worst] / (1 - self.shares[worst])
        curvature = 2 * self.payoff[worst] - self.coherence
        step = min(most, loss / curvature) if curvature > 0 else most
        self._shift(worst, -step)
        if step == most:
            self.shares[worst] = 0.0

    def _shift(self, vertex: int, step: float) -> None:
        """Move the shares by ``step`` towards the vertex; the best step has a closed form."""
        self.shares *= 1 - step
        self.shares[vertex] += step
        self.payoff *= 1 - step
        self.payoff += step * self.weights[vertex]
