"""Leading eigenvectors of graphs of samples."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.sparse.linalg import LinearOperator, eigsh

Floats = NDArray[np.float64]

# Up to so many samples all eigenvectors are found at once; for more, the leading ones by products.
DENSE_UP_TO = 1000
# Vectors that the products span beyond those that are wanted.
SPANNED = 40


def smoothest_vectors(weights: Any, degree: Floats, count: int) -> tuple[Floats, Floats]:
    """Return the smallest eigenvalues, ascending, and eigenvectors of a normalised Laplacian.

    The Laplacian is :math:`I - D^{-1/2} W D^{-1/2}` for symmetric weights W, dense or sparse, and
    their row sums D, which must be positive. The vector of eigenvalue 0 that every graph has,
    :math:`D^{1/2} e`, is left out. A dense W is overwritten.
    """
    root = np.sqrt(degree)
    trivial = root / np.linalg.norm(root)
    if len(degree) <= DENSE_UP_TO:
        closeness, vectors = _all_at_once(weights, root, trivial, count)
    else:
        closeness, vectors = _by_products(weights, root, trivial, count)
    order = np.argsort(-closeness, kind="stable")
    return np.maximum(1 - closeness[order], 0.0), vectors[:, order]


def _all_at_once(weights: Any, root: Floats, trivial: Floats, count: int) -> tuple[Floats, Floats]:
    size = len(root)
    table = weights if isinstance(weights, np.ndarray) else weights.toarray()
    table /= root
    table /= root[:, np.newaxis]
    table -= 2 * np.outer(trivial, trivial)  # its eigenvalue becomes -1, the least that there is
    found: tuple[Floats, Floats] = eigh(table, subset_by_index=[size - count, size - 1])
    return found


def _by_products(weights: Any, root: Floats, trivial: Floats, count: int) -> tuple[Floats, Floats]:
    """Find them by a Lanczos method, whose start is the same always."""

    def product(vector: Floats) -> Floats:
        vector = vector.ravel()
        image: Floats = (weights @ (vector / root)) / root
        return image - 2 * (trivial @ vector) * trivial

    size = len(root)
    operator = LinearOperator((size, size), matvec=product, dtype=np.float64)
    start = np.random.default_rng(0).standard_normal(size)
    found: tuple[Floats, Floats] = eigsh(
        operator, k=count, which="LA", v0=start, ncv=min(size, 2 * count + SPANNED), tol=1e-10
    )
    return found
