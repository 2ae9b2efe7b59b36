"""Feature graphs: edge terms, their weighted sums, and centralities of any graph."""

from featrank.graph.centrality import Accessibility, Centrality, Degree, Eigenvector
from featrank.graph.correlation import CorrelationDistance
from featrank.graph.edges import Given, Graph, LargestOfTwo, RankOne, WeightedSum, pairwise
from featrank.graph.paths import InfinitePaths

__all__ = [
    "Accessibility",
    "Centrality",
    "CorrelationDistance",
    "Degree",
    "Eigenvector",
    "Given",
    "Graph",
    "InfinitePaths",
    "LargestOfTwo",
    "RankOne",
    "WeightedSum",
    "pairwise",
]
