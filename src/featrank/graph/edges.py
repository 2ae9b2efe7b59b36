"""A feature graph as a weighted sum of edge terms, each with a cheap product.

A graph of n features has n × n weights. The terms of EC-FS never store them: each can multiply a
vector in O(n).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank import kernels
from featrank.exceptions import DataError, UsageError
from featrank.kernels import Floats
from featrank.values.containers import refuse_anndata

EDGE = np.dtype([("source", np.int64), ("target", np.int64), ("weight", np.float64)])
BLOCK_CELLS = 2**22


class Graph(ABC):
    """Weights between n features, used through products with vectors.

    Graphs can be added and scaled: ``0.3 * RankOne(f, m) + 0.7 * LargestOfTwo(s)``.
    """

    size: int

    @abstractmethod
    def add_product(self, vector: Floats, weight: float, result: Floats) -> None:
        """Add weight·A·vector to the result, in place."""

    def product(self, vector: Floats) -> Floats:
        """Return A·vector."""
        result = np.zeros(self.size)
        self.add_product(np.ascontiguousarray(vector, dtype=np.float64), 1.0, result)
        return result

    @abstractmethod
    def rows(self, block: slice) -> Floats:
        """Return some rows of A, written out."""

    def to_dense(self) -> Floats:
        """Return A as an n × n array, for small n."""
        return self.rows(slice(0, self.size))

    def strongest_edges(self, top: int) -> NDArray[np.void]:
        """Return the heaviest edges between different features, heaviest first.

        Takes O(n²) time but only the memory of a few blocks of rows. An edge and its reverse count
        as two edges, and both may be listed.

        Parameters
        ----------
        top : int
            Number of edges.

        Returns
        -------
        edges : structured array with fields source, target and weight
            Ties are ordered by source, then target.
        """
        best = np.empty(0, dtype=EDGE)
        height = max(1, BLOCK_CELLS // max(self.size, 1))
        for start in range(0, self.size, height):
            block = slice(start, min(start + height, self.size))
            best = _heaviest(np.concatenate([best, self._edges(block, top, best)]), top)
        return best

    def _edges(self, block: slice, top: int, best: NDArray[np.void]) -> NDArray[np.void]:
        weights = np.array(self.rows(block), dtype=np.float64)
        own = np.arange(block.start, block.stop)
        weights[own - block.start, own] = -np.inf
        floor = best["weight"][-1] if len(best) == top and top else -np.inf
        least = floor
        if 0 < top < weights.size:
            # Only the heaviest edges of the block are sorted, including ties.
            least = np.partition(weights, weights.size - top, axis=None)[-top]
        source, target = np.nonzero((weights > floor) & (weights >= least))
        found = np.empty(len(source), dtype=EDGE)
        found["source"], found["target"] = source + block.start, target
        found["weight"] = weights[source, target]
        return _heaviest(found, top)

    def __add__(self, other: Graph) -> Graph:
        return WeightedSum([(1.0, self), (1.0, other)])

    def __mul__(self, factor: float) -> Graph:
        return WeightedSum([(float(factor), self)])

    __rmul__ = __mul__


def _heaviest(edges: NDArray[np.void], top: int) -> NDArray[np.void]:
    return edges[np.lexsort((edges["target"], edges["source"], -edges["weight"]))[:top]]


class WeightedSum(Graph):
    """Σ_k weight_k · term_k."""

    def __init__(self, terms: list[tuple[float, Graph]]):
        sizes = {term.size for _, term in terms}
        if len(sizes) != 1:
            raise UsageError(
                f"Edge terms must have the same number of features, got {sorted(sizes)}."
            )
        self.terms = terms
        self.size = sizes.pop()

    def add_product(self, vector: Floats, weight: float, result: Floats) -> None:
        """Add weight·A·vector to the result, in place."""
        for factor, term in self.terms:
            if factor:
                term.add_product(vector, weight * factor, result)

    def rows(self, block: slice) -> Floats:
        """Return some rows of A, written out."""
        return sum(
            (weight * term.rows(block) for weight, term in self.terms),
            start=np.zeros((block.stop - block.start, self.size)),
        )


class RankOne(Graph):
    """left_i · right_j, or left_i · left_j if only one vector is given."""

    def __init__(self, left: Floats, right: Floats | None = None):
        self.left = _vector(left)
        self.right = self.left if right is None else _vector(right)
        if len(self.left) != len(self.right):
            raise UsageError(
                f"RankOne needs vectors of equal length, got {len(self.left)} and "
                f"{len(self.right)}."
            )
        self.size = len(self.left)

    def add_product(self, vector: Floats, weight: float, result: Floats) -> None:
        """Add weight·left·(rightᵀ·vector) to the result, in place."""
        kernels.add_scaled(weight * kernels.dot(self.right, vector), self.left, result)

    def rows(self, block: slice) -> Floats:
        """Return some rows of A, written out."""
        return np.multiply.outer(self.left[block], self.right)


class LargestOfTwo(Graph):
    """max(level_i, level_j).

    With the features sorted by level, row i + 1 times v is row i times v plus (level_{i+1} -
    level_i)·Σ_{j ≤ i} v_j: a cumulative sum, O(n) after one sort. Equal levels get identical
    results.
    """

    def __init__(self, level: Floats):
        self.level = _vector(level)
        self.size = len(self.level)
        self.ascending = bool(np.all(self.level[1:] >= self.level[:-1]))
        self._order = None if self.ascending else kernels.argsort(self.level)
        self._sorted = self.level if self._order is None else self.level[self._order]

    def add_product(self, vector: Floats, weight: float, result: Floats) -> None:
        """Add weight·A·vector to the result, in place."""
        if self._order is None:
            kernels.add_largest_of_two(self._sorted, vector, weight, result)
            return
        part = np.zeros(self.size)
        kernels.add_largest_of_two(self._sorted, vector[self._order], weight, part)
        result[self._order] += part

    def rows(self, block: slice) -> Floats:
        """Return some rows of A, written out."""
        return np.maximum.outer(self.level[block], self.level)


class Given(Graph):
    """Precomputed weights: an array or a SciPy sparse matrix."""

    def __init__(self, weights: Any):
        sparse = hasattr(weights, "tocsr")
        weights = weights.tocsr() if sparse else np.asarray(weights, dtype=np.float64)
        if weights.ndim != 2 or weights.shape[0] != weights.shape[1]:
            raise UsageError(
                "A matrix of edges must be square, with one row and column per feature. Got "
                f"shape {weights.shape}."
            )
        if not np.isfinite(weights.data if sparse else weights).all():
            raise DataError(
                "Edges contain NaN or infinity. Use finite weights, and 0 for missing edges."
            )
        self.weights = weights
        self.size = weights.shape[0]

    def add_product(self, vector: Floats, weight: float, result: Floats) -> None:
        """Add weight·A·vector to the result, in place."""
        result += weight * (self.weights @ vector)

    def rows(self, block: slice) -> Floats:
        """Return some rows of A, written out."""
        if isinstance(self.weights, np.ndarray):
            return self.weights[block]
        return self.weights[block].toarray()


def pairwise(X: Any, weight: Callable[[Floats, Floats], float]) -> Given:
    """Return the graph with the weight φ(xᵢ, xⱼ) of each pair of columns of X.

    φ is called once per ordered pair, n² times in total.

    Examples
    --------
    >>> X = np.array([[0.0, 1.0], [2.0, 5.0]])
    >>> pairwise(X, lambda a, b: float(a @ b)).to_dense()
    array([[ 4., 10.],
           [10., 26.]])
    """
    refuse_anndata(X)
    columns = [np.ascontiguousarray(column) for column in np.asarray(X).T]
    return Given(np.array([[float(weight(a, b)) for b in columns] for a in columns]))


def _vector(values: Any) -> Floats:
    vector = np.ascontiguousarray(values, dtype=np.float64)
    if vector.ndim != 1 or not np.isfinite(vector).all():
        raise UsageError(
            "An edge term needs a vector with one finite number per feature. Got "
            f"shape {vector.shape} with {np.count_nonzero(~np.isfinite(vector))} not finite."
        )
    return vector
