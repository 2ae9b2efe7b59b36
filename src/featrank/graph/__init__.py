"""Feature graphs: edge terms, their weighted sums, and centralities that read any of them."""

from .centrality import Accessibility, Centrality, Degree, Eigenvector
from .edges import Given, Graph, LargestOfTwo, RankOne, WeightedSum, pairwise

__all__ = [
    "Accessibility",
    "Centrality",
    "Degree",
    "Eigenvector",
    "Given",
    "Graph",
    "LargestOfTwo",
    "RankOne",
    "WeightedSum",
    "pairwise",
]
