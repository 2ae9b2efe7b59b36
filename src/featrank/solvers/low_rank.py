"""Smallest eigenvectors of a diagonal matrix plus a product of features.

The matrix Δ + XᵀBX has one row per feature. With fewer samples than features it is never formed:
products with it and with its inverse are computed from T × T matrices.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from featrank.kernels import Floats

# Largest number of rows for which a dense solver is fastest.
DENSE_UP_TO = 200
# Fraction of the smallest entry of Δ that is subtracted: the smaller the remainder, the faster the
# search.
LEFT_OUT = 0.95
# Tolerance for changes of the eigenvectors, and maximum number of steps.
TOLERANCE, STEPS = 1e-9, 100


class ByFeatures:
    """Δ + XᵀBX as a dense matrix."""

    def __init__(self, product: Floats, diagonal: Floats):
        self.table = product + np.diag(diagonal)
        self.diagonal = self.table.diagonal()
        self._factor: Any = None

    def multiply(self, vectors: Floats) -> Floats:
        """Return the products with the columns."""
        return self.table @ vectors

    def solve(self, vectors: Floats) -> Floats:
        """Return the products of the inverse with the columns."""
        from scipy.linalg import cho_factor, cho_solve

        if self._factor is None:
            self._factor = cho_factor(self.table, check_finite=False)
        return cho_solve(self._factor, vectors, check_finite=False)


class BySamples:
    """Δ + XᵀBX by T × T matrices, where B is sparse and positive semidefinite.

    The inverse is Δ⁻¹ - Δ⁻¹Xᵀ(I + BXΔ⁻¹Xᵀ)⁻¹BXΔ⁻¹.
    """

    def __init__(self, X: Floats, B: Any, product_diagonal: Floats, diagonal: Floats):
        self.X, self.B, self.added = X, B, diagonal
        self.diagonal = product_diagonal + diagonal
        self._middle = np.linalg.solve(np.eye(len(X)) + B @ ((X / diagonal) @ X.T), B.toarray())

    def multiply(self, vectors: Floats) -> Floats:
        """Return the products with the columns."""
        return self.added[:, np.newaxis] * vectors + self.X.T @ (self.B @ (self.X @ vectors))

    def solve(self, vectors: Floats) -> Floats:
        """Return the products of the inverse with the columns."""
        plain = vectors / self.added[:, np.newaxis]
        return plain - (self.X.T @ (self._middle @ (self.X @ plain))) / self.added[:, np.newaxis]


#: Δ + XᵀBX in the smaller of its two forms.
Matrix = ByFeatures | BySamples


def diagonal_plus(
    diagonal: Floats, X: Floats, B: Any, product: Floats | None, product_diagonal: Floats
) -> Matrix:
    """Return a matrix with the eigenvectors of Δ + XᵀBX. ``product`` is XᵀBX, if computed."""
    diagonal = diagonal - LEFT_OUT * diagonal.min()
    if product is None:
        return BySamples(X, B, product_diagonal, diagonal)
    return ByFeatures(product, diagonal)


def product_is_made(n_samples: int, n_features: int) -> bool:
    """Whether to form the n × n matrix: it is smaller than its replacement, or fast."""
    return n_features <= max(n_samples, DENSE_UP_TO)


def smallest_vectors(matrix: Matrix, count: int, start: Floats | None = None) -> Floats:
    """Return orthonormal eigenvectors of the smallest eigenvalues, as columns.

    ``start`` holds approximations. The sum of their Rayleigh quotients never rises.
    """
    if isinstance(matrix, ByFeatures) and len(matrix.table) <= max(DENSE_UP_TO, 3 * count):
        from scipy.linalg import eigh

        _, vectors = eigh(matrix.table, subset_by_index=(0, count - 1), check_finite=False)
        return vectors
    return _searched(matrix, count, start)


def _searched(matrix: Matrix, count: int, start: Floats | None) -> Floats:
    """Run block inverse iteration, accelerated by its last step as in LOBPCG.

    A block of twice the size helps convergence if the next eigenvalues are close.
    """
    found, values = _best(matrix, _begin(matrix, 2 * count, start), 2 * count)
    last = np.zeros((len(found), 0))
    for _ in range(STEPS):
        step = found - matrix.solve(found * values)
        if np.linalg.norm(step[:, :count]) <= TOLERANCE * np.sqrt(count):
            break
        before = found
        found, values = _best(matrix, np.hstack([found, step, last]), found.shape[1])
        last = found - before @ (before.T @ found)
    return found[:, :count]


def _begin(matrix: Matrix, size: int, start: Floats | None) -> Floats:
    """Return the given vectors, then unit vectors of the smallest diagonal entries."""
    places = np.argsort(matrix.diagonal, kind="stable")[:size]
    units = np.zeros((len(matrix.diagonal), len(places)))
    units[places, np.arange(len(places))] = 1.0
    return units if start is None else np.hstack([start, units])


def _best(matrix: Matrix, vectors: Floats, count: int) -> tuple[Floats, Floats]:
    """Return the Ritz vectors within the span of the columns, and their values."""
    size = np.linalg.norm(vectors, axis=0)
    basis, _ = np.linalg.qr(vectors[:, size > 0] / size[size > 0])
    inner = basis.T @ matrix.multiply(basis)
    values, turn = np.linalg.eigh((inner + inner.T) / 2)
    return basis @ turn[:, :count], values[:count]
