import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from featrank.exceptions import UsageError
from featrank.graph import Accessibility, Degree, Eigenvector, Given, LargestOfTwo, RankOne


def leading(A):
    """Eigenvalue of largest magnitude, and its eigenvector's absolute values at length 1."""
    values, vectors = np.linalg.eig(A)
    best = np.argmax(np.abs(values))
    vector = np.abs(vectors[:, best])
    return values[best].real, vector / np.linalg.norm(vector)


def assert_leading(A):
    centrality = Eigenvector()(Given(A))
    eigenvalue, vector = leading(A)
    assert centrality.converged
    assert centrality.residual <= 1e-12
    assert centrality.eigenvalue == pytest.approx(eigenvalue, rel=1e-10)
    np.testing.assert_allclose(centrality.scores, vector, atol=1e-10)
    return centrality


@pytest.mark.parametrize("size", [1, 2, 3, 10, 60])
@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("density", [1.0, 0.6])
def test_eigenvector_of_a_random_graph(size, symmetric, density):
    rng = np.random.default_rng(size)
    A = rng.random((size, size)) * (rng.random((size, size)) <= density) + 0.01
    assert_leading(A + A.T if symmetric else A)


def test_eigenvector_of_terms():
    rng = np.random.default_rng(0)
    graph = 0.3 * RankOne(rng.random(80), rng.random(80)) + 0.7 * LargestOfTwo(rng.random(80))
    eigenvalue, vector = leading(graph.to_dense())
    centrality = Eigenvector()(graph)
    assert centrality.eigenvalue == pytest.approx(eigenvalue, rel=1e-10)
    np.testing.assert_allclose(centrality.scores, vector, atol=1e-10)


@pytest.mark.parametrize("alpha", [0.0, 1e-250, 0.3, 1 - 1e-12, 1.0])
@pytest.mark.parametrize("n_terms", [1, 2, 3])
@pytest.mark.parametrize("size", [1, 2, 7, 80])
def test_terms_in_the_order_of_their_levels(size, n_terms, alpha):
    rng = np.random.default_rng(size)
    terms = [RankOne(rng.random(size), rng.random(size)) for _ in range(n_terms)]
    graph = (1 - alpha) * LargestOfTwo(np.sort(rng.random(size))) + alpha * terms[0]
    for term in terms[1:]:
        graph = graph + alpha * term
    centrality, written_out = Eigenvector()(graph), Eigenvector()(Given(graph.to_dense()))
    assert centrality.converged
    assert centrality.eigenvalue == pytest.approx(written_out.eigenvalue, rel=1e-10)
    np.testing.assert_allclose(centrality.scores, written_out.scores, atol=1e-10)


@pytest.mark.parametrize(
    "graph",
    [
        RankOne([1.0, 0.0], [0.0, 1.0]) + LargestOfTwo([0.0, 0.0]),
        RankOne([0.0, 0.0]) + LargestOfTwo([0.0, 0.0]),
        RankOne([1.0, 0.0], [0.0, 1.0]) + 0 * LargestOfTwo([0.0, 1.0]),
        RankOne([1.0, 2.0]) + -1 * LargestOfTwo([1.0, 2.0]),
        RankOne([-1.0, 2.0]) + LargestOfTwo([-1.0, 2.0]),
    ],
)
def test_terms_that_vanish_or_are_negative(graph):
    written_out = Eigenvector()(Given(graph.to_dense()))
    centrality = Eigenvector()(graph)
    assert centrality.eigenvalue == pytest.approx(written_out.eigenvalue, abs=1e-10)
    np.testing.assert_allclose(centrality.scores, written_out.scores, atol=1e-10)


@pytest.mark.parametrize("weight", [1e-300, 1e-160, 1e-90, 1e90, 1e160, 1e300])
def test_levels_of_any_magnitude(weight):
    graph = weight * RankOne([0.1, 0.3], [0.2, 0.4]) + LargestOfTwo([0.1 * weight, weight])
    eigenvalue, vector = leading(graph.to_dense() / weight)
    centrality = Eigenvector()(graph)
    assert centrality.eigenvalue == pytest.approx(weight * eigenvalue, rel=1e-10)
    np.testing.assert_allclose(centrality.scores, vector, atol=1e-10)


@pytest.mark.parametrize("leaves", [2, 5, 50])
def test_a_star_converges_although_it_swings(leaves):
    A = np.zeros((leaves + 1, leaves + 1))
    A[0, 1:] = A[1:, 0] = 1
    centrality = Eigenvector()(Given(A))
    assert centrality.converged
    assert centrality.eigenvalue == pytest.approx(np.sqrt(leaves))
    expected = [np.sqrt(0.5), *[np.sqrt(0.5 / leaves)] * leaves]
    np.testing.assert_allclose(centrality.scores, expected, atol=1e-10)


