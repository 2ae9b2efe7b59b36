"""Weights with few nonzero rows: the l2,1 norm, majorised by weighted squares.

A parabola that touches the norm is an upper bound: ‖w‖ ≤ ‖w‖² / 2l + l / 2, with equality for
l = ‖w‖. So lowering the weighted squares at the last norms l lowers the norm.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from featrank.kernels import Floats

# Smallest norm of a row, as the parabola of norm 0 would be infinitely narrow.
FLOOR = 1e-10
# Pivots below this fraction of the largest count as 0.
RANK = 1e-14
# Blocks of an eigenvector search, its maximum number of rounds, and its relative tolerance.
BLOCKS, ROUNDS, SETTLED = 4, 20, 1e-10


def row_lengths(weights: Floats, floor: float = FLOOR) -> Floats:
    """Return the norms of the rows, smoothed near 0: √(‖w‖² + floor²).

    Examples
    --------
    >>> row_lengths(np.array([[3.0, 4.0], [0.0, 0.0]]))
    array([5.e+00, 1.e-10])
    >>> row_lengths(np.array([[3.0, 4.0], [0.0, 0.0]]), floor=12.0)
    array([13., 12.])
    """
    return np.hypot(np.sqrt(np.einsum("jc,jc->j", weights, weights)), floor)


class Ridge(NamedTuple):
    """Features, and their products if there are at most as many as samples."""

    X: Floats
    products: Floats | None

    @classmethod
    def of(cls, X: Floats) -> Ridge:
        """Prepare the regressions on X."""
        return cls(X, X.T @ X if X.shape[1] <= len(X) else None)

    def solve(self, target: Floats, cost: Floats) -> Floats:
        """Return the W that minimises ‖XW - target‖² + Σ cost_j·‖w_j‖², for positive costs.

        With more features than samples it is C⁻¹Xᵀ(XC⁻¹Xᵀ + I)⁻¹·target.
        """
        if self.products is not None:
            return _solved(self.products.copy(), cost, self.X.T @ target)
        scaled = self.X / cost
        return scaled.T @ _solved(scaled @ self.X.T, 1.0, target)


def _solved(table: Floats, diagonal: Floats | float, right: Floats) -> Floats:
    """Solve for a symmetric, positive definite matrix plus a diagonal. The table is overwritten."""
    from scipy.linalg import cho_factor, cho_solve

    table.flat[:: len(table) + 1] += diagonal
    # LAPACK can overwrite Fortran order, which is the transpose of a symmetric table.
    factor = cho_factor(table.T, overwrite_a=True, check_finite=False)
    return np.asarray(cho_solve(factor, right, check_finite=False))


def uncorrelated_projection(
    X: Floats, structure: Floats, lengths: Floats, weight: float, count: int
) -> tuple[Floats, Floats]:
    r"""Return the weights W of an uncorrelated projection, and the projected samples F.

    .. math::
        \min_W \operatorname{tr}(F^\top L F) + \gamma \sum_j \frac{\|w_j\|^2}{2 l_j}, \qquad
        F = X W, \quad F^\top F = I

    with the symmetric, positive semidefinite structure L and ``weight`` γ. The condition of a
    minimum, :math:`w_j = 2 l_j\, x_j^\top (F \Lambda - L F) / \gamma`, leaves at most as many
    unknowns as there are samples or features, whichever is smaller. W has ``count`` columns, at
    most the rank of X.

    Examples
    --------
    >>> X = np.array([[2.0, 1], [-2, 1], [0, -2]])
    >>> W, F = uncorrelated_projection(X, np.eye(3), np.ones(2), 1.0, 1)
    >>> np.abs(W).round(3) + 0, np.allclose(F, X @ W)
    (array([[0.354],
           [0.   ]]), True)
    """
    from scipy.linalg import eigh

    factor = _factor(X, 2 * lengths)
    inner = factor.T @ (structure @ factor)
    inner.flat[:: len(inner) + 1] += weight
    last, first = len(inner) - 1, max(len(inner) - count, 0)
    spread, unknowns = eigh(factor.T @ factor, inner, subset_by_index=[first, last])
    within = spread > RANK * spread[-1]
    spread, unknowns = spread[within], unknowns[:, within]
    projected = factor @ (unknowns / np.sqrt(spread))
    pull = projected / spread - structure @ projected
    return (2 / weight) * lengths[:, None] * (X.T @ pull), projected


def _factor(X: Floats, scale: Floats) -> Floats:
    """Return a matrix whose products with itself are X·diag(scale)·Xᵀ, with few columns."""
    n_samples, n_features = X.shape
    scaled: Floats = X * np.sqrt(scale)
    if n_features <= n_samples:
        return scaled
    from scipy.linalg.lapack import dpstrf

    products = scaled @ scaled.T
    lower, pivots, rank, _ = dpstrf(products, lower=1, tol=RANK * products.max())
    factor = np.zeros((n_samples, rank))
    factor[pivots - 1] = np.tril(lower)[:, :rank]
    return factor


def orthogonal_projection(
    X: Floats, structure: Floats, lengths: Floats, weight: float, start: Floats
) -> Floats:
    r"""Return the weights W of a projection with orthogonal columns.

    .. math::
        \min_W \operatorname{tr}(W^\top X^\top L X W) + \beta \sum_j \frac{\|w_j\|^2}{2 l_j},
        \qquad W^\top W = I

    with the symmetric, positive semidefinite structure L and ``weight`` β. These are eigenvectors
    of a diagonal matrix plus a low-rank one, whose inverse is known. They are computed in the
    Krylov space of the ``start``, and are never worse than it.

    Examples
    --------
    >>> X = np.array([[2.0, 1], [-2, 1], [0, -2]])
    >>> W = orthogonal_projection(X, np.eye(3), np.ones(2), 1.0, np.array([[0.6], [0.8]]))
    >>> np.abs(W).round(3) + 0
    array([[0.],
           [1.]])
    """
    from scipy.linalg import eigh, qr

    diagonal = weight / (2 * lengths)
    inverse = _inverse(X, structure, diagonal)
    weights, value, count = start, np.inf, start.shape[1]
    for _ in range(ROUNDS):
        blocks = [weights]
        for _ in range(BLOCKS - 1):
            blocks.append(inverse(blocks[-1]))
            blocks[-1] /= np.linalg.norm(blocks[-1], axis=0)
        basis = qr(np.hstack(blocks), mode="economic")[0]
        projected = X @ basis
        small = projected.T @ (structure @ projected) + basis.T @ (diagonal[:, None] * basis)
        values, vectors = eigh(small, subset_by_index=[0, count - 1])
        weights, before, value = basis @ vectors, value, values.sum()
        if before - value <= SETTLED * value:
            break
    return weights


def _inverse(X: Floats, structure: Floats, diagonal: Floats) -> Callable[[Floats], Floats]:
    """Return a solver of (diag + XᵀLX) w = v with as few equations as samples or features."""
    n_samples, n_features = X.shape
    if n_features <= n_samples:
        from scipy.linalg import cho_factor, cho_solve

        whole = X.T @ (structure @ X)
        whole.flat[:: n_features + 1] += diagonal
        factor = cho_factor(whole)
        return lambda right: np.asarray(cho_solve(factor, right))
    scaled = X / np.sqrt(diagonal)
    inner = np.eye(n_samples) + (scaled @ scaled.T) @ structure
    middle = np.linalg.solve(inner.T, structure.T).T

    def solved(right: Floats) -> Floats:
        first = right / diagonal[:, None]
        return np.asarray(first - (X.T @ (middle @ (X @ first))) / diagonal[:, None])

    return solved
