"""MCFS against the published steps, by SciPy's and scikit-learn's solvers."""

import numpy as np
import pytest
from scipy.linalg import eigh
from sklearn.linear_model import lars_path
from sklearn.neighbors import kneighbors_graph

from featrank import MCFS
from featrank._utils.progress import progress_to
from tests.solvers.test_lassos import last_with


def graph(X, k, t):
    near = kneighbors_graph(X, k, mode="distance").toarray()
    weight = np.ones_like(near) if t is None else np.exp(-(near**2) / t)
    S = np.where(near > 0, weight, 0)
    return np.maximum(S, S.T)


def published(X, S, K, n_nonzero, standardize):
    """max_k |a_k| of L y = λ D y and of the lasso path with so many features."""
    D = np.diag(S.sum(axis=1))
    values, Y = eigh(D - S, D)
    Y = Y[:, 1 : K + 1] - Y[:, 1 : K + 1].mean(axis=0)
    Y /= np.linalg.norm(Y, axis=0)
    Z = X - X.mean(axis=0)
    Z = Z / np.linalg.norm(Z, axis=0) if standardize else Z
    paths = [lars_path(Z, y, method="lasso", max_iter=2000)[2] for y in Y.T]
    return values[1 : K + 1], np.stack([last_with(path, n_nonzero) for path in paths], axis=1)


@pytest.mark.parametrize("shape", [(50, 12), (25, 80)])
@pytest.mark.parametrize(("K", "n_nonzero"), [(1, 3), (4, 8), (5, 50)])
@pytest.mark.parametrize("t", [3.0, None])
@pytest.mark.parametrize("standardize", [True, False])
def test_published_formula(shape, K, n_nonzero, t, standardize):
    X = np.random.default_rng(K).normal(size=shape) * np.linspace(0.5, 1.5, shape[1])
    S = graph(X, 6, t and t * shape[1])
    values, wanted = published(X, S, K, n_nonzero, standardize)
    kind = {"weights": "binary"} if t is None else {"t": t * shape[1]}
    given = {"n_neighbors": 6, "n_clusters": K, "n_nonzero": n_nonzero, **kind}
    ranker = MCFS(standardize=standardize, **given).fit(X)
    np.testing.assert_allclose(ranker.eigenvalues_, values, atol=1e-12)
    size = np.abs(wanted).max(axis=1)
    np.testing.assert_allclose(np.abs(ranker.coefficients_), np.abs(wanted), atol=1e-8 * size.max())
    used = size > 0
    np.testing.assert_allclose(ranker.scores_[used], size[used], atol=1e-8 * size.max())
    assert (ranker.scores_[~used] < 0).all()


def test_scikit_feature_finds_the_same_on_the_same_graph():
    """Without standardising, and in units of its functions, which are D-normalised."""
    theirs = pytest.importorskip("skfeature.function.sparse_learning_based.MCFS")
    from scipy.sparse import csr_matrix

    X = np.random.default_rng(0).normal(size=(60, 8))
    S = graph(X, 5, 8.0)
    found = theirs.mcfs(X, W=csr_matrix(S), n_clusters=3, mode="raw")[:, ::-1]
    ranker = MCFS(n_clusters=3, t=8.0, standardize=False).fit(X)
    ratio = np.abs(found) / np.abs(ranker.coefficients_)
    np.testing.assert_allclose(ratio, np.broadcast_to(ratio[0], ratio.shape), rtol=1e-6)


def test_features_without_a_coefficient_go_by_correlation():
    X = np.random.default_rng(0).normal(size=(30, 200))
    ranker = MCFS(n_nonzero=3).fit(X)
    without = ~ranker.coefficients_.any(axis=1)
    assert 0 < (~without).sum() <= 15
    assert ranker.scores_[without].max() < 0 < ranker.scores_[~without].min()
    np.testing.assert_allclose(ranker.scores_[without], ranker.correlation_[without] - 1)


def test_a_copy_shares_the_score_and_changes_no_other():
    X = np.random.default_rng(0).normal(size=(40, 6))
    twice = np.column_stack([X, X[:, 2]])
    t = MCFS().fit(X).t_
    # The graph of twice the feature is another one; that of twice its square root's weight is not.
    scaled = np.column_stack([X, X[:, 2]]) * np.array([1, 1, 0.5**0.5, 1, 1, 1, 0.5**0.5])
    ranker, wanted = MCFS(t=t).fit(scaled), MCFS(t=t).fit(X)
    assert ranker.scores_[6] == ranker.scores_[2]
    np.testing.assert_allclose(ranker.scores_[:6], wanted.scores_, atol=1e-9)
    assert MCFS().fit(twice).ranking_[2] < MCFS().fit(twice).ranking_[6]


