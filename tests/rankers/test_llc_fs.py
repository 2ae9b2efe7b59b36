"""LLC-fs against the published regressions, solved in full at every sample."""

import numpy as np
import pytest

from featrank import LLCFS
from featrank._utils.progress import progress_to
from featrank.neighbours import local_learning


def parts_of(near):
    """Number of the part of each sample, two of which are joined if either is near the other."""
    part = list(range(len(near)))
    for i, others in enumerate(near):
        for h in others:
            old, new = part[h], part[i]
            part = [new if p == old else p for p in part]
    return part


def neighbourhoods(X, tau, k):
    n_samples = len(X)
    squared = (tau * (X[:, None] - X[None]) ** 2).sum(axis=2)
    near, part = [[] for _ in X], list(range(n_samples))
    while len(set(part)) > 1:
        count = min(k, n_samples - max(part.count(p) for p in part))
        for i in range(n_samples):
            outside = [h for h in range(n_samples) if part[h] != part[i]]
            near[i] += sorted(outside, key=lambda h: squared[i, h])[:count]
        part = parts_of(near)
    return near


def regression(X, tau, beta):
    """Rows of w and b, as they follow from values y at the rows of X: the normal equations."""
    design = np.column_stack([X, np.ones(len(X))])
    penalty = np.diag(np.append(1 / tau, 0.0))
    return np.linalg.solve(beta * design.T @ design + penalty, beta * design.T)


def step(X, tau, k, beta, c):
    """One step of the published algorithm: the new weights, and the objective."""
    near = neighbourhoods(X, tau, k)
    solved = [regression(X[rows], tau, beta) for rows in near]
    A = np.zeros((len(X), len(X)))
    for i, rows in enumerate(near):
        A[i, rows] = np.append(X[i], 1.0) @ solved[i]
    values, Y = np.linalg.eigh((np.eye(len(X)) - A).T @ (np.eye(len(X)) - A))
    assert values[c] - values[c - 1] > 1e-6  # else the vectors would be anybody's choice
    squared = np.zeros(X.shape[1])
    for i, rows in enumerate(near):
        w = (solved[i] @ Y[rows, :c])[:-1]
        squared += (w**2).sum(axis=1)
    return np.sqrt(squared) / np.sqrt(squared).sum(), values[:c].sum()


def published(X, tau, k, beta, c, steps):
    objective, change = [], []
    for _ in range(steps):
        new, error = step(X, tau, k, beta, c)
        objective.append(error)
        change.append(np.abs(new - tau).sum())
        tau = new
    return tau, np.array(objective), np.array(change)


