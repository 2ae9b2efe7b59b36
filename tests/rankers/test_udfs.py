"""UDFS against the published matrices, written out, and a dense solver."""

import numpy as np
import pytest
from scipy.linalg import eigh

from featrank import UDFS
from featrank._utils.progress import progress_to


def neighbourhoods(X, k):
    """Each sample and its k nearest."""
    squared, rows = ((X[:, None] - X[None]) ** 2).sum(axis=2), range(len(X))
    return [sorted(rows, key=lambda h: (h != i, squared[i, h], h))[: k + 1] for i in rows]


def published(X, Z, k, lam, gamma, c, max_iter):
    """M, and rows' lengths and objectives of so many rotations; Z are the features as in M."""
    n_samples, n_features = Z.shape
    M = np.zeros((n_features, n_features))
    lam = lam * (Z**2).sum() / n_samples
    for near in neighbourhoods(X, k):
        local = Z[near] - Z[near].mean(axis=0)
        M += local.T @ np.linalg.inv(local @ local.T + lam * np.eye(k + 1)) @ local
    mean = np.diag(M).mean()
    D, objective = (1 + np.diag(M) / mean) / 2, []
    for _ in range(max_iter):
        W = eigh(M + gamma * mean * np.diag(D))[1][:, :c]
        length = np.sqrt((W**2).sum(axis=1) + 1e-6)
        D = 1 / (2 * length)
        objective.append(np.trace(W.T @ M @ W) + gamma * mean * length.sum())
    return M, np.sqrt((W**2).sum(axis=1)), np.array(objective)


def standardised(X, k):
    """Unit spread of all the members of neighbourhoods, one after the other."""
    members = X[np.concatenate(neighbourhoods(X, k))]
    return (X - X.mean(axis=0)) / members.std(axis=0)


@pytest.mark.parametrize("shape", [(40, 15), (25, 60), (25, 260), (250, 210)])
@pytest.mark.parametrize(("gamma", "lam"), [(3.0, 1.0), (0.3, 0.1)])
def test_published_formula(shape, gamma, lam):
    """Tables of features and of samples, dense and searched."""
    X = np.random.default_rng(0).normal(size=shape) * np.linspace(1, 2, shape[1])
    M, length, objective = published(X, standardised(X, 4), 4, lam, gamma, 3, 6)
    given = {"n_neighbors": 4, "n_clusters": 3, "gamma": gamma, "lam": lam}
    ranker = UDFS(max_iter=6, tol=1e-15, **given).fit(X)
    np.testing.assert_allclose(ranker.local_scatter_, np.diag(M), rtol=1e-9)
    np.testing.assert_allclose(ranker.objective_, objective, rtol=1e-7)
    found = np.linalg.norm(ranker.weights_, axis=1)
    np.testing.assert_allclose(found, length, atol=1e-5)
    alone = np.diag(M) / np.diag(M).max()
    wanted = np.where(length > 0.01, length - 0.01 * alone, -alone)
    np.testing.assert_allclose(ranker.scores_, wanted, atol=1e-5)


def test_without_standardising():
    X = np.random.default_rng(0).normal(size=(40, 8)) * np.linspace(1, 2, 8)
    M, length, _ = published(X, X - X.mean(axis=0), 4, 1.0, 3.0, 3, 6)
    ranker = UDFS(n_neighbors=4, n_clusters=3, standardize=False, max_iter=6, tol=1e-15).fit(X)
    np.testing.assert_allclose(ranker.local_scatter_, np.diag(M), rtol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(ranker.weights_, axis=1), length, atol=1e-7)


@pytest.mark.parametrize("gamma", [0.03, 0.3, 3.0])
@pytest.mark.parametrize("shape", [(60, 20), (30, 300)])
def test_the_objective_falls_and_the_columns_are_orthonormal(shape, gamma):
    X = np.random.default_rng(0).normal(size=shape)
    ranker = UDFS(gamma=gamma).fit(X)
    assert len(ranker.objective_) == ranker.n_iter_ > 1
    assert (np.diff(ranker.objective_) <= 1e-9 * ranker.objective_[:-1]).all()
    np.testing.assert_allclose(ranker.weights_.T @ ranker.weights_, np.eye(5), atol=1e-10)


def test_a_larger_gamma_leaves_fewer_features_in_use():
    X = np.random.default_rng(0).normal(size=(60, 40))
    used = [np.count_nonzero(UDFS(gamma=gamma).fit(X).scores_ > 0) for gamma in (0.01, 0.3, 10)]
    assert used[0] > used[1] > used[2] == 5


def test_clusters_rank_before_noise_and_constants_last():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 30))
    X[:, [3, 8, 20]] += 7.0 * (np.arange(90) % 3)[:, None]
    X[:, 5] = 3.0
    ranker = UDFS(n_features_to_select=3, n_clusters=2).fit(X)
    assert ranker.get_support(indices=True).tolist() == [3, 8, 20]
    assert ranker.order_[-1] == 5
    assert ranker.scores_[5] == -2


def test_a_copy_shares_the_score():
    X = np.random.default_rng(0).normal(size=(40, 6))
    ranker = UDFS().fit(np.column_stack([X, X[:, 2]]))
    assert ranker.scores_[6] == ranker.scores_[2]
    assert not ranker.weights_[6].any()


def test_units_of_the_whole_change_nothing():
    X = np.random.default_rng(0).normal(size=(40, 6))
    for standardize in (True, False):
        wanted = UDFS(standardize=standardize).fit(X).scores_
        for factor in (2.0**-500, 2.0**400):
            found = UDFS(standardize=standardize).fit(X * factor).scores_
            np.testing.assert_allclose(found, wanted, atol=1e-9)


def test_only_constants():
    ranker = UDFS().fit(np.ones((8, 3)))
    assert np.array_equal(ranker.scores_, [-2, -2, -2])
    assert ranker.weights_.shape == (3, 0)
    assert ranker.n_iter_ == 0


def test_neighbourhoods_without_any_spread():
    ranker = UDFS(n_neighbors=3).fit(np.repeat([[0.0, 1.0], [1.0, 0.0]], 4, axis=0))
    assert np.array_equal(ranker.local_scatter_, [0, 0])
    assert np.isfinite(ranker.scores_).all()


def test_samples_that_repeat_are_no_signal():
    rows = np.random.default_rng(0).normal(size=(3, 400))
    ranker = UDFS().fit(np.repeat(rows, 6, axis=0))
    assert (np.diff(ranker.objective_) <= 1e-12 * ranker.objective_[0]).all()


@pytest.mark.parametrize("n_clusters", [2, 3])
def test_weak_clusters_in_much_noise_are_seen(n_clusters):
    """Samples near to many others, which many features make, are no sign of clusters."""
    found = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(100, 1000))
        X[:, :10] += 1.5 * rng.normal(size=(n_clusters, 10))[np.arange(100) % n_clusters]
        found.append(np.mean(UDFS().fit(X).order_[:10] < 10))
    assert np.mean(found) > 0.3  # by chance 0.01, and 0.2 if all samples count alike


def test_progress_is_reported():
    seen = []
    with progress_to(lambda done, total: seen.append((done, total))):
        UDFS().fit(np.random.default_rng(0).normal(size=(50, 10)))
    assert seen[-1] == (100, 100)
