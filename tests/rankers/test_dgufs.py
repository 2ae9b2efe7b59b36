"""DGUFS: each step against another solver, and the whole against plain loops."""

from itertools import combinations

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.optimize import lsq_linear

from featrank import DGUFS
from featrank._utils.progress import progress_to
from featrank.rankers import dgufs


def plain(X, k, m, beta, standardize, iterations):
    """The stated problem and algorithm with whole matrices: features are rows, as in the paper."""
    n_samples, n_features = X.shape
    H = np.eye(n_samples) - 1 / n_samples
    rows = X.T @ H
    deviation = np.sqrt((rows**2).mean(axis=1))
    m = min(m, n_features)
    largest = np.sort(deviation)[::-1]
    whole, unit = (np.sqrt(np.mean(largest[:count] ** 2)) for count in (n_features, m))
    if standardize:
        rows, whole, unit = rows / deviation[:, None], 1.0, 1.0
    S = centred_similarity(X)
    L, M, Lambda, mu, last = *np.zeros((3, n_samples, n_samples)), 1.0, np.inf
    Y = rows / whole / n_features**0.25
    objective, residuals = [], []
    for _ in range(iterations):
        W = (1 - beta) * H @ Y.T @ Y @ H + beta * S
        values, vectors = eigh(M + (W - Lambda) / mu)
        largest_ones = [i for i in range(n_samples - k, n_samples) if values[i] > 0]
        L = sum(values[i] * np.outer(vectors[:, i], vectors[:, i]) for i in largest_ones)
        M = np.clip(L + Lambda / mu, 0, 1)
        M[range(n_samples), range(n_samples)] = 1
        residuals.append(np.abs(L - M).max())
        Lambda = Lambda + mu * (L - M)
        mu, last = mu * (1.3 if residuals[-1] < 0.95 * last else 1), residuals[-1]
        dependence = np.array([row @ H @ L @ H @ row for row in rows])
        J = sorted(sorted(range(n_features), key=lambda j: -dependence[j])[:m])
        Y = np.zeros(rows.shape)
        Y[J] = rows[J] / unit / m**0.25
        both = (1 - beta) * np.trace(Y @ H @ L @ H @ Y.T) + beta * np.trace(S @ L)
        objective.append(-both / n_samples**2)
    scores = dependence / n_samples**2 / (1.0 if standardize else largest[0] ** 2)
    return scores, J, np.array(objective), np.array(residuals)


def centred_similarity(X):
    n_samples = len(X)
    squared = np.array([[np.sum((a - b) ** 2) for a in X] for b in X])
    S = np.exp(-squared / (squared.sum() / (n_samples * (n_samples - 1))))
    H = np.eye(n_samples) - 1 / n_samples
    S = H @ S @ H
    return S / np.sqrt(np.mean(S[~np.eye(n_samples, dtype=bool)] ** 2))


def clustered(n_samples=60, n_features=25, informative=(3, 8, 20), seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, n_features))
    X[:, informative] += 6.0 * (np.arange(n_samples) % 3)[:, None]
    return X


