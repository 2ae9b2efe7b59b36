"""Searches for the largest eigenvectors of large symmetric matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from featrank.neighbours.columns import Floats

# Relative error of the eigenvectors.
TOLERANCE = 1e-10


def lanczos(
    product: Callable[[Floats], Floats], size: int, count: int, *, basis: int, restarts: int
) -> tuple[Floats, Floats]:
    """Return the ``count`` largest eigenvalues and vectors of a matrix, given by its products.

    ``basis`` is the least number of vectors in memory, ``restarts`` how often these are reduced
    to the best before the search gives up with ``ArpackNoConvergence``.
    """
    from scipy.sparse.linalg import LinearOperator, eigsh

    operator = LinearOperator((size, size), lambda vector: product(vector.ravel()), dtype=float)
    start = np.random.default_rng(0).standard_normal(size)
    kept = min(max(basis, 3 * count), size)
    values, vectors = eigsh(
        operator, count, which="LA", v0=start, ncv=kept, tol=TOLERANCE, maxiter=restarts
    )
    return values, vectors


def symmetric_factors(matrix: Any) -> Any:
    """Return sparse LU factors of a symmetric, positive definite matrix."""
    from scipy.sparse.linalg import splu

    return splu(
        matrix.tocsc(),
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )
