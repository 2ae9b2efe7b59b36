"""The power iteration v ← A·v / |A·v| from equal weights, one step at a time."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from featrank import kernels
from featrank.graph.edges import Graph, LargestOfTwo, RankOne, WeightedSum
from featrank.kernels import Floats, Levelled


class PowerIteration(Protocol):
    """A unit vector v that converges to the leading eigenvector of scale·A."""

    scale: float

    def advance(self, shift: float) -> tuple[float, float, float]:
        """Move on to A·v + shift·v, and return λ = v·A·v, its norm and |A·v - λ·v|.

        If A·v is 0, v does not change.
        """

    def scores(self) -> Floats:
        """Return the absolute values of v."""


def power_iteration(graph: Graph) -> PowerIteration:
    """Return the fastest iteration for a graph."""
    levelled = _levelled(graph)
    return OnAnyGraph(graph) if levelled is None else OnLevels(levelled)


class OnAnyGraph:
    """Products by the graph's own method, and two passes to measure and scale them."""

    def __init__(self, graph: Graph):
        self._graph = graph
        self._vector = np.full(graph.size, 1 / np.sqrt(graph.size))
        self._image = graph.product(self._vector)
        self._fresh = True
        self.scale = _safe_scale(_largest(self._image))
        if self.scale != 1:
            self._image *= self.scale

    def advance(self, shift: float) -> tuple[float, float, float]:
        """Move on by one step."""
        if not self._fresh:
            self._graph.add_product(self._vector, self.scale, self._image)
        self._fresh = False
        return kernels.advance(self._image, self._vector, shift)

    def scores(self) -> Floats:
        """Return the absolute values of v."""
        return np.abs(self._vector, out=self._vector)


class OnLevels:
    """Rank-one terms and ascending levels, all nonnegative: a step is a single pass."""

    def __init__(self, graph: Levelled):
        size = len(graph.level)
        terms = zip(graph.weights, graph.left, graph.right, strict=False)
        heaviest = [weight * left.max() * right.max() for weight, left, right in terms]
        self.scale = _safe_scale(max(*heaviest, graph.weights[-1] * graph.level[-1]))
        self._graph = graph._replace(weights=self.scale * graph.weights)
        self._vector, self._factor = np.full(size, 1 / np.sqrt(size)), 1.0
        self._products = np.array(
            [kernels.dot(right, self._vector) for right in (*graph.right, graph.level)]
        )
        self._eigenvalue = 0.0

    def advance(self, shift: float) -> tuple[float, float, float]:
        """Move on by one step."""
        self._eigenvalue, length, error = kernels.levelled_step(
            *self._graph, self._vector, self._products, self._factor, shift, self._eigenvalue
        )
        self._factor = 1 / length
        return self._eigenvalue, length, error

    def scores(self) -> Floats:
        """Return the values of v, which are not negative."""
        self._vector *= self._factor
        return self._vector


def _levelled(graph: Graph) -> Levelled | None:
    """Return a sum of relevance and spread in the form for a single pass, or None.

    It is None for other graphs, and if a product might be 0: the levels need a positive weight, and
    no weight may be negative.
    """
    terms = graph.terms if isinstance(graph, WeightedSum) else []
    ones = [(factor, term) for factor, term in terms if isinstance(term, RankOne)]
    spreads = [(factor, term) for factor, term in terms if isinstance(term, LargestOfTwo)]
    if len(ones) not in (1, 2) or len(spreads) != 1 or len(terms) > len(ones) + 1:
        return None
    [(weight, spread)] = spreads
    vectors = [spread.level[:1], *(side for _, one in ones for side in (one.left, one.right))]
    factors = np.array([*(factor for factor, _ in ones), weight])
    if not spread.ascending or weight * spread.level[-1] <= 0:
        return None
    if min(factors.min(), *(vector.min() for vector in vectors)) < 0:
        return None
    left, right = ([getattr(one, side) for _, one in ones] for side in ("left", "right"))
    return Levelled(_table(left), _table(right), spread.level, factors)


def _table(rows: list[Floats]) -> Floats:
    """Return the rows as a matrix, without a copy if there is only one."""
    return rows[0][np.newaxis] if len(rows) == 1 else np.stack(rows)


def _largest(values: Floats) -> float:
    return float(max(values.max(), -values.min()))


def _safe_scale(largest: float) -> float:
    """Return a factor for weights of at most this size, so that squares do not underflow."""
    return 1.0 if largest == 0 or 1e-100 < largest < 1e100 else float(1 / largest)
