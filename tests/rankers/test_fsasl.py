"""FSASL against its published objective, written out."""

import numpy as np
import pytest

from featrank import FSASL
from featrank._utils.progress import progress_to
from featrank.exceptions import DataError
from featrank.rankers.fsasl import in_one_unit
from featrank.solvers.sparse_rows import FLOOR


def groups(n_samples=60, n_features=30, n_groups=3, informative=6, seed=0):
    """Noise, and first features whose means differ between groups."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n_samples) % n_groups
    X = rng.normal(size=(n_samples, n_features))
    informative = min(informative, n_features)
    X[:, :informative] += 4 * rng.normal(size=(n_groups, informative))[labels]
    return X


def published(W, S, P, mu, X, ranker):
    """The objective of Du and Shen; the columns of X are the samples."""
    n_samples = X.shape[1]
    Z = W.T @ X
    value = np.linalg.norm(Z - Z @ S) ** 2 + ranker.alpha / n_samples * np.abs(S).sum()
    for i in range(n_samples):
        for j in range(n_samples):
            near = np.sum((Z[:, i] - Z[:, j]) ** 2) * P[i, j] + mu * P[i, j] ** 2
            value += ranker.beta * near
    return value + ranker.gamma * np.linalg.norm(W, axis=1).sum()


@pytest.mark.parametrize("shape", [(25, 10), (12, 40)])
@pytest.mark.parametrize("n_components", [1, 2])
def test_every_turn_lowers_the_published_objective(shape, n_components):
    X = in_one_unit(groups(*shape) - groups(*shape).mean(axis=0))
    ranker = FSASL(alpha=0.3, beta=0.7, gamma=0.4)
    ranker.gamma_ = ranker.gamma
    state = ranker._start(X, n_components)
    values = []
    for _ in range(15):
        W, F, S, P, mu = state
        np.testing.assert_allclose(X @ W, F, atol=1e-9)
        np.testing.assert_allclose(F.T @ F, np.eye(n_components), atol=1e-9)
        np.testing.assert_allclose(P.sum(axis=1), 1)
        assert (P >= 0).all()
        assert not S.diagonal().any()
        values.append(published(W, S, P, mu, X.T, ranker))
        floor = ranker.gamma * FLOOR * shape[1]
        assert ranker._value(state) == pytest.approx(values[-1], rel=1e-9, abs=floor)
        state = ranker._turn(X, state, n_components)
    assert (np.diff(values) <= floor).all()
    assert values[-1] < 0.8 * values[0]


def test_no_projection_nearby_is_better():
    X = in_one_unit(groups(40, 8) - groups(40, 8).mean(axis=0))
    ranker = FSASL(gamma=0.05)
    ranker.gamma_ = ranker.gamma
    state = ranker._start(X, 1)
    for _ in range(200):
        state = ranker._turn(X, state, 1)
    W, _, S, P, mu = state
    best, rng = published(W, S, P, mu, X.T, ranker), np.random.default_rng(1)
    for size in (1e-4, 1e-2, 0.3):
        for _ in range(10):
            moved = W + size * rng.normal(size=W.shape)
            moved /= np.linalg.norm(X @ moved)
            assert published(moved, S, P, mu, X.T, ranker) > best - 1e-9


@pytest.mark.parametrize("parameters", [{}, {"n_clusters": 4}, {"n_components": 2, "gamma": 0.1}])
@pytest.mark.parametrize("shape", [(60, 30), (30, 200)])
def test_the_objective_does_not_rise(shape, parameters):
    ranker = FSASL(max_iter=40, **parameters).fit(groups(*shape))
    assert len(ranker.objective_) == ranker.n_iter_ <= 40
    assert (np.diff(ranker.objective_) <= 1e-9 * ranker.objective_[0]).all()


@pytest.mark.parametrize("shape", [(60, 30), (45, 300)])
def test_informative_features_come_first(shape):
    ranker = FSASL(n_clusters=3).fit(groups(*shape))
    assert set(ranker.order_[:4]) <= set(range(6))


def test_more_weight_of_the_norm_leaves_fewer_rows():
    X = groups()
    counts = [
        np.sum(FSASL(gamma=gamma, max_iter=40).fit(X).scores_ > 1e-3) for gamma in (0.001, 0.01, 1)
    ]
    assert counts[0] > counts[1] > counts[2] >= 1


def test_scores_are_the_lengths_of_rows():
    ranker = FSASL(n_clusters=3).fit(groups())
    assert ranker.projection_.shape == (30, 2)
    np.testing.assert_allclose(ranker.scores_, np.linalg.norm(ranker.projection_, axis=1))


def test_units_of_the_data_change_nothing():
    X = groups()
    wanted = FSASL().fit(X).scores_
    for factor in (2.0**-700, 2.0**-1000, 2.0**470):
        assert np.array_equal(FSASL().fit(factor * X).scores_, wanted)


def test_constants_come_last_and_duplicates_tie():
    X = groups()
    X[:, 4], X[:, 20] = 5.0, X[:, 3]
    ranker = FSASL(n_clusters=3).fit(X)
    assert ranker.scores_[4] == 0
    assert ranker.order_[-1] == 4
    assert ranker.scores_[20] == ranker.scores_[3]
    assert not FSASL().fit(np.ones((5, 3))).scores_.any()


def test_more_components_than_rank():
    X = groups(20, 3)
    ranker = FSASL(n_components=7).fit(np.column_stack([X, X]))
    assert ranker.projection_.shape == (6, 7)
    assert not ranker.projection_[:, 3:].any()


def test_progress_is_reported_and_many_samples_are_rejected():
    seen = []
    with progress_to(lambda done, total: seen.append((done, total))):
        FSASL(max_iter=30).fit(groups())
    assert seen[-1] == (30, 30)
    assert len(seen) > 2
    with pytest.raises(DataError, match=r"memory in addition to X.*fewer samples"):
        FSASL().fit(np.broadcast_to(np.arange(300_000.0)[:, None], (300_000, 2)))
