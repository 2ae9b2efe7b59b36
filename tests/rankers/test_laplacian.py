"""The Laplacian score against the paper's matrices, written out."""

import numpy as np
import pytest
from sklearn.neighbors import kneighbors_graph

from featrank import LaplacianScore
from featrank._utils.progress import progress_to


def published(X, k, t):
    """L_r of He, Cai and Niyogi from dense matrices; t None for binary weights."""
    n_samples = len(X)
    squared = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    near = np.zeros((n_samples, n_samples), bool)
    for i in range(n_samples):
        others = [h for h in range(n_samples) if h != i]
        near[i, sorted(others, key=lambda h: (squared[i, h], h))[:k]] = True
    weights = np.ones_like(squared) if t is None else np.exp(-squared / t)
    S = np.where(near | near.T, weights, 0.0)
    D = np.diag(S.sum(axis=1))
    L, ones = D - S, np.ones(n_samples)
    scores = []
    for f in X.T:
        centred = f - (f @ D @ ones) / (ones @ D @ ones) * ones
        scores.append((centred @ L @ centred) / (centred @ D @ centred))
    return np.array(scores)


@pytest.mark.parametrize("shape", [(40, 6), (9, 300), (5, 2)])
@pytest.mark.parametrize("k", [1, 3, 5])
@pytest.mark.parametrize("t", [0.5, 4.0, None])
def test_published_formula(shape, k, t):
    X = np.random.default_rng(k).normal(size=shape) * 0.1
    parameters = {"weights": "binary"} if t is None else {"t": t}
    ranker = LaplacianScore(n_neighbors=k, **parameters).fit(X)
    np.testing.assert_allclose(ranker.laplacian_, published(X, k, t), rtol=1e-10)
    np.testing.assert_allclose(ranker.scores_, 1 - published(X, k, t), atol=1e-12)


def test_default_width_is_the_mean_squared_distance_to_the_neighbours():
    X = np.random.default_rng(0).normal(size=(50, 4))
    ranker = LaplacianScore(n_neighbors=3).fit(X)
    distances = kneighbors_graph(X, 3, mode="distance").data
    assert ranker.t_ == pytest.approx(np.mean(distances**2), rel=1e-12)
    np.testing.assert_allclose(ranker.laplacian_, published(X, 3, ranker.t_), rtol=1e-10)


def test_scikit_feature_ranks_alike_on_the_same_graph():
    lap_score = pytest.importorskip("skfeature.function.similarity_based.lap_score")
    X = np.random.default_rng(0).normal(size=(50, 20)) * np.arange(1, 21)
    near = kneighbors_graph(X, 4)
    graph = near.maximum(near.T)
    theirs = lap_score.lap_score(X, W=graph, mode="index")
    ours = LaplacianScore(n_neighbors=4, weights="binary").fit(X)
    assert np.array_equal(ours.order_, theirs)


def test_units_of_the_data_change_nothing():
    X = np.random.default_rng(0).normal(size=(60, 5))
    ranker = LaplacianScore().fit(X)
    for factor in (2.0, 2.0**-700, 2.0**-1015, 2.0**470):
        scaled = LaplacianScore().fit(X * factor)
        assert np.array_equal(scaled.scores_, ranker.scores_)
    assert LaplacianScore().fit(2 * X).t_ == pytest.approx(4 * ranker.t_)
    np.testing.assert_allclose(LaplacianScore().fit(3 * X).scores_, ranker.scores_, atol=1e-12)


@pytest.mark.parametrize("kind", ["normal", "one large feature", "outliers", "duplicates"])
def test_the_sketch_loses_no_neighbour(kind):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 9))
    if kind == "one large feature":
        X[:, 3] *= 1e4
    elif kind == "outliers":
        X[[3, 60]] *= 1e5
    elif kind == "duplicates":
        X = np.repeat(X[:30], 5, axis=0)
    for weights, t in (("binary", None), ("heat", 1.0)):
        ranker = LaplacianScore(n_neighbors=7, weights=weights, t=t).fit(X)
        np.testing.assert_allclose(ranker.laplacian_, published(X, 7, t), rtol=1e-9)


