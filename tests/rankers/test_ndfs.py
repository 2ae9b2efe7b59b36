"""NDFS against dense matrices of the published objective, written out."""

import numpy as np
import pytest
from scipy.linalg import eigh
from sklearn.cluster._spectral import cluster_qr
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import kneighbors_graph

from featrank import NDFS
from featrank._utils.progress import progress_to


def graph(X, k, t):
    near = kneighbors_graph(X, k, mode="distance").toarray()
    S = np.where(near > 0, np.exp(-(near**2) / t), 0)
    return np.maximum(S, S.T)


def laplacian(S):
    root = np.sqrt(S.sum(axis=1))
    return np.eye(len(S)) - S / np.outer(root, root)


def standardised(X):
    return (X - X.mean(axis=0)) / np.linalg.norm(X - X.mean(axis=0), axis=0)


def objective(F, W, Z, L, alpha, beta, gamma):
    bias = F.mean(axis=0)  # of centred features
    rows = np.sqrt((W**2).sum(axis=1) + 1e-6).sum()
    fit = ((Z @ W + bias - F) ** 2).sum()
    disjoint = ((F.T @ F - np.eye(F.shape[1])) ** 2).sum()
    return np.trace(F.T @ L @ F) + alpha * (fit + beta * rows) + gamma / 2 * disjoint


def written_out(F, Z, L, alpha, beta, gamma, turns):
    """W by an n × n inverse; F entry by entry, all that is negative in the gradient above.

    After ten updates F is tried further on the same way, each time further if the last served.
    """
    D, values, power = np.full(Z.shape[1], 0.5), [], 1.0
    for _ in range(turns):
        W = np.linalg.inv(Z.T @ Z + beta * np.diag(D)) @ Z.T @ F
        D = 1 / (2 * np.sqrt((W**2).sum(axis=1) + 1e-6))
        P, near, old = Z @ W, np.eye(len(F)) - L + alpha / len(F), F
        for _ in range(10):
            up = near @ F + alpha * np.maximum(P, 0) + gamma * F
            down = (1 + alpha) * F + alpha * np.maximum(-P, 0) + gamma * F @ F.T @ F
            F = F * (up / down) ** 0.25
        tried = [F * (F / old) ** power, F]
        reached = [objective(each, W, Z, L, alpha, beta, gamma) for each in tried]
        best = int(np.argmin(reached))
        F, power = tried[best], 1.5 * power if best == 0 else 1.0
        values.append(reached[best])
    return F, W, np.array(values)


def start(X, ranker):
    """Indicators before the first turn."""
    _, F = ranker._graph(X)
    return F


@pytest.mark.parametrize("shape", [(40, 12), (20, 70)])
@pytest.mark.parametrize(("alpha", "beta", "gamma"), [(1.0, 1.0, 10.0), (0.3, 0.2, 100.0)])
def test_written_out(shape, alpha, beta, gamma):
    X = np.random.default_rng(0).normal(size=shape) * np.linspace(1, 2, shape[1])
    given = {"n_clusters": 3, "n_neighbors": 4, "alpha": alpha, "beta": beta, "gamma": gamma}
    ranker = NDFS(t=2.0 * shape[1], max_iter=8, tol=1e-15, **given).fit(X)
    L, Z = laplacian(graph(X, 4, 2.0 * shape[1])), standardised(X)
    F, W, values = written_out(start(X, ranker), Z, L, alpha, beta, gamma, 8)
    np.testing.assert_allclose(ranker.objective_, values, rtol=1e-9)
    np.testing.assert_allclose(ranker.indicators_, F, atol=1e-9)
    np.testing.assert_allclose(ranker.weights_, W, atol=1e-9)
    np.testing.assert_allclose(ranker.scores_, np.linalg.norm(W, axis=1), atol=1e-9)


def test_the_end_is_one_of_the_published_updates():
    """Where it has converged, F·γF / (MF + γFFᵀF) is F, up to what vanishes."""
    X = np.random.default_rng(0).normal(size=(40, 12))
    ranker = NDFS(n_clusters=3, max_iter=1000, tol=1e-14).fit(X)
    L, Z = laplacian(graph(X, 5, ranker.t_)), standardised(X)
    F, W = ranker.indicators_, ranker.weights_
    D = np.diag(0.5 / np.sqrt((W**2).sum(axis=1) + 1e-6))
    inverse = np.linalg.inv(Z.T @ Z + D)
    np.testing.assert_allclose(W, inverse @ Z.T @ F, atol=1e-6)
    M = L + np.eye(40) - 1 / 40 - Z @ inverse @ Z.T
    ratio = 10 * F / (M @ F + 10 * F @ F.T @ F)
    np.testing.assert_allclose((F * ratio)[F > 1e-2], F[F > 1e-2], rtol=1e-3)


