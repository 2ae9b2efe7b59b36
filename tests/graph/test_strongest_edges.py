import numpy as np
import pytest
from scipy import sparse

from featrank.graph import Given, LargestOfTwo, RankOne


def brute_force(A, top):
    """Every edge between different features, heaviest first, then by source and target."""
    edges = [(-A[i, j], i, j) for i in range(len(A)) for j in range(len(A)) if i != j]
    return [(i, j, -weight) for weight, i, j in sorted(edges)[:top]]


@pytest.fixture(params=[1, 30, 50, 10**6])
def block_cells(request, monkeypatch):
    """From one row at a time to all rows at once."""
    monkeypatch.setattr("featrank.graph.edges.BLOCK_CELLS", request.param)


@pytest.mark.usefixtures("block_cells")
@pytest.mark.parametrize("top", [0, 1, 5, 100, 24 * 25, 10_000])
@pytest.mark.parametrize("kind", ["distinct", "tied", "symmetric", "negative", "sparse"])
def test_agrees_with_brute_force(top, kind):
    A = np.random.default_rng(0).normal(size=(25, 25))
    A = {
        "distinct": A,
        "tied": A.round(),
        "symmetric": A + A.T,
        "negative": -np.abs(A),
        "sparse": A * (A > 1),
    }[kind]
    edges = Given(sparse.csr_array(A) if kind == "sparse" else A).strongest_edges(top)
    assert edges.tolist() == brute_force(A, top)


@pytest.mark.usefixtures("block_cells")
def test_of_a_sum_of_terms():
    rng = np.random.default_rng(1)
    graph = 0.4 * RankOne(rng.random(20), rng.random(20)) + 0.6 * LargestOfTwo(rng.random(20))
    assert graph.strongest_edges(30).tolist() == brute_force(graph.to_dense(), 30)


def test_fields_have_names():
    edges = Given(np.array([[9.0, 1.0], [2.0, 9.0]])).strongest_edges(5)
    assert edges["source"].tolist() == [1, 0]
    assert edges["target"].tolist() == [0, 1]
    assert edges["weight"].tolist() == [2.0, 1.0]


def test_one_feature_has_no_edges():
    assert len(RankOne(np.ones(1)).strongest_edges(3)) == 0


def test_the_graph_is_left_alone():
    A = np.random.default_rng(0).random((6, 6))
    kept = A.copy()
    Given(A).strongest_edges(3)
    np.testing.assert_array_equal(A, kept)
