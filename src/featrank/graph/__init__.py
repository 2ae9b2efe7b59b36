"""Feature graphs: edge terms, their weighted sums, and centralities that read any of them."""

from .centrality import Accessibility, Centrality, Degree, Eigenvector
from .correlation import CorrelationDistance
from .edges import Given, Graph, LargestOfTwo, RankOne, WeightedSum, pairwise
from .paths import InfinitePaths

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
