import numpy as np
import pytest

from featrank.reproduction.planar import planar_graphs, triangulated


@pytest.fixture(scope="module")
def graphs():
    return planar_graphs(seed=3)


def test_three_connected_planar_graphs_of_700_nodes(graphs):
    from scipy.sparse.csgraph import connected_components

    assert len(graphs) == 3
    for graph in graphs:
        assert graph.points.shape == (700, 2)
        # Euler: a planar graph has no more edges; a triangulation has h - 3 fewer, h on the hull.
        assert 2 * 700 - 3 <= len(graph.edges) <= 3 * 700 - 6
        assert len(np.unique(graph.edges, axis=0)) == len(graph.edges)
        assert connected_components(graph.adjacency)[0] == 1


def test_centrality_is_the_leading_eigenvector():
    for graph in planar_graphs(seed=3, nodes=200):
        dense = graph.adjacency.toarray()
        np.testing.assert_array_equal(dense, dense.T)
        values, vectors = np.linalg.eigh(dense)
        np.testing.assert_allclose(graph.centrality, np.abs(vectors[:, -1]), atol=1e-8)
        rayleigh = graph.centrality @ dense @ graph.centrality
        assert rayleigh == pytest.approx(values[-1], rel=1e-10)


def test_no_two_edges_cross():
    points = np.random.default_rng(0).normal(size=(40, 2))
    edges = triangulated(points)
    for number, (a, b) in enumerate(edges):
        for c, d in edges[:number]:
            if len({a, b, c, d}) == 4:
                assert not crossing(*points[[a, b, c, d]])


def crossing(a, b, c, d):
    """Tell whether the segments a-b and c-d cross."""

    def left(p, q, r):
        return np.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]))

    return left(a, b, c) != left(a, b, d) and left(c, d, a) != left(c, d, b)


def test_same_seed_same_graphs():
    for one, other in zip(planar_graphs(5, 60), planar_graphs(5, 60), strict=True):
        np.testing.assert_array_equal(one.centrality, other.centrality)
        np.testing.assert_array_equal(one.points, other.points)
    assert not np.array_equal(planar_graphs(5, 60)[0].points, planar_graphs(6, 60)[0].points)
