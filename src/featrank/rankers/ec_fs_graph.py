"""The graph of EC-FS and its eigenvector, for any alpha and each of the kernels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from featrank import kernels
from featrank.base.ranker import Floats, best_first
from featrank.graph import Centrality, Eigenvector, Graph, LargestOfTwo, RankOne, WeightedSum
from featrank.graph.scaling import finite, min_max, put_last, scaled_spread

# An order needs no more digits than this of the eigenvector.
ROUGH = 1e-6


class Terms:
    """What A is made of, kept for any alpha.

    The graph is read with the features sorted by spread, where products are running sums.
    """

    def __init__(self, vectors: dict[str, Floats], kernel: str):
        fisher, information = vectors["fisher"], vectors["information"]
        self.kernel = kernel
        self.exact, self.constant = np.isinf(fisher), vectors["deviation"] == 0
        if self.exact.any():
            fisher = finite(fisher)
        if kernel != "toolbox":
            fisher, information = min_max(fisher), min_max(information)
            fisher[self.exact] = 1.0  # also where all features separate the classes exactly
        self.vectors = fisher, information, scaled_spread(vectors["deviation"], vectors["spread"])
        self._order = kernels.argsort(self.vectors[2])
        self._sorted = [kernels.gather(vector, self._order) for vector in self.vectors]

    def scores(self, alpha: float, tol: float) -> tuple[Floats, Centrality]:
        """Return the centralities for one alpha: exact separators first, constants last."""
        fisher, information, spread = self._sorted
        graph = graph_of(fisher, information, spread, alpha, self.kernel)
        centrality = Eigenvector(tol=tol)(graph)
        scores = kernels.scatter(centrality.scores, self._order)
        if alpha > 0 and self.exact.any():
            scores[self.exact] += scores.max()
        put_last(scores, self.constant)
        return scores, centrality

    def best(self, alpha: float, count: int) -> NDArray[np.int64]:
        """Return the best features for one alpha, as far as a rough eigenvector tells."""
        return best_first(self.scores(alpha, ROUGH)[0])[:count]


def graph_of(
    fisher: Floats, information: Floats, spread: Floats, alpha: float, kernel: str
) -> Graph:
    """Return the graph of EC-FS, whose matrix is A."""
    terms = [(alpha * weight, term) for weight, term in KERNELS[kernel](fisher, information)]
    return WeightedSum([*terms, (1 - alpha, LargestOfTwo(spread))])


def _product(fisher: Floats, information: Floats) -> list[tuple[float, Graph]]:
    return [(1.0, RankOne(fisher, information))]


def _symmetric(fisher: Floats, information: Floats) -> list[tuple[float, Graph]]:
    return [(0.5, RankOne(fisher, information)), (0.5, RankOne(information, fisher))]


def _toolbox(fisher: Floats, information: Floats) -> list[tuple[float, Graph]]:
    """(v·vᵀ - min)/(max - min): rank one less a constant, as v is not negative."""
    relevance = (fisher + information) / 2
    low, high = relevance.min() ** 2, relevance.max() ** 2
    if high == low:
        return []
    ones = np.ones_like(relevance)
    return [(1 / (high - low), RankOne(relevance)), (-low / (high - low), RankOne(ones))]


KERNELS = {"product": _product, "symmetric": _symmetric, "toolbox": _toolbox}