def parts(n_parts, seed=0):
    """Samples in groups so far apart that no graph joins them."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(n_parts, 7)) * 1000
    return np.repeat(centres, 8, axis=0) + rng.normal(size=(8 * n_parts, 7))


@pytest.mark.parametrize("n_parts", [2, 4, 9])
def test_a_graph_in_parts_does_not_depend_on_order(n_parts):
    """Of many solutions with λ = 0 the principal axes of the parts are taken."""
    X = parts(n_parts)
    wanted = MCFS(n_clusters=4).fit(X)
    assert np.count_nonzero(wanted.eigenvalues_ == 0) == min(n_parts - 1, 4)
    order = np.random.default_rng(1).permutation(len(X))
    found = MCFS(n_clusters=4).fit(X[order])
    np.testing.assert_allclose(found.scores_, wanted.scores_, rtol=1e-6)


def test_functions_of_many_parts_are_the_principal_axes_of_their_means():
    X = parts(9)
    means = X.reshape(9, 8, 7).mean(axis=1)
    axes = np.linalg.svd(means - means.mean(axis=0))[0]
    Y = np.repeat(axes[:, :4], 8, axis=0) / np.sqrt(8)
    Z = (X - X.mean(axis=0)) / np.linalg.norm(X - X.mean(axis=0), axis=0)
    found = MCFS(n_clusters=4, weights="binary", n_neighbors=7).fit(X)  # of equal degrees
    np.testing.assert_allclose(found.correlation_, np.abs(Z.T @ Y).max(axis=1), atol=1e-9)


def test_many_samples_have_the_same_functions(monkeypatch):
    """Three ways to find them: a table, products with the graph, its factors."""
    rng = np.random.default_rng(0)
    X = np.column_stack([np.linspace(0, 300, 300), rng.normal(size=(300, 3))])
    wanted = MCFS().fit(X)
    monkeypatch.setattr("featrank.neighbours.spectral.DENSE_UP_TO", 10)
    found = MCFS().fit(X)
    np.testing.assert_allclose(found.scores_, wanted.scores_, atol=1e-6)
    monkeypatch.setattr("featrank.neighbours.spectral.RESTARTS", 1)
    monkeypatch.setattr("featrank.neighbours.spectral.BASIS", 12)
    np.testing.assert_allclose(MCFS().fit(X).scores_, wanted.scores_, atol=1e-6)


def test_units_of_the_whole_change_nothing():
    X = np.random.default_rng(0).normal(size=(40, 6))
    for factor in (2.0, 2.0**-500, 2.0**400):
        assert np.array_equal(MCFS().fit(X * factor).scores_, MCFS().fit(X).scores_)
        plain = MCFS(standardize=False).fit(X).scores_
        scaled = MCFS(standardize=False).fit(X * factor).scores_
        np.testing.assert_allclose(scaled * factor, plain, rtol=1e-9)


def test_each_cluster_has_its_feature():
    rng = np.random.default_rng(0)
    cluster = np.arange(120) % 4
    X = rng.normal(size=(120, 30))
    for j in range(3):
        X[:, 10 * j] += 9.0 * (cluster == j)
    X[:, 5] = 3.0
    ranker = MCFS(n_clusters=3, n_features_to_select=3).fit(X)
    assert ranker.get_support(indices=True).tolist() == [0, 10, 20]
    assert ranker.order_[-1] == 5
    assert ranker.scores_[5] == -1


def test_rounding_is_no_coefficient():
    rows = np.random.default_rng(0).normal(size=(3, 400))
    ranker = MCFS().fit(np.repeat(rows, 6, axis=0))
    used = ranker.scores_ > 0
    assert used.any()
    assert ranker.scores_[used].min() > 1e-8


def test_values_of_single_precision_may_be_as_large_as_they_can():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 6)).astype(np.float32)
    X[:, 2] = np.where(np.arange(40) % 2, 3e38, -3e38)
    assert MCFS().fit(X).order_[0] == 2


def test_only_constants():
    assert np.array_equal(MCFS().fit(np.ones((8, 3))).scores_, [-1, -1, -1])


def test_progress_is_reported():
    seen = []
    with progress_to(lambda done, total: seen.append((done, total))):
        MCFS().fit(np.random.default_rng(0).normal(size=(50, 10)))
    assert seen[-1] == (5, 5)
