"""Centralities: the importance of each node in a graph."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from featrank import kernels
from featrank.exceptions import UsageError
from featrank.graph.edges import Graph
from featrank.graph.power import power_iteration
from featrank.kernels import Floats

# On a bipartite graph the power iteration oscillates forever. After this many products without
# convergence, a fraction of the vector itself is added at each step.
STEADY_AFTER = 100

# From this step on, residuals fall at the rate of the second eigenvalue.
SHIFT_AT = 3


@dataclass(frozen=True)
class Centrality:
    """Scores of the nodes, the eigenvalue and the number of iterations."""

    scores: Floats
    n_iter: int = 1
    converged: bool = True
    eigenvalue: float | None = None
    residual: float = 0.0


@dataclass(frozen=True)
class Eigenvector:
    r"""Eigenvector centrality: the right eigenvector of the largest eigenvalue.

    Power iteration :math:`v \leftarrow A v / \lVert A v \rVert` from equal weights, until
    :math:`\lVert A v - \lambda v \rVert \le tol \cdot \lVert A v \rVert`. The scores are the
    vector's absolute values. Its norm is 1.

    Parameters
    ----------
    tol : float, default=1e-12
        Tolerance for the relative residual.
    max_iter : int, default=1000
        Maximum number of products with the graph. After that, the best vector so far is returned
        with a ``ConvergenceWarning``.

    References
    ----------
    .. [1] P. Bonacich, "Power and centrality: a family of measures", American Journal of
       Sociology 92 (1987).

    Examples
    --------
    >>> from featrank.graph import Given
    >>> star = Given(np.array([[0.0, 1, 1], [1, 0, 0], [1, 0, 0]]))
    >>> Eigenvector()(star).scores.round(3)
    array([0.707, 0.5  , 0.5  ])
    """

    tol: float = 1e-12
    max_iter: int = 1000

    def __call__(self, graph: Graph) -> Centrality:
        """Return the centrality of each node."""
        iteration = power_iteration(graph)
        shift, residual, ratios = 0.0, np.inf, [np.inf]
        for step in range(1, self.max_iter + 1):
            eigenvalue, length, error = iteration.advance(shift)
            ratios.append(error / length / residual if length else 0.0)
            residual = error / length if length else 0.0
            if residual <= self.tol:
                break
            shift = _shift(step, shift, length, ratios)
        else:
            self._warn(residual)
        converged = residual <= self.tol
        return Centrality(
            iteration.scores(), step, converged, eigenvalue / iteration.scale, residual
        )

    def _warn(self, residual: float) -> None:
        warnings.warn(
            f"Eigenvector centrality did not converge: after {self.max_iter} products the "
            f"residual is {residual:.1e} instead of {self.tol:.1e}. Features with close scores may "
            f"be in the wrong order. Use `max_iter={10 * self.max_iter}`.",
            ConvergenceWarning,
            stacklevel=3,
        )


def _shift(step: int, shift: float, length: float, ratios: list[float]) -> float:
    """Choose a shift of A's diagonal from how fast the residuals fall.

    The graph of spreads has one positive eigenvalue and many negative ones. Adding half of the
    largest negative one halves the error per step; if it does not, the shift is removed again.
    """
    if step == SHIFT_AT:
        return length * min(ratios[step], 1.0) / 2
    if step == SHIFT_AT + 3 and ratios[step] > ratios[SHIFT_AT]:
        return 0.0
    return length / 2 if step == STEADY_AFTER else shift


@dataclass(frozen=True)
class Degree:
    """Degree centrality: the sum of the weights of each node's edges, A·e."""

    def __call__(self, graph: Graph) -> Centrality:
        """Return the centrality of each node."""
        return Centrality(graph.product(np.ones(graph.size)))


@dataclass(frozen=True)
class Accessibility:
    r"""Accessibility :math:`A^l e`: the total weight of the paths of one length from each node.

    The result is scaled to unit norm, as it grows without bound with ``length``. It converges to
    the eigenvector centrality.

    Parameters
    ----------
    length : int, default=10
        Number of edges of a path.
    """

    length: int = 10

    def __call__(self, graph: Graph) -> Centrality:
        """Return the centrality of each node."""
        if self.length < 1:
            raise UsageError(f"Accessibility needs a length of at least 1, got {self.length}.")
        vector = np.ones(graph.size)
        for _ in range(self.length):
            vector = graph.product(vector)
            if not vector.any():
                return Centrality(vector, self.length)
            vector /= np.sqrt(kernels.dot(vector, vector))
        return Centrality(vector, self.length)
