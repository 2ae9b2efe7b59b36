"""Regressions with a penalty on the lengths of the coefficients' rows, by weighted ridges."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from featrank.kernels import Floats

# A row's length is rounded off near 0, so that it has a slope.
ROUND = 1e-3


def lengths(weights: Floats) -> Floats:
    """Lengths of the rows, rounded off: √(‖w‖² + 0.001²)."""
    return np.sqrt((weights**2).sum(axis=1) + ROUND**2)


class Ridge(NamedTuple):
    """Features, and their products if they are no more than the samples."""

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
        from scipy.linalg import solve

        if self.products is not None:
            table = self.products + np.diag(cost)
            return solve(table, self.X.T @ target, assume_a="pos", check_finite=False)
        scaled = self.X / cost
        table = scaled @ self.X.T
        table[np.diag_indices_from(table)] += 1.0
        return scaled.T @ solve(table, target, assume_a="pos", check_finite=False)
