"""Random planar graphs and the eigenvector centrality of their nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["PlanarGraph", "planar_graphs"]

NODES = 700

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PlanarGraph:
    """Points of the plane and the edges of their Delaunay triangulation, which never cross.

    ``points`` has shape (n, 2), ``edges`` (m, 2) with each edge once, ``centrality`` (n,) with
    length 1.
    """

    name: str
    points: Floats
    edges: NDArray[np.int64]
    centrality: Floats

    @property
    def adjacency(self) -> Any:
        """The symmetric sparse adjacency matrix."""
        return adjacency(self.edges, len(self.points))


def planar_graphs(seed: int = 0, nodes: int = NODES) -> list[PlanarGraph]:
    """Return three graphs on points from different distributions.

    Examples
    --------
    >>> [graph.name for graph in planar_graphs(nodes=30)]
    ['Gaussian', 'clusters', 'ring']
    """
    rng = np.random.default_rng(seed)
    return [graph_of(name, draw(rng, nodes)) for name, draw in DISTRIBUTIONS.items()]


def draw_graphs(graphs: Sequence[PlanarGraph]) -> Figure:
    """Draw the graphs side by side, their nodes coloured by centrality."""
    from featrank.plots import planar_graphs_figure

    return planar_graphs_figure(
        {graph.name: (graph.points, graph.edges, graph.centrality) for graph in graphs}
    )


def graph_of(name: str, points: Floats) -> PlanarGraph:
    """Return the triangulation of points with the centrality of the nodes."""
    from featrank.graph import Eigenvector, Given

    edges = triangulated(points)
    # The first two eigenvalues of a large planar graph can be close.
    centrality = Eigenvector(max_iter=100_000)(Given(adjacency(edges, len(points))))
    return PlanarGraph(name, points, edges, centrality.scores)


def triangulated(points: Floats) -> NDArray[np.int64]:
    """Return the edges of the Delaunay triangulation, each once, the smaller node first."""
    from scipy.spatial import Delaunay

    corners = np.sort(Delaunay(points).simplices, axis=1)
    pairs = np.concatenate([corners[:, [0, 1]], corners[:, [0, 2]], corners[:, [1, 2]]])
    return np.unique(pairs, axis=0).astype(np.int64)


def adjacency(edges: NDArray[np.int64], size: int) -> Any:
    """Return the symmetric sparse matrix of the edges."""
    from scipy.sparse import coo_array

    both = np.concatenate([edges, edges[:, ::-1]])
    return coo_array((np.ones(len(both)), (both[:, 0], both[:, 1])), shape=(size, size)).tocsr()


def _gaussian(rng: np.random.Generator, nodes: int) -> Floats:
    return rng.normal(size=(nodes, 2))


def _clusters(rng: np.random.Generator, nodes: int) -> Floats:
    angles = 2 * np.pi * np.arange(5) / 5 + np.pi / 2
    centres = 3 * np.column_stack([np.cos(angles), np.sin(angles)])
    spreads = np.linspace(0.4, 1.0, 5)
    of = rng.integers(5, size=nodes)
    return centres[of] + spreads[of, None] * rng.normal(size=(nodes, 2))


def _ring(rng: np.random.Generator, nodes: int) -> Floats:
    angles = rng.uniform(0, 2 * np.pi, nodes)
    radii = rng.normal(3, 0.5, nodes)
    return np.column_stack([radii * np.cos(angles), radii * np.sin(angles)])


DISTRIBUTIONS = {"Gaussian": _gaussian, "clusters": _clusters, "ring": _ring}
