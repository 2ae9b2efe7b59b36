"""GraphRanker: your own feature graph, ranked by a centrality of your choice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from featrank.base.ranker import Floats, Ranker
from featrank.exceptions import DataError, UsageError, unknown_name
from featrank.graph import (
    Accessibility,
    Centrality,
    Degree,
    Eigenvector,
    Given,
    Graph,
    InfinitePaths,
    pairwise,
)

CENTRALITIES = {
    "eigenvector": Eigenvector,
    "degree": Degree,
    "accessibility": Accessibility,
    "infinite-paths": InfinitePaths,
}


class GraphRanker(Ranker):
    r"""Rank features by their centrality in a graph that you design.

    .. math:: a_{ij} = \varphi(x^{(i)}, x^{(j)})

    The paper leaves :math:`\varphi` open: "handcrafted or automatically learned from data".

    Read more in docs/methods/graph-ranker.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    edges : array, sparse matrix, callable or Graph
        The edge weights: an n × n array or SciPy sparse matrix, a function φ(xᵢ, xⱼ) of two columns
        of X, called once per pair, or a sum of edge terms of :mod:`featrank.graph`.
    centrality : callable or str, default="eigenvector"
        The centrality: ``Eigenvector()``, ``Degree()``, ``Accessibility(length)``,
        ``InfinitePaths(factor)``, the name of one ("eigenvector", "degree", "accessibility",
        "infinite-paths"), or any function that takes a ``Graph`` and returns a ``Centrality`` or
        one score per feature.

    Attributes
    ----------
    graph_ : Graph
        The graph.
    n_iter_ : int
        Number of products with the graph.

    See Also
    --------
    ECFS : A ready-made graph of relevance and spread.
    InfFS : A ready-made graph of spread and correlation.

    References
    ----------
    .. [1] G. Roffo and S. Melzi, "Ranking to learn: feature ranking and selection via
       eigenvector centrality", New Frontiers in Mining Complex Patterns (2017).

    Examples
    --------
    >>> import numpy as np
    >>> from featrank import GraphRanker
    >>> X = np.array([[0.0, 0, 1], [1, 2, 1], [2, 4, 0]])
    >>> def spread(a, b):
    ...     return max(a.std(), b.std())
    >>> GraphRanker(edges=spread).fit(X).ranking_
    array([2, 1, 3])
    """

    supervised = False
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "edges": ["array-like", "sparse matrix", callable, Graph],
        "centrality": [str, callable],
    }

    edges: Any = None
    centrality: str | Callable[[Graph], Any] = "eigenvector"

    def _score(self, X: Any, y: NDArray[np.intp] | None) -> Floats:
        self.graph_ = self._graph(X)
        result = self._centrality()(self.graph_)
        if not isinstance(result, Centrality):
            result = Centrality(np.asarray(result, dtype=np.float64))
        self.n_iter_ = result.n_iter
        bad = np.count_nonzero(~np.isfinite(result.scores))
        if result.scores.shape != (X.shape[1],) or bad:
            raise UsageError(
                "A centrality must return one finite score per feature: expected shape "
                f"({X.shape[1]},), got {result.scores.shape} with {bad} NaN or infinite."
            )
        return result.scores

    def _graph(self, X: Any) -> Graph:
        if isinstance(self.edges, Graph):
            graph = self.edges
        elif callable(self.edges):
            graph = pairwise(X, self.edges)
        else:
            sparse = hasattr(self.edges, "tocsr")
            graph = Given(self.edges if sparse else np.asarray(self.edges, dtype=np.float64))
        if graph.size != X.shape[1]:
            raise DataError(
                f"The graph has {graph.size} nodes but X has {X.shape[1]} features. Pass a graph "
                "with one node per feature."
            )
        return graph

    def _centrality(self) -> Callable[[Graph], Any]:
        if not isinstance(self.centrality, str):
            return self.centrality
        if self.centrality not in CENTRALITIES:
            raise UsageError(unknown_name("centrality", self.centrality, CENTRALITIES))
        return CENTRALITIES[self.centrality]()
