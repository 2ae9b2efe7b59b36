"""Smooth functions on a graph of samples: vectors that vary little between near samples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank._utils.blas import one_thread_if_small
from featrank.neighbours.columns import Floats, Matrix
from featrank.neighbours.eigenvectors import lanczos, symmetric_factors
from featrank.neighbours.graph import NearGraph

# Maximum number of samples for which a dense solver is fastest.
DENSE_UP_TO = 1000
# Component means that differ by less than this, relatively, are rounding errors.
DISTINCT = 1e-9
# Vectors in memory during the search for eigenvectors of many samples, and its restarts before the
# graph is factored.
BASIS, RESTARTS = 100, 50
# Added to the singular Laplacian, so that it can be factored.
SHIFT = 1e-4


class Smooth(NamedTuple):
    """Eigenvalues λ and vectors of L y = λ D y, the smallest first, without the constant one.

    Columns of ``vectors`` are D^(1/2) y, orthonormal. ``degree`` is D.
    """

    values: Floats
    vectors: Floats
    degree: Floats

    @property
    def functions(self) -> Floats:
        """The vectors y."""
        return self.vectors / np.sqrt(self.degree)[:, np.newaxis]


def smoothest(graph: NearGraph, X: Matrix, count: int) -> Smooth:
    """Return at most ``count`` of the smoothest functions on the graph of the rows of X.

    A graph with several components has as many functions with λ = 0, which are constant on each
    component. As their basis is arbitrary, the principal axes of the component means are used,
    largest first, so that the order of samples and features does not matter.
    """
    return smoothest_of(*graph.normalised(), X, count)


def smoothest_of(near: Any, degree: Floats, X: Matrix, count: int) -> Smooth:
    """Return the same for a graph D^(-1/2) S D^(-1/2), sparse, or dense and connected.

    A dense graph is overwritten.
    """
    part = np.zeros(len(degree), np.intp) if isinstance(near, np.ndarray) else _parts(near)
    constant = _constant_on_parts(part, degree)
    apart = constant @ _axes(constant, degree, X, count)
    rest = min(count, len(degree) - 1) - (constant.shape[1] - 1)
    values, vectors = np.zeros(apart.shape[1]), apart
    if rest > 0:
        found, more = _largest(near, constant, rest)
        values, vectors = np.append(values, 1 - found), np.hstack([apart, more])
    return Smooth(values, vectors, degree)


def _parts(near: Any) -> Any:
    """Return the connected component of each sample in a sparse graph."""
    from scipy.sparse.csgraph import connected_components

    return connected_components(near, directed=False)[1]


def _constant_on_parts(part: Any, degree: Floats) -> Any:
    """Return sparse unit vectors D^(1/2)·1 on each component."""
    from scipy.sparse import csr_array

    volume = np.bincount(part, degree)
    values = np.sqrt(degree / volume[part])
    return csr_array((values, (np.arange(len(part)), part)), (len(part), len(volume)))


def _axes(constant: Any, degree: Floats, X: Matrix, count: int) -> Floats:
    """Return principal axes of the component means, in the basis of the constant vectors."""
    root = np.sqrt(degree)
    whole = constant.T @ root  # the constant function, which is left out
    if len(whole) == 1:
        return np.zeros((1, 0))
    above = X.astype(np.float64)
    above -= above[0]
    means = constant.T @ (root[:, np.newaxis] * above)
    # A reflection maps the constant function to the first coordinate, which is dropped.
    mirror = whole / np.linalg.norm(whole)
    mirror[0] += 1.0
    mirror /= np.linalg.norm(mirror)
    means -= 2 * np.outer(mirror, mirror @ means)
    size = np.abs(means).max(initial=0.0) or 1.0
    left, spread, _ = np.linalg.svd(means[1:] / size, full_matrices=False)
    axes = np.vstack([np.zeros(len(spread)), left])[:, spread > DISTINCT * spread[:1]][:, :count]
    return axes - 2 * np.outer(mirror, mirror @ axes)


def _largest(near: Any, constant: Any, count: int) -> tuple[Floats, Floats]:
    """Return the largest eigenvalues and vectors that are not constant on components."""
    from scipy.sparse.linalg import ArpackNoConvergence

    if near.shape[0] <= max(DENSE_UP_TO, 2 * count):
        values, vectors = _by_a_table(near, constant, count)
    else:
        try:
            values, vectors = _by_products(near, constant, count)
        except ArpackNoConvergence:  # for samples along a line or a surface
            other_way = _by_a_table if isinstance(near, np.ndarray) else _by_factors
            values, vectors = other_way(near, constant, count)
    order = np.argsort(-values, kind="stable")
    return values[order], vectors[:, order]


def _by_a_table(near: Any, constant: Any, count: int) -> tuple[Floats, Floats]:
    from scipy.linalg import eigh

    # Eigenvalues are in [-1, 1], so subtracting 3 makes an eigenvalue of 1 the smallest.
    table = near if isinstance(near, np.ndarray) else near.toarray()
    table -= 3 * (constant @ constant.T.toarray())
    values, vectors = eigh(table, subset_by_index=(len(table) - count, len(table) - 1))
    return values, vectors


def _by_products(near: Any, constant: Any, count: int) -> tuple[Floats, Floats]:
    def product(vector: Floats) -> Floats:
        return near @ vector - 3 * (constant @ (constant.T @ vector))

    return _search(product, near.shape[0], count)


def _by_factors(near: Any, constant: Any, count: int) -> tuple[Floats, Floats]:
    """Return the same for graphs with small separators, whose factors have few entries."""
    from scipy.sparse import eye_array

    factors = symmetric_factors((1 + SHIFT) * eye_array(near.shape[0]) - near)

    def product(vector: Floats) -> Floats:
        return factors.solve(vector) - constant @ (constant.T @ vector) / SHIFT

    inverse, vectors = _search(product, near.shape[0], count)
    return 1 + SHIFT - 1 / inverse, vectors


def _search(product: Callable[[Floats], Floats], size: int, count: int) -> tuple[Floats, Floats]:
    with one_thread_if_small(size * min(max(BASIS, 3 * count), size)):
        return lanczos(product, size, count, basis=BASIS, restarts=RESTARTS)


def spectral_clusters(smooth: Smooth) -> NDArray[np.int64]:
    """Return one cluster per sample, at most one more than there are functions.

    Samples that point farthest apart, by a pivoted QR, represent the clusters; each sample goes
    to the nearest after a rotation (A. Damle, V. Minden and L. Ying, "Simple, direct and efficient
    multi-way spectral clustering", Information and Inference, 2019).
    """
    from scipy.linalg import qr

    vectors = np.column_stack([np.sqrt(smooth.degree / smooth.degree.sum()), smooth.vectors])
    _, _, order = qr(vectors.T, mode="economic", pivoting=True)
    left, _, right = np.linalg.svd(vectors[order[: vectors.shape[1]]].T)
    return np.abs(vectors @ (left @ right)).argmax(axis=1).astype(np.int64)