def standardised(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


def clusters(shape, seed=0, apart=4.0):
    """Two clusters in the first two features."""
    X = np.random.default_rng(seed).normal(size=shape) * np.linspace(1, 2, shape[1])
    X[: shape[0] // 2, :2] += apart
    return X


@pytest.mark.parametrize("shape", [(40, 6), (25, 60)])
@pytest.mark.parametrize(("k", "beta", "c"), [(5, 0.1, 2), (8, 1.0, 3), (100, 10.0, 2)])
@pytest.mark.parametrize("steps", [1, 4])
def test_published_formula(shape, k, beta, c, steps):
    X = clusters(shape)
    tau = X.var(axis=0) / X.var(axis=0).sum()
    wanted, objective, change = published(standardised(X), tau, k, beta, c, steps)
    ranker = LLCFS(n_neighbors=k, beta=beta, n_clusters=c, max_iter=steps, tol=1e-15).fit(X)
    np.testing.assert_allclose(ranker.scores_, wanted, atol=1e-8)
    np.testing.assert_allclose(ranker.objective_, objective, atol=1e-10)
    np.testing.assert_allclose(ranker.change_, change, atol=1e-7)
    assert np.array_equal(ranker.weights_, ranker.scores_)
    assert ranker.n_iter_ == steps


def test_without_standardising():
    X = clusters((40, 6))
    Z = X / X.std(axis=0).max()
    wanted, objective, _ = published(Z, np.full(6, 1 / 6), 5, 0.1, 2, 3)
    ranker = LLCFS(n_neighbors=5, standardize=False, max_iter=3, tol=1e-15).fit(X)
    np.testing.assert_allclose(ranker.scores_, wanted, atol=1e-8)
    np.testing.assert_allclose(ranker.objective_, objective, atol=1e-10)


def test_neighbourhoods_that_fall_into_parts():
    """Three clusters far apart: the formula with neighbours from other parts."""
    X = np.random.default_rng(0).normal(size=(36, 8))
    X[12:24, 3] += 60
    X[24:, 5] += 90
    Z, tau = standardised(X), X.var(axis=0) / X.var(axis=0).sum()
    assert len(neighbourhoods(Z, tau, 4)[0]) > 4
    for c in (2, 3):
        wanted, objective, _ = published(Z, tau, 4, 0.1, c, 3)
        ranker = LLCFS(n_neighbors=4, n_clusters=c, max_iter=3, tol=1e-15).fit(X)
        np.testing.assert_allclose(ranker.scores_, wanted, atol=1e-8)
        np.testing.assert_allclose(ranker.objective_, objective, atol=1e-10)
    assert sorted(ranker.order_[:2]) == [3, 5]


@pytest.mark.parametrize("apart", [0.0, 6.0, 1000.0])
@pytest.mark.parametrize("n_features", [3, 30])
def test_many_samples_by_blocks_and_products(monkeypatch, apart, n_features):
    """What is done with many samples is the same as with few."""
    X = clusters((120, n_features), apart=apart)
    wanted = LLCFS(max_iter=3).fit(X)
    monkeypatch.setattr(local_learning, "HELD", 50)
    monkeypatch.setattr(local_learning, "DENSE_UP_TO", 50)
    for restarts in (30, 1):  # which does not suffice, so that there are factors
        monkeypatch.setattr(local_learning, "RESTARTS", restarts)
        found = LLCFS(max_iter=3).fit(X)
        np.testing.assert_allclose(found.scores_, wanted.scores_, atol=1e-6)
        np.testing.assert_allclose(found.objective_, wanted.objective_, atol=1e-8)


def test_factors_find_what_a_table_finds():
    """Samples along a line, whose smoothest functions are hard to tell apart."""
    X = np.random.default_rng(0).uniform(size=(300, 1))
    error = np.eye(300) - local_learning.LocalLearning.of(X, 6, 100.0).predicted.toarray()
    square = error.T @ error
    largest = np.abs(square).sum(axis=1).max()
    values, vectors = np.linalg.eigh(square + largest / 300)  # without the constant function
    rows = np.tile(np.arange(300), (300, 1))
    found, directions = local_learning._by_factors(local_learning._sparse(square, rows), largest, 3)
    order = np.argsort(found)
    np.testing.assert_allclose(found[order], values[:3], atol=1e-12)
    np.testing.assert_allclose(
        np.abs(directions[:, order].T @ vectors[:, :3]), np.eye(3), atol=1e-6
    )


def test_of_equal_eigenvalues_all_vectors_are_taken():
    """Four parts that nothing joins, though one function is asked for."""
    members = np.arange(24) // 6 * 6
    neighbour = np.array([[h for h in range(m, m + 6) if h != i] for i, m in enumerate(members)])
    weight = np.full((24, 5), 0.2)
    learning = local_learning.LocalLearning(
        neighbour, np.zeros((24, 5, 5)), local_learning._sparse(weight, neighbour)
    )
    values, vectors = learning.smoothest(1)
    np.testing.assert_allclose(values, [0], atol=1e-12)
    assert vectors.shape == (24, 3)
    on_parts = np.kron(np.eye(4), np.full((6, 6), 1 / 6)) - 1 / 24
    np.testing.assert_allclose(vectors @ vectors.T, on_parts, atol=1e-10)


@pytest.mark.parametrize("apart", [6.0, 60.0, 6e6])
@pytest.mark.parametrize("shape", [(60, 20), (40, 400)])
def test_clusters_rank_before_noise_however_far_apart(shape, apart):
    X = np.random.default_rng(0).normal(size=shape)
    X[::2, 13] += apart
    X[:, 5] = 3.0
    ranker = LLCFS().fit(X)
    assert ranker.order_[0] == 13
    assert ranker.scores_[5] == 0
    np.testing.assert_allclose(ranker.scores_.sum(), 1)


def test_a_copy_shares_the_score():
    X = clusters((40, 6))
    ranker = LLCFS().fit(np.column_stack([X, X[:, 1]]))
    assert ranker.scores_[6] == ranker.scores_[1] > 0


def test_units_of_the_whole_change_nothing():
    X = clusters((40, 6))
    for standardize in (True, False):
        wanted = LLCFS(standardize=standardize).fit(X).scores_
        for factor in (2.0**-500, 2.0**400):
            found = LLCFS(standardize=standardize).fit(X * factor).scores_
            np.testing.assert_allclose(found, wanted, atol=1e-9)


def test_it_ends_when_the_weights_hardly_change():
    X = clusters((40, 6))
    ranker = LLCFS(tol=0.5, max_iter=50).fit(X)
    assert ranker.n_iter_ < 50
    assert ranker.change_[-1] <= 0.5
    assert (ranker.change_[:-1] > 0.5).all()
    assert ranker.notes() == []
    hasty = LLCFS(tol=1e-9, max_iter=2).fit(X)
    assert hasty.notes() == [
        f"The weights changed by {hasty.change_[-1]:.2g} in the last of 2 steps."
    ]


def test_only_constants():
    ranker = LLCFS().fit(np.ones((8, 3)))
    assert np.array_equal(ranker.scores_, [0, 0, 0])
    assert ranker.n_iter_ == 0
    assert ranker.notes() == []


def test_two_samples_say_no_more_than_their_spread():
    """A single neighbour has no slope: the weights stay what they were."""
    ranker = LLCFS().fit([[0.0, 0.0, 1.0], [1.0, 2.0, 1.0]])
    np.testing.assert_allclose(ranker.scores_, [0.2, 0.8, 0.0])


def test_progress_is_reported():
    seen = []
    with progress_to(lambda done, total: seen.append((done, total))):
        LLCFS().fit(clusters((50, 10)))
    assert seen[0] == (1, 20)
    assert seen[-1] == (20, 20)