@pytest.mark.parametrize("gamma", [1.0, 10.0, 1e4])
@pytest.mark.parametrize("shape", [(60, 20), (30, 300)])
def test_the_objective_falls(shape, gamma):
    X = np.random.default_rng(0).normal(size=shape)
    ranker = NDFS(gamma=gamma).fit(X)
    assert len(ranker.objective_) == ranker.n_iter_ > 1
    assert (np.diff(ranker.objective_) < 0).all()
    assert (ranker.indicators_ >= 0).all()


def blobs(n_clusters=4, n_samples=120):
    rng = np.random.default_rng(0)
    cluster = np.arange(n_samples) % n_clusters
    X = rng.normal(size=(n_samples, 30))
    for j in range(n_clusters - 1):
        X[:, 10 * j] += 9.0 * (cluster == j)
    return X, cluster


def test_clusters_and_their_features_are_found():
    X, cluster = blobs()
    X[:, 5] = 3.0
    ranker = NDFS(n_clusters=4, n_features_to_select=3).fit(X)
    assert adjusted_rand_score(ranker.clusters_, cluster) > 0.95
    assert ranker.get_support(indices=True).tolist() == [0, 10, 20]
    assert ranker.order_[-1] == 5
    assert ranker.scores_[5] == 0


def test_the_start_is_spectral_clustering():
    """As scikit-learn makes clusters of the same vectors."""
    X = np.random.default_rng(0).normal(size=(60, 8))
    ranker = NDFS(n_clusters=4).fit(X)
    vectors = eigh(laplacian(graph(X, 5, ranker.t_)))[1][:, :4]
    ours = start(X, ranker).argmax(axis=1)
    assert adjusted_rand_score(ours, cluster_qr(vectors)) == 1
    easy, cluster = blobs()
    assert adjusted_rand_score(start(easy, NDFS(n_clusters=4)).argmax(axis=1), cluster) > 0.95


def test_scikit_feature_has_the_same_best_features():
    """Where clusters are so clear that k-means finds them in X as it is."""
    theirs = pytest.importorskip("skfeature.function.sparse_learning_based.NDFS")
    from scipy.sparse import csr_matrix

    X, _ = blobs()
    X[:, [0, 10, 20]] *= 5
    S, state = csr_matrix(graph(X, 5, 60.0)), np.random.get_state()  # noqa: NPY002
    np.random.seed(0)  # noqa: NPY002  which it draws from
    found = theirs.ndfs(X - X.mean(axis=0), W=S, n_clusters=4, mode="raw")
    np.random.set_state(state)  # noqa: NPY002
    ours = NDFS(n_clusters=4, standardize=False, gamma=1e8).fit(X)
    assert set(np.argsort(-(found**2).sum(axis=1))[:3]) == set(ours.order_[:3]) == {0, 10, 20}


def test_a_large_gamma_keeps_the_first_clusters():
    X = np.random.default_rng(0).normal(size=(60, 8))
    ranker = NDFS(n_clusters=4, gamma=1e8).fit(X)
    assert np.array_equal(ranker.clusters_, start(X, ranker).argmax(axis=1))
    np.testing.assert_allclose(ranker.indicators_.T @ ranker.indicators_, np.eye(4), atol=1e-2)


def test_a_copy_shares_the_score():
    X = np.random.default_rng(0).normal(size=(40, 6))
    ranker = NDFS().fit(np.column_stack([X, X[:, 2]]))
    assert ranker.scores_[6] == ranker.scores_[2]
    assert not ranker.weights_[6].any()


def test_units_of_the_whole_change_nothing():
    X = np.random.default_rng(0).normal(size=(40, 6))
    for factor in (2.0**-400, 2.0**400):
        assert np.array_equal(NDFS().fit(X * factor).scores_, NDFS().fit(X).scores_)
        plain = NDFS(standardize=False).fit(X)
        scaled = NDFS(standardize=False).fit(X * factor)
        np.testing.assert_allclose(scaled.scores_ * factor, plain.scores_, rtol=1e-9)


def test_without_standardising_features_are_in_units_of_the_longest():
    X = np.random.default_rng(0).normal(size=(40, 6)) * np.linspace(1, 3, 6)
    ranker = NDFS(n_clusters=3, max_iter=3, tol=1e-15, standardize=False).fit(X)
    Z = X - X.mean(axis=0)
    unit = np.linalg.norm(Z, axis=0).max()
    L = laplacian(graph(X, 5, ranker.t_))
    _, W, _ = written_out(start(X, ranker), Z / unit, L, 1.0, 1.0, 10.0, 3)
    np.testing.assert_allclose(ranker.weights_, W / unit, atol=1e-9)


def test_only_constants():
    assert np.array_equal(NDFS().fit(np.ones((8, 3))).scores_, [0, 0, 0])


def test_progress_is_reported():
    seen = []
    with progress_to(lambda done, total: seen.append((done, total))):
        NDFS().fit(np.random.default_rng(0).normal(size=(50, 10)))
    assert seen[-1] == (100, 100)