@pytest.mark.parametrize("standardize", [True, False])
@pytest.mark.parametrize(("shape", "beta", "m"), [((30, 12), 0.5, 4), ((20, 60), 0.3, 70)])
def test_plain_loops(shape, beta, m, standardize):
    X = np.random.default_rng(0).normal(size=shape) * np.linspace(1, 3, shape[1])
    X[: shape[0] // 2, :3] += 6
    given = {"n_clusters": 3, "n_selected": m, "beta": beta, "standardize": standardize}
    ranker = DGUFS(max_iter=15, tol=1e-12, **given).fit(X)
    scores, J, objective, residuals = plain(X, 3, m, beta, standardize, 15)
    np.testing.assert_allclose(ranker.scores_, scores, rtol=0, atol=1e-9)
    assert ranker.selected_.tolist() == J
    np.testing.assert_allclose(ranker.objective_, objective, atol=1e-9)
    np.testing.assert_allclose(ranker.residuals_, residuals, atol=1e-8)


def test_similarities():
    X = np.random.default_rng(0).normal(size=(15, 4))
    np.testing.assert_allclose(dgufs.similarities(X), centred_similarity(X), atol=1e-10)


def test_no_other_rows_are_better():
    """Every way to keep m rows of the data and to clear the others."""
    rng = np.random.default_rng(0)
    rows, V = rng.normal(size=(7, 9)), rng.normal(size=(9, 2))
    dependence = ((rows @ V) ** 2).sum(axis=1)
    for m in range(1, 8):
        kept = {
            J: np.trace(rows[list(J)] @ V @ V.T @ rows[list(J)].T)
            for J in combinations(range(7), m)
        }
        assert tuple(dgufs.best_rows(dependence, m)) == max(kept, key=kept.get)


@pytest.mark.parametrize("dense_up_to", [10, 500])
def test_nearest_table_of_low_rank(dense_up_to, monkeypatch):
    monkeypatch.setattr(dgufs, "DENSE_UP_TO", dense_up_to)
    rng = np.random.default_rng(0)
    table = rng.normal(size=(60, 60))
    table += table.T
    values, vectors = eigh(table)
    V = dgufs.low_rank(table, 4)
    wanted = (vectors[:, -4:] * values[-4:]) @ vectors[:, -4:].T
    np.testing.assert_allclose(V @ V.T, wanted, atol=1e-6)
    distance = np.linalg.norm(table - V @ V.T)
    for _ in range(50):
        other = V + 0.01 * rng.normal(size=V.shape)
        assert np.linalg.norm(table - other @ other.T) > distance


def test_negative_eigenvalues_are_left_out():
    V = dgufs.low_rank(np.diag([3.0, -1.0, 2.0, -4.0]), 3)
    np.testing.assert_allclose(V @ V.T, np.diag([3.0, 0, 2, 0]), atol=1e-12)


def test_nearest_table_within_bounds():
    table = np.random.default_rng(0).normal(size=(4, 4)) * 2
    low, high = np.eye(4).ravel() - 1e-12, np.ones(16)
    wanted = lsq_linear(np.eye(16), table.ravel(), (low, high), tol=1e-14).x.reshape(4, 4)
    np.testing.assert_allclose(dgufs.within_bounds(table), wanted, atol=1e-6)


@pytest.mark.parametrize("shape", [(60, 20), (30, 300), (10, 30)])
@pytest.mark.parametrize("n_clusters", [2, 3, 5])
def test_it_converges_to_a_table_of_clusters(shape, n_clusters):
    for seed in range(2):
        X = np.random.default_rng(seed).normal(size=shape)
        ranker = DGUFS(n_clusters=n_clusters).fit(X)
        assert len(ranker.residuals_) == len(ranker.objective_) == ranker.n_iter_ < 200
        assert ranker.converged_
        assert ranker.notes() == []
        assert ranker.residuals_[-1] <= 0.01 < ranker.residuals_[:-1].min()
        L = ranker.memberships_ @ ranker.memberships_.T
        assert np.linalg.matrix_rank(L, tol=1e-9) <= n_clusters
        np.testing.assert_allclose(np.diag(L), 1, atol=0.01)
        assert -0.01 <= L.min() <= L.max() <= 1.01


def test_clusters_are_found_with_their_features():
    groups = np.arange(60) % 3
    X = clustered(informative=[])
    for group, feature in enumerate([3, 8, 20]):
        X[groups == group, feature] += 8.0
    X[:, 5] = 3.0
    ranker = DGUFS(n_features_to_select=3, n_clusters=3, n_selected=3).fit(X)
    assert ranker.get_support(indices=True).tolist() == ranker.selected_.tolist() == [3, 8, 20]
    assert ranker.order_[-1] == 5
    assert ranker.scores_[5] == 0
    L = ranker.memberships_ @ ranker.memberships_.T
    assert np.array_equal(L > 0.5, groups == groups[:, None])


def test_a_fit_that_does_not_settle_says_so():
    ranker = DGUFS(max_iter=3).fit(clustered())
    assert ranker.n_iter_ == 3
    assert not ranker.converged_
    assert "3 iterations" in ranker.notes()[0]


def test_two_equal_clusters():
    side = np.repeat([0.0, 1.0], 10)
    X = np.column_stack([side, np.tile([0.0, 0.01], 10)])
    ranker = DGUFS(n_selected=1, n_clusters=2, tol=1e-6).fit(X)
    np.testing.assert_allclose(ranker.scores_, [0.5, 0], atol=1e-5)


def test_the_selected_are_the_best_ranked():
    X = clustered(seed=1)
    for m in (1, 4, 12):
        ranker = DGUFS(n_selected=m).fit(X)
        assert set(ranker.selected_) == set(ranker.order_[:m])


def test_duplicates_share_the_score():
    X = clustered()
    scores = DGUFS().fit(np.column_stack([X, X[:, 2], 4 * X[:, 2]])).scores_
    assert scores[2] == scores[25] == scores[26]
    scores = DGUFS(standardize=False).fit(np.column_stack([X, X[:, 2], 4 * X[:, 2]])).scores_
    assert scores[2] == scores[25]
    np.testing.assert_allclose(scores[26], 16 * scores[2])


def test_units_of_the_whole_change_nothing():
    X = clustered()
    for standardize in (True, False):
        wanted = DGUFS(standardize=standardize).fit(X).scores_
        for factor in (2.0**-500, 2.0**400):
            found = DGUFS(standardize=standardize).fit(X * factor).scores_
            np.testing.assert_allclose(found, wanted, atol=1e-9)


@pytest.mark.parametrize("beta", [0.0, 1.0])
def test_one_term_alone(beta):
    ranker = DGUFS(beta=beta, n_selected=3).fit(clustered())
    assert np.isfinite(ranker.scores_).all()
    assert ranker.converged_


@pytest.mark.parametrize("n_samples", [6, 7, 12])
def test_as_many_clusters_as_samples_leave_nothing_to_rounding(n_samples):
    X = np.random.default_rng(0).normal(size=(n_samples, 300))
    wanted = DGUFS(n_clusters=n_samples).fit(X).scores_
    found = DGUFS(n_clusters=n_samples).fit(X[:, ::-1]).scores_[::-1]
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_only_constants():
    ranker = DGUFS().fit(np.ones((8, 3)))
    assert np.array_equal(ranker.scores_, [0, 0, 0])
    assert ranker.selected_.size == ranker.objective_.size == ranker.n_iter_ == 0


def test_progress_is_reported():
    seen = []
    with progress_to(lambda done, total: seen.append((done, total))):
        DGUFS().fit(clustered())
    assert seen[0] == (1, 200)
    assert seen[-1] == (200, 200)