@pytest.mark.parametrize("kind", ["normal", "ties", "outliers", "duplicates", "large mean"])
def test_the_products_lose_no_neighbour(kind):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 700))
    if kind == "ties":
        X = rng.integers(0, 2, X.shape).astype(float)
    elif kind == "outliers":
        X[[3, 20]] *= 1e6
    elif kind == "duplicates":
        X = np.repeat(X[:6], 5, axis=0)
    elif kind == "large mean":
        X = np.round(X * 2**10) / 2**10 + 2.0**40
    for weights, t in (("binary", None), ("heat", 900.0)):
        ranker = LaplacianScore(n_neighbors=6, weights=weights, t=t).fit(X)
        centred = X - np.round(X.mean(axis=0)) if kind == "large mean" else X
        np.testing.assert_allclose(ranker.laplacian_, published(centred, 6, t), rtol=1e-9)


def test_duplicates_of_a_feature_tie_in_any_block():
    X = np.random.default_rng(0).normal(size=(20, 6000))
    X[:, [777, 2047, 5999]] = X[:, :1]
    scores = LaplacianScore().fit(X).scores_
    assert len(set(scores[[0, 777, 2047, 5999]])) == 1


def test_a_large_mean_costs_no_digits():
    X = np.round(np.random.default_rng(0).normal(size=(40, 5)) * 2**20) / 2**20
    shifted = LaplacianScore().fit(X + 2.0**30).scores_
    np.testing.assert_allclose(shifted, LaplacianScore().fit(X).scores_, atol=1e-12)


def test_more_neighbours_than_samples_are_all_the_others():
    X = np.random.default_rng(0).normal(size=(6, 3))
    wanted = LaplacianScore(n_neighbors=5).fit(X).scores_
    assert np.array_equal(LaplacianScore(n_neighbors=50).fit(X).scores_, wanted)


def test_equal_samples_have_equal_weights():
    X = np.repeat([[0.0, 1.0], [1.0, 0.0]], 4, axis=0)
    ranker = LaplacianScore(n_neighbors=3).fit(X)
    assert ranker.t_ == 0
    assert np.array_equal(ranker.laplacian_, [0, 0])  # no feature varies between neighbours


def test_only_constants():
    assert np.array_equal(LaplacianScore().fit(np.ones((8, 3))).scores_, [-1, -1, -1])


@pytest.mark.parametrize("t", [1e-300, 1e-3, 1e300])
def test_any_width_gives_numbers(t):
    X = np.random.default_rng(0).normal(size=(30, 4))
    scores = LaplacianScore(t=t).fit(X).scores_
    assert np.isfinite(scores).all()
    assert (np.abs(scores) <= 1).all()
    if t == 1e300:
        binary = LaplacianScore(weights="binary").fit(X).scores_
        np.testing.assert_allclose(scores, binary, atol=1e-12)


def test_clusters_rank_before_noise_and_constants_last():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 6))
    X[:, 2] += 8 * (np.arange(80) % 2)
    X[:, 4] = 5.0
    ranker = LaplacianScore().fit(X)
    assert ranker.order_[0] == 2
    assert ranker.order_[-1] == 4
    assert ranker.scores_[4] == -1


@pytest.mark.parametrize("shape", [(600, 20), (30, 800), (30, 5000)])
def test_workers_change_nothing(shape):
    X = np.random.default_rng(0).normal(size=shape)
    first = LaplacianScore(n_jobs=1).fit(X).scores_
    for n_jobs in (2, -1):
        assert np.array_equal(LaplacianScore(n_jobs=n_jobs).fit(X).scores_, first)


def test_progress_is_reported():
    seen = []
    X = np.random.default_rng(0).normal(size=(5000, 2))
    with progress_to(lambda done, total: seen.append((done, total))):
        LaplacianScore().fit(X)
    assert len(seen) > 1
    assert seen[-1][0] == seen[-1][1] == len(seen)
