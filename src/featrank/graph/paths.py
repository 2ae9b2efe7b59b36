"""Infinite paths: the weight of all paths of every length, from one linear system."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from featrank import kernels
from featrank._utils.progress import report
from featrank.graph.centrality import Centrality
from featrank.graph.edges import Graph
from featrank.kernels import Floats

# The remainder of a vector after orthogonalisation counts as rounding error below this.
ROUNDING = 64 * np.finfo(np.float64).eps


@dataclass(frozen=True)
class InfinitePaths:
    r"""The total weight of the paths of every length from each node.

    .. math::
        s = \sum_{l \ge 1} r^l A^l e = \big((I - rA)^{-1} - I\big)\, e,
        \qquad r = \frac{factor}{\lambda}

    where λ is the largest absolute eigenvalue of A, so that the sum converges for a factor below 1.

    No inverse and no full set of eigenvalues is computed. Products A·v, A·A·v, … from equal
    weights, made orthogonal to each other (Arnoldi's process), give a small matrix H, the image
    of A on what those vectors span. Its largest eigenvalue is λ, and a small system with H
    gives s, both to a residual that is known at each step. Ten to twenty products are usual.
    It needs no symmetry; the vectors are kept, one for each product.

    Parameters
    ----------
    factor : float, default=0.99
        r as a share of the largest value for which the sum exists. Near 1 the scores tend to
        the direction of the eigenvector centrality, near 0 to that of the degree.
    tol : float, default=1e-12
        Largest relative residual, of the eigenvalue and of the linear system, that counts as
        converged.
    max_iter : int, default=300
        Most products with the graph. Past them the best scores so far are returned with a
        ``ConvergenceWarning``.

    References
    ----------
    .. [1] G. Roffo, S. Melzi and M. Cristani, "Infinite feature selection", International
       Conference on Computer Vision (2015).
    .. [2] L. Katz, "A new status index derived from sociometric analysis", Psychometrika 18
       (1953).

    Examples
    --------
    >>> from featrank.graph import Given
    >>> star = Given(np.array([[0.0, 1, 1], [1, 0, 0], [1, 0, 0]]))
    >>> InfinitePaths(factor=0.5)(star).scores.round(4)
    array([1.2761, 0.8047, 0.8047])
    """

    factor: float = 0.99
    tol: float = 1e-12
    max_iter: int = 300

    def __call__(self, graph: Graph) -> Centrality:
        """Return the centrality of each node."""
        space = _Krylov(graph)
        for _ in range(self.max_iter):
            space.grow()
            eigenvalue, error = space.eigenvalue()
            weights, rest = space.solve(self.factor / eigenvalue if eigenvalue else 1.0)
            residual = max(error, rest)
            self._report(residual)
            if residual <= self.tol or space.closed:
                break
        return self._finished(graph, space, eigenvalue, weights)

    def _finished(
        self, graph: Graph, space: _Krylov, eigenvalue: float, weights: Floats
    ) -> Centrality:
        """Compute the last product, s = r·A·(e + s), which also gives the true residual."""
        total = space.combined(weights)
        scores = np.zeros(graph.size)
        graph.add_product(total, self.factor / eigenvalue if eigenvalue else 1.0, scores)
        residual = float(np.linalg.norm(total - 1 - scores) / np.linalg.norm(total))
        error = 0.0 if space.closed else space.eigenvalue()[1]
        converged = max(residual / 10, error) <= self.tol
        if not converged:
            self._warn(space.size, max(residual, error))
        return Centrality(scores, space.size + 1, converged, eigenvalue, residual)

    def _report(self, residual: float) -> None:
        done = np.log(max(residual, self.tol)) / np.log(self.tol) if residual < 1 else 0.0
        report(int(100 * done), 100)

    def _warn(self, products: int, residual: float) -> None:
        warnings.warn(
            f"Infinite paths did not converge: after {products} products the residual is "
            f"{residual:.1e} instead of {self.tol:.1e}. Features with close scores may be in the "
            f"wrong order. Use `max_iter={10 * self.max_iter}`.",
            ConvergenceWarning,
            stacklevel=4,
        )


class _Krylov:
    """The Krylov space of e, A·e, A²·e, …: orthogonal vectors V and H with A·V = V·H + rest.

    Sums have a fixed order, so equal nodes get identical results.
    """

    def __init__(self, graph: Graph):
        self.graph = graph
        self.basis = [np.full(graph.size, 1 / np.sqrt(graph.size))]
        self.columns: list[Floats] = []
        self.closed = False

    @property
    def size(self) -> int:
        return len(self.columns)

    def grow(self) -> None:
        """Add one vector. If A gives no new direction, the space is closed."""
        image = self.graph.product(self.basis[-1])
        scale = float(np.max(np.abs(image)))
        column = np.zeros(len(self.basis) + 1)
        if scale:
            image /= scale
            length = _length(image)
            for _ in range(2):  # a second pass removes rounding errors
                for index, vector in enumerate(self.basis):
                    part = kernels.dot(vector, image)
                    kernels.add_scaled(-part, vector, image)
                    column[index] += scale * part
            rest = _length(image)
            self.closed = bool(rest <= ROUNDING * length) or len(self.basis) == self.graph.size
            column[-1] = 0.0 if self.closed else scale * rest
        else:
            self.closed = True
        self.columns.append(column)
        if not self.closed:
            self.basis.append(image / rest)

    def matrix(self) -> Floats:
        """Return H, square."""
        matrix = np.zeros((self.size, self.size))
        for index, column in enumerate(self.columns):
            matrix[: index + 2, index] = column[: self.size]
        return matrix

    def eigenvalue(self) -> tuple[float, float]:
        """Return the largest absolute eigenvalue and its relative residual."""
        if self.closed and self._paths_end():
            return 0.0, 0.0
        values, vectors = np.linalg.eig(self.matrix())
        best = int(np.argmax(np.abs(values)))
        eigenvalue = float(abs(values[best]))
        error = self.columns[-1][-1] * abs(vectors[-1, best])
        return eigenvalue, float(error / eigenvalue) if eigenvalue else float(error > 0)

    def solve(self, share: float) -> tuple[Floats, float]:
        """Return the weights y of V·y, which solves (I − share·A)·x = e, and the residual."""
        right = np.zeros(self.size)
        right[0] = np.sqrt(self.graph.size)
        system = np.eye(self.size) - share * self.matrix()
        weights = np.linalg.solve(system, right).astype(np.float64, copy=False)
        rest = abs(share * self.columns[-1][-1] * weights[-1])
        return weights, float(rest / np.linalg.norm(weights))

    def combined(self, weights: Floats) -> Floats:
        """Return V·weights."""
        total = np.zeros(self.graph.size)
        for weight, vector in zip(weights, self.basis, strict=False):
            kernels.add_scaled(float(weight), vector, total)
        return total

    def _paths_end(self) -> bool:
        """Whether the graph has no cycle, and its only eigenvalue 0 is hidden by rounding."""
        vector = self.basis[0]
        for _ in range(self.size):
            vector = self.graph.product(vector)
            if not vector.any():
                return True
            vector /= np.max(np.abs(vector))
        return False


def _length(vector: Floats) -> float:
    return float(np.sqrt(kernels.dot(vector, vector)))
