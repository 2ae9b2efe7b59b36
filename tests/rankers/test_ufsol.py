"""UFSOL against its objective, written out triplet by triplet and sample by sample."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from featrank import UFSOL
from featrank._utils.progress import progress_to
from featrank.exceptions import DataError
from featrank.rankers.ufsol import ordinal_laplacian
from featrank.solvers.k_means import group_projector
from featrank.solvers.sparse_rows import FLOOR

from .test_fsasl import groups


def triplet_weights(X, k):
    """Weights of pairs, summed over triplets, then scaled to [0, 1] for each sample."""
    distances = squareform(pdist(X))
    C = np.zeros_like(distances)
    for i, row in enumerate(distances):
        near = [u for u in np.argsort(row, kind="stable") if u != i][:k]
        summed = {u: sum(row[v] - row[u] for v in near) for u in near}
        low, high = min(summed.values()), max(summed.values())
        for u in near:
            C[i, u] = (summed[u] - low) / (high - low) if high > low else 1.0
    return C


def published(W, U, V, X, C, ranker):
    """The objective; the columns of X are the samples."""
    Z = W.T @ X
    value = np.linalg.norm(Z - U @ V) ** 2 + ranker.beta * np.linalg.norm(W, axis=1).sum()
    for i, u in zip(*np.nonzero(C), strict=True):
        value += ranker.alpha * C[i, u] / 2 * np.sum((Z[:, i] - Z[:, u]) ** 2)
    return value


def prepared(shape):
    X = groups(*shape)
    X -= X.mean(axis=0)
    return X, X / np.linalg.norm(X, axis=0)


@pytest.mark.parametrize("k", [1, 2, 5, 30])
def test_weights_are_those_of_all_triplets(k):
    X, rng = groups(20, 4), np.random.default_rng(0)
    points = rng.normal(size=(20, 2))
    C = triplet_weights(X, k)
    wanted = sum(
        C[i, u] / 2 * np.sum((points[i] - points[u]) ** 2) for i in range(20) for u in range(20)
    )
    L = ordinal_laplacian(squareform(pdist(X, "sqeuclidean")), k)
    assert np.trace(points.T @ L @ points) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("shape", [(25, 10), (12, 40)])
@pytest.mark.parametrize("n_clusters", [2, 3])
def test_every_turn_lowers_the_objective(shape, n_clusters):
    X, scaled = prepared(shape)
    C = triplet_weights(X, 4)
    ranker = UFSOL(n_clusters=n_clusters, n_neighbors=4, alpha=0.6, beta=0.3)
    ranker.projection_ = np.zeros((shape[1], n_clusters - 1))
    graph = ordinal_laplacian(squareform(pdist(X, "sqeuclidean")), 4)
    state, values = ranker._start(scaled, ranker._alone(scaled, graph)), []
    for _ in range(12):
        state = ranker._turn(scaled, graph, state)
        W, labels = state.weights, state.labels
        one_hot = (labels == np.unique(labels)[:, None]).astype(float)
        V = one_hot / np.sqrt(one_hot.sum(axis=1, keepdims=True))
        np.testing.assert_allclose(V @ V.T, np.eye(len(V)), atol=1e-12)
        np.testing.assert_allclose(W.T @ W, np.eye(n_clusters - 1), atol=1e-9)
        U = W.T @ scaled.T @ V.T  # the best for this V
        values.append(published(W, U, V, scaled.T, C, ranker))
        floor = FLOOR * shape[1]
        assert ranker._value(scaled, graph, state) == pytest.approx(values[-1], rel=1e-9, abs=floor)
    assert (np.diff(values) <= floor).all()
    assert values[-1] < values[0]


def test_no_projection_nearby_is_better():
    X, scaled = prepared((40, 8))
    ranker = UFSOL(beta=0.1, tol=0, max_iter=200).fit(X)
    C, labels, rng = triplet_weights(X, 5), ranker.labels_, np.random.default_rng(0)

    def value(W):
        Z = W.T @ scaled.T
        left = Z - Z @ group_projector(labels)
        pairs = sum(
            C[i, u] / 2 * np.sum((Z[:, i] - Z[:, u]) ** 2)
            for i, u in zip(*np.nonzero(C), strict=True)
        )
        return np.sum(left**2) + pairs + ranker.beta * np.linalg.norm(W, axis=1).sum()

    best = value(ranker.projection_)
    assert best == pytest.approx(ranker.objective_[-1], rel=1e-6)
    for size in (1e-4, 1e-2, 0.3):
        for _ in range(10):
            moved = ranker.projection_ + size * rng.normal(size=(8, 1))
            assert value(moved / np.linalg.norm(moved)) > best - 1e-9


@pytest.mark.parametrize(
    "parameters", [{}, {"n_clusters": 4}, {"beta": 0.1, "scale_features": False}, {"alpha": 0}]
)
@pytest.mark.parametrize("shape", [(60, 30), (30, 200)])
def test_the_objective_does_not_rise(shape, parameters):
    ranker = UFSOL(**parameters).fit(groups(*shape))
    assert len(ranker.objective_) == ranker.n_iter_ <= 50
    assert (np.diff(ranker.objective_) <= 1e-9 * ranker.objective_[0]).all()


@pytest.mark.parametrize("shape", [(60, 30), (45, 300)])
def test_informative_features_come_first(shape):
    ranker = UFSOL(n_clusters=3, beta=0.5).fit(groups(*shape))
    assert set(ranker.order_[:2]) <= set(range(6))


def test_groups_are_found():
    ranker = UFSOL(n_clusters=3).fit(groups())
    truth = np.arange(60) % 3
    same = ranker.labels_[:, None] == ranker.labels_
    assert np.mean(same == (truth[:, None] == truth)) > 0.9


def test_without_scaling_the_least_spread_is_preferred():
    X = groups()
    X[:, 25] *= 0.01
    assert UFSOL(scale_features=False).fit(X).order_[0] == 25
    assert UFSOL().fit(X).order_[0] < 6


def test_units_of_the_data_change_nothing():
    X = groups()
    wanted = UFSOL().fit(X).scores_
    for factor in (2.0**-700, 2.0**-1000, 2.0**470):
        assert np.array_equal(UFSOL().fit(factor * X).scores_, wanted)


def test_constants_come_last_and_duplicates_tie():
    X = groups()
    X[:, 4], X[:, 20] = 5.0, X[:, 3]
    ranker = UFSOL(n_clusters=3).fit(X)
    assert ranker.scores_[4] == -2
    assert ranker.order_[-1] == 4
    assert ranker.scores_[20] == ranker.scores_[3]
    assert (UFSOL().fit(np.ones((5, 3))).scores_ == -2).all()


@pytest.mark.parametrize("seed", range(5))
def test_the_weight_of_a_feature_is_not_lost_among_its_duplicates(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (40, 5)).astype(float)
    X = np.column_stack([X, X[:, :4], 3 * X[:, :3]])
    ranker = UFSOL().fit(X)
    assert ranker.scores_.max() > 0.5
    assert np.array_equal(ranker.scores_[5:9], ranker.scores_[:4])
    y = np.arange(40) % 2
    assert UFSOL().fit(np.column_stack([y, rng.normal(size=40), 2.0 * y])).scores_[0] > 0.5


@pytest.mark.parametrize("n_clusters", [2, 4, 6])
@pytest.mark.parametrize("distinct", [2, 3, 4])
def test_samples_that_repeat_are_ranked(distinct, n_clusters):
    rows = np.random.default_rng(0).normal(size=(distinct, 10))
    ranker = UFSOL(n_clusters=n_clusters).fit(np.repeat(rows, 12, axis=0))
    assert np.isfinite(ranker.scores_).all()


def test_features_that_are_not_in_use_go_by_what_they_are_alone():
    rng = np.random.default_rng(0)
    group = np.arange(90) % 3
    X = rng.normal(size=(90, 100))
    X[:, :10] += 3 * rng.normal(size=(3, 10))[group]
    ranker = UFSOL().fit(X)
    assert set(ranker.order_[:5]) <= set(range(10))
    unused = ranker.scores_ < 0
    assert unused.sum() > 50
    assert np.array_equal(ranker.scores_[unused], -ranker.alone_[unused])


def test_more_components_and_groups_than_there_can_be():
    ranker = UFSOL(n_clusters=9, n_components=7).fit(groups(5, 3))
    assert ranker.projection_.shape == (3, 7)
    assert not ranker.projection_[:, 3:].any()


def test_progress_is_reported_and_many_samples_are_rejected():
    seen = []
    with progress_to(lambda done, total: seen.append((done, total))):
        UFSOL(max_iter=30).fit(groups())
    assert seen[-1] == (30, 30)
    assert len(seen) > 2
    with pytest.raises(DataError, match=r"memory in addition to X.*fewer samples"):
        UFSOL().fit(np.broadcast_to(np.arange(300_000.0)[:, None], (300_000, 2)))
