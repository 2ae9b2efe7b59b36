import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from featrank._utils.progress import progress_to
from featrank.graph import Degree, Eigenvector, Given, InfinitePaths, LargestOfTwo, RankOne


def all_paths(A, factor=0.99):
    """The published formula, with an inverse."""
    identity = np.eye(len(A))
    share = factor / np.abs(np.linalg.eigvals(A)).max()
    return (np.linalg.inv(identity - share * A) - identity).sum(axis=1)


def assert_all_paths(A, factor=0.99):
    centrality = InfinitePaths(factor)(Given(A))
    np.testing.assert_allclose(centrality.scores, all_paths(A, factor), rtol=1e-9, atol=1e-12)
    assert centrality.converged
    assert centrality.residual < 1e-11
    assert centrality.eigenvalue == pytest.approx(np.abs(np.linalg.eigvals(A)).max(), rel=1e-10)
    return centrality


@pytest.mark.parametrize("size", [1, 2, 3, 10, 60, 200])
@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("factor", [0.1, 0.9, 0.99, 0.9999])
def test_random_graph(size, symmetric, factor):
    A = np.random.default_rng(size).random((size, size)) + 0.01
    assert_all_paths(A + A.T if symmetric else A, factor)


def test_terms():
    rng = np.random.default_rng(0)
    graph = 0.3 * RankOne(rng.random(80), rng.random(80)) + 0.7 * LargestOfTwo(rng.random(80))
    centrality = InfinitePaths()(graph)
    np.testing.assert_allclose(centrality.scores, all_paths(graph.to_dense()), rtol=1e-10)
    assert centrality.n_iter < 20


def test_weights_of_both_signs():
    A = np.random.default_rng(0).normal(size=(40, 40))
    assert_all_paths(A)
    assert_all_paths(A + A.T)


def test_eigenvalues_close_together():
    """Far from the usual: a ring with few chords, whose eigenvalues lie close."""
    A = np.roll(np.eye(90), 1, axis=1)
    A += A.T
    A[3, 40] = A[40, 3] = A[7, 71] = A[71, 7] = 1
    centrality = assert_all_paths(A)
    assert centrality.n_iter <= 91


def test_sparse_and_dense_agree():
    A = np.random.default_rng(0).random((50, 50))
    A[A < 0.7] = 0
    dense, thin = InfinitePaths()(Given(A)), InfinitePaths()(Given(sparse.csr_array(A)))
    np.testing.assert_allclose(thin.scores, dense.scores, rtol=1e-10)


@pytest.mark.parametrize("weight", [1e-300, 1e-160, 1e160, 1e300])
def test_weights_of_any_magnitude(weight):
    A = np.array([[2.0, 1.0], [1.0, 0.0]])
    scores = InfinitePaths()(Given(weight * A)).scores
    np.testing.assert_allclose(scores, all_paths(A), rtol=1e-10)


def test_one_node():
    centrality = InfinitePaths(0.75)(Given([[4.0]]))
    assert centrality.scores == pytest.approx([3.0])
    assert centrality.eigenvalue == 4


def test_no_edges():
    centrality = InfinitePaths()(Given(np.zeros((4, 4))))
    assert centrality.scores.tolist() == [0] * 4
    assert centrality.eigenvalue == 0
    assert centrality.converged


@pytest.mark.parametrize("size", [2, 3, 12])
def test_without_cycles_paths_are_counted_as_they_are(size):
    """No eigenvalue limits the weights, so none is applied: a chain has one path a length."""
    centrality = InfinitePaths()(Given(np.diag(np.ones(size - 1), 1)))
    np.testing.assert_allclose(centrality.scores, np.arange(size)[::-1], atol=1e-12)
    assert centrality.eigenvalue == 0
    assert centrality.converged


def test_a_node_without_edges_scores_nothing_exactly():
    A = np.random.default_rng(0).random((30, 30))
    A[11] = 0
    assert InfinitePaths()(Given(A)).scores[11] == 0


def test_limits_of_the_factor():
    graph = Given(np.random.default_rng(0).random((20, 20)))
    near, far = (InfinitePaths(factor)(graph).scores for factor in (1 - 1e-7, 1e-7))
    np.testing.assert_allclose(near / np.linalg.norm(near), Eigenvector()(graph).scores, atol=1e-6)
    degree = Degree()(graph).scores
    np.testing.assert_allclose(far / far.sum(), degree / degree.sum(), atol=1e-6)


def test_nodes_that_are_alike_get_equal_bits():
    level = np.random.default_rng(0).integers(0, 6, 200) / 10
    scores = InfinitePaths()(RankOne(level) + LargestOfTwo(level)).scores
    for value in np.unique(level):
        assert len(np.unique(scores[level == value])) == 1


def test_without_convergence_there_is_a_warning_with_the_facts():
    A = np.diag(np.linspace(1, 2, 50)) + 1e-3
    with pytest.warns(ConvergenceWarning, match=r"after 3 products.*residual is .*1\.0e-12"):
        centrality = InfinitePaths(max_iter=3)(Given(A))
    assert not centrality.converged
    assert centrality.n_iter == 4
    assert np.isfinite(centrality.scores).all()


def test_a_loose_tolerance_takes_fewer_products():
    graph = Given(np.random.default_rng(0).random((60, 60)))
    loose, strict = (InfinitePaths(tol=tol)(graph) for tol in (1e-3, 1e-13))
    assert loose.n_iter < strict.n_iter
    assert loose.converged
    assert strict.converged
    np.testing.assert_allclose(loose.scores, strict.scores, rtol=0.1)


def test_progress_is_reported():
    steps = []
    with progress_to(lambda done, total: steps.append((done, total))):
        InfinitePaths()(Given(np.random.default_rng(0).random((60, 60))))
    assert steps[-1] == (100, 100)
    assert len(steps) > 3
    assert all(0 <= done <= total for done, total in steps)