def test_two_halves_without_inner_edges():
    weights = np.random.default_rng(0).random((6, 9))
    A = np.block([[np.zeros((6, 6)), weights], [weights.T, np.zeros((9, 9))]])
    left, values, right = np.linalg.svd(weights)
    centrality = Eigenvector()(Given(A))
    assert centrality.eigenvalue == pytest.approx(values[0], rel=1e-10)
    expected = np.abs(np.concatenate([left[:, 0], right[0]])) / np.sqrt(2)
    np.testing.assert_allclose(centrality.scores, expected, atol=1e-10)


def test_the_heavier_of_two_separate_parts_takes_all():
    A = np.zeros((5, 5))
    A[:2, :2], A[2:, 2:] = 1.0, 0.5
    centrality = assert_leading(A)
    np.testing.assert_allclose(centrality.scores[2:], 0, atol=1e-10)


def test_a_graph_without_edges_has_equal_nodes():
    centrality = Eigenvector()(Given(np.zeros((4, 4))))
    assert centrality.scores.tolist() == [0.5] * 4
    assert centrality.eigenvalue == 0
    assert centrality.converged


def test_a_graph_whose_paths_end():
    centrality = Eigenvector()(Given(np.array([[0.0, 1, 0], [0, 0, 1], [0, 0, 0]])))
    assert centrality.scores.tolist() == [1, 0, 0]
    assert centrality.eigenvalue == 0


@pytest.mark.parametrize("weight", [1e-300, 1e-160, 1e-90, 1e90, 1e160, 1e300])
def test_weights_of_any_magnitude(weight):
    assert_leading(weight * np.array([[2.0, 1.0], [1.0, 0.0]]))


@pytest.mark.parametrize("weight", [0.0, 3.0])
def test_one_node(weight):
    centrality = Eigenvector()(Given([[weight]]))
    assert centrality.scores.tolist() == [1.0]
    assert centrality.eigenvalue == weight
    assert centrality.n_iter == 1


def test_nodes_that_are_alike_get_equal_bits():
    level = np.random.default_rng(0).integers(0, 6, 200) / 10
    scores = Eigenvector()(RankOne(level) + LargestOfTwo(level)).scores
    for value in np.unique(level):
        assert len(np.unique(scores[level == value])) == 1


def test_sparse_and_dense_agree():
    A = np.random.default_rng(0).random((50, 50))
    A[A < 0.7] = 0
    dense, thin = Eigenvector()(Given(A)), Eigenvector()(Given(sparse.csr_array(A)))
    np.testing.assert_allclose(thin.scores, dense.scores, atol=1e-11)


def test_without_convergence_there_is_a_warning_with_the_facts():
    A = np.diag([1.0, 0.999, 0.998])
    with pytest.warns(ConvergenceWarning, match=r"after 7 products.*residual is .*e-.*1\.0e-12"):
        centrality = Eigenvector(max_iter=7)(Given(A))
    assert not centrality.converged
    assert centrality.n_iter == 7
    assert 1e-12 < centrality.residual < 0.01
    assert np.isfinite(centrality.scores).all()


def test_tolerance_and_iterations():
    A = np.random.default_rng(0).random((30, 30))
    loose, strict = (Eigenvector(tol=tol)(Given(A)) for tol in (1e-3, 1e-13))
    assert loose.n_iter < strict.n_iter
    assert strict.residual <= 1e-13 < loose.residual <= 1e-3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Eigenvector(max_iter=strict.n_iter, tol=1e-13)(Given(A)).converged


def test_degree_is_the_sum_of_a_nodes_edges():
    A = np.random.default_rng(0).random((30, 30))
    np.testing.assert_allclose(Degree()(Given(A)).scores, A.sum(axis=1), rtol=1e-13)


@pytest.mark.parametrize("length", [1, 2, 5])
def test_accessibility_counts_paths_of_one_length(length):
    A = np.random.default_rng(0).random((20, 20))
    paths = np.linalg.matrix_power(A, length).sum(axis=1)
    expected = paths / np.linalg.norm(paths)
    np.testing.assert_allclose(Accessibility(length)(Given(A)).scores, expected, rtol=1e-12)


def test_accessibility_tends_to_the_eigenvector():
    graph = Given(np.random.default_rng(0).random((20, 20)))
    limit = Eigenvector()(graph).scores
    gaps = [np.abs(Accessibility(length)(graph).scores - limit).max() for length in (1, 4, 16, 64)]
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[3] < 1e-10


def test_accessibility_where_no_path_is_that_long():
    chain = Given(np.array([[0.0, 1], [0, 0]]))
    assert Accessibility(1)(chain).scores.tolist() == [1, 0]
    assert Accessibility(2)(chain).scores.tolist() == [0, 0]


def test_a_path_has_at_least_one_edge():
    with pytest.raises(UsageError, match="at least 1, got 0"):
        Accessibility(0)(Given([[1.0]]))
