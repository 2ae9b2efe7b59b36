"""Local learning: every sample predicted by ridge regressions on its neighbours.

A function y on the samples is smooth if a regression on the neighbours predicts its value at each
sample.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from featrank.neighbours.columns import Floats, Ranges
from featrank.neighbours.eigenvectors import lanczos, symmetric_factors
from featrank.neighbours.graph import nearest_rows
from featrank.neighbours.neighbourhoods import centred_products, with_own
from featrank.neighbours.pairs import Integers

# Maximum number of samples for storing all products, and for using a dense solver.
HELD, DENSE_UP_TO = 4000, 500
# Number of values processed at a time.
VALUES = 2**18
# Eigenvalues that differ by less than this fraction of the largest are ties. This many more than
# requested are computed to find ties.
SAME, MORE = 1e-9, 4
# Vectors in memory during the search for eigenvectors of many samples, and its restarts before the
# matrix is factored.
BASIS, RESTARTS = 80, 30
# Added to the diagonal of that singular matrix, relative to its largest eigenvalue.
SHIFT = 1e-8


class LocalLearning(NamedTuple):
    """Regressions at all samples: rows of their neighbours, inverses (K + I/β)⁻¹, predictions A."""

    neighbour: Integers
    inverse: Floats
    predicted: Any

    @classmethod
    def of(cls, X: Floats, k: int, beta: float) -> LocalLearning:
        """Regress on the k nearest rows of X, and more if the neighbour graph is disconnected."""
        table = X @ X.T if len(X) <= HELD else None
        neighbour = joined_rows(X, table, min(k, len(X) - 1))
        size = neighbour.shape[1]
        inverse = np.empty((len(X), size, size))
        weight = np.empty((len(X), size))
        for own, products in _among(X, table, with_own(neighbour)):
            centred = _about_neighbours(products)
            inverse[own] = np.linalg.inv(centred[:, 1:, 1:] + np.eye(size) / beta)
            weight[own] = 1 / size + np.einsum("ij,ijk->ik", centred[:, 0, 1:], inverse[own])
        return cls(neighbour, inverse, _sparse(weight, neighbour))

    def smoothest(self, count: int) -> tuple[Floats, Floats]:
        """Return the ``count`` smallest eigenvalues of (I - A)ᵀ(I - A), and their vectors.

        The constant function, whose eigenvalue is 0, is left out. Vectors of ties with the last
        eigenvalue are included, so that there may be more than ``count``.
        """
        from scipy.sparse import eye_array

        error = eye_array(len(self.neighbour), format="csr") - self.predicted
        count = min(count, len(self.neighbour) - 1)
        values, vectors, largest = _least(error, min(count + MORE, len(self.neighbour) - 1))
        kept = values <= values[count - 1] + SAME * largest
        return np.maximum(values[:count], 0.0), vectors[:, kept]

    def slopes(self, y: Floats) -> Any:
        """Return U, sparse: the coefficients of the regressions of y are the rows of UX."""
        local = y[self.neighbour]
        local = local - local.mean(axis=1, keepdims=True)
        return _sparse(np.einsum("ijk,ik->ij", self.inverse, local), self.neighbour)


def learning_bytes(n_samples: int, k: int) -> int:
    """Return the bytes needed, including a disconnected neighbour graph."""
    size = 2 * min(k, n_samples) + 1
    held = 2 * n_samples**2 if n_samples <= HELD else 0
    # Inverses, and the squared error matrix with its indices and factors.
    return 8 * (held + 5 * n_samples * size**2 + 3 * VALUES)


def joined_rows(X: Floats, table: Floats | None, k: int) -> Integers:
    """Return the k nearest other rows of each row, and more if the graph is disconnected.

    Until the graph is connected, every row gets its k nearest rows outside its own component, or as
    many as there are outside the largest component.
    """
    from scipy.sparse.csgraph import connected_components

    if table is None:
        neighbour = nearest_rows(X, Ranges.of(X, 1), k, 1)
    else:
        neighbour = _nearest_outside(X, table, np.arange(len(X)), k)
    while True:
        links = _sparse(np.ones(neighbour.shape), neighbour)
        parts, part = connected_components(links, directed=False)
        if parts == 1:
            return neighbour
        count = min(k, len(X) - int(np.bincount(part).max()))
        neighbour = np.hstack([neighbour, _nearest_outside(X, table, part, count)])


def _nearest_outside(X: Floats, table: Floats | None, part: Integers, count: int) -> Integers:
    nearest = np.empty((len(X), count), np.int64)
    length = np.einsum("ij,ij->i", X, X)
    for own in _blocks(len(X), len(X)):
        distance = length - 2 * (X[own] @ X.T if table is None else table[own])
        distance[part[own, np.newaxis] == part] = np.inf
        nearest[own] = np.argpartition(distance, count - 1, axis=1)[:, :count]
    return nearest


def _blocks(rows: int, width: int) -> Iterator[slice]:
    height = max(1, VALUES // width)
    return (slice(start, min(start + height, rows)) for start in range(0, rows, height))


def _among(X: Floats, table: Floats | None, members: Integers) -> Iterator[tuple[slice, Floats]]:
    """Yield products of the members, several neighbourhoods at a time."""
    if table is None:
        yield from centred_products(X, members)
        return
    for own in _blocks(len(members), members.shape[1] ** 2):
        some = members[own]
        yield own, table[some[:, :, np.newaxis], some[:, np.newaxis]]


def _about_neighbours(products: Floats) -> Floats:
    """Return products of samples centred by the mean of all but the first."""
    products = products - products[:, 1:].mean(axis=1, keepdims=True)
    return products - products[:, :, 1:].mean(axis=2, keepdims=True)


def _sparse(values: Floats, neighbour: Integers) -> Any:
    """Return a sparse matrix of the values of each row at its neighbours."""
    from scipy.sparse import csr_array

    rows, size = neighbour.shape
    offsets = np.arange(0, rows * size + 1, size)
    return csr_array((values.ravel(), neighbour.ravel(), offsets), (rows, rows))


def _least(error: Any, count: int) -> tuple[Floats, Floats, float]:
    """Return the smallest eigenvalues of the squared error without the constant, and a bound."""
    from scipy.sparse.linalg import ArpackNoConvergence

    square = (error.T @ error).tocsr()
    largest = float(abs(square).sum(axis=1).max())
    if square.shape[0] <= max(DENSE_UP_TO, 4 * count):
        values, vectors = _by_a_table(square, largest, count)
    else:
        try:
            values, vectors = _by_products(square, largest, count)
        except ArpackNoConvergence:  # for samples along a line or a surface
            values, vectors = _by_factors(square, largest, count)
    order = np.argsort(values, kind="stable")
    return values[order], vectors[:, order], largest


def _by_a_table(square: Any, largest: float, count: int) -> tuple[Floats, Floats]:
    from scipy.linalg import eigh

    # The constant function is moved to the other end of the spectrum.
    table = square.toarray() + largest / square.shape[0]
    values, vectors = eigh(table, subset_by_index=(0, count - 1), overwrite_a=True)
    return values, vectors


def _by_products(square: Any, largest: float, count: int) -> tuple[Floats, Floats]:
    def product(y: Floats) -> Floats:
        return largest * (y - y.mean()) - square @ y

    values, vectors = lanczos(product, square.shape[0], count, basis=BASIS, restarts=RESTARTS)
    return largest - values, vectors


def _by_factors(square: Any, largest: float, count: int) -> tuple[Floats, Floats]:
    """Return the same for graphs with small separators, whose factors have few entries."""
    from scipy.sparse import eye_array

    shift = SHIFT * largest
    factors = symmetric_factors(square + shift * eye_array(square.shape[0]))

    def product(y: Floats) -> Floats:
        image: Floats = factors.solve(y - y.mean())
        return image - image.mean()

    inverse, vectors = lanczos(product, square.shape[0], count, basis=BASIS, restarts=RESTARTS)
    return 1 / inverse - shift, vectors
