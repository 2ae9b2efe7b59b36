"""The trace ratio against all subsets, the paper's graphs, and scikit-feature."""

from itertools import combinations

import numpy as np
import pytest
from scipy.sparse import csr_array

from featrank import FisherScore, TraceRatio
from featrank.rankers.trace_ratio import best_ratio


def table(n_features=8, n_classes=3, seed=0):
    """Return features of several scales, some of which tell the classes apart."""
    rng = np.random.default_rng(seed)
    y = np.arange(30) % n_classes
    X = rng.normal(size=(30, n_features)) + rng.normal(size=(n_classes, n_features))[y]
    return X * rng.gamma(1.0, 2.0, n_features), y


def traces(X, y):
    """Diagonals of X L_b Xᵀ and X L_w Xᵀ with the paper's affinities, written out."""
    size = {label: np.sum(y == label) for label in y}
    same = y[:, None] == y[None, :]
    within = np.where(same, [[1 / size[label] for label in y]], 0.0)
    between = 1 / len(y) - within
    diagonals = []
    for affinity in (between, within):
        laplacian = np.diag(affinity.sum(axis=1)) - affinity
        diagonals.append(np.diag(X.T @ laplacian @ X))
    return diagonals


@pytest.mark.parametrize("n_classes", [2, 3])
def test_scatters_are_the_traces_of_the_papers_graphs(n_classes):
    X, y = table(n_classes=n_classes)
    ranker = TraceRatio().fit(X, y)
    between, within = traces(X, y)
    np.testing.assert_allclose(ranker.between_, between, rtol=1e-10)
    np.testing.assert_allclose(ranker.within_, within, rtol=1e-10)


@pytest.mark.parametrize("size", range(1, 9))
@pytest.mark.parametrize("seed", range(5))
def test_no_subset_has_a_larger_ratio(size, seed):
    X, y = table(seed=seed)
    between, within = traces(X, y)
    best = max(
        between[list(chosen)].sum() / within[list(chosen)].sum()
        for chosen in combinations(range(8), size)
    )
    ranker = TraceRatio(size, subset_size=size).fit(X, y)
    assert ranker.ratio_ == pytest.approx(best, rel=1e-10)
    own = ranker.support_
    assert between[own].sum() / within[own].sum() == pytest.approx(best, rel=1e-10)
    np.testing.assert_allclose(ranker.scores_, between - best * within, atol=1e-9 * between.max())


def test_the_best_ratio_is_not_that_of_the_best_fisher_scores():
    """What has hardly any scatter hardly lowers the ratio of the others: 100.1/10.1 > 180/20."""
    between, within = np.array([100, 80, 0.1]), np.array([10, 10, 0.1])
    assert best_ratio(between, within, 2)[-1] == pytest.approx(100.1 / 10.1)
    assert best_ratio(between, within, 1)[-1] == 10
    assert best_ratio(between, within, 3)[-1] == pytest.approx(180.1 / 20.1)


def test_scikit_feature_scores_alike_if_all_features_count():
    peer = pytest.importorskip("skfeature.function.similarity_based.trace_ratio")
    X, y = table(12)
    order, scores, ratio = peer.trace_ratio(X, y, mode="raw")
    ranker = TraceRatio().fit(X, y)
    assert np.array_equal(ranker.order_, order)
    np.testing.assert_allclose(ranker.scores_[order], scores, rtol=1e-8)
    assert ranker.ratio_ == pytest.approx(ratio, rel=1e-8)


def test_scikit_feature_stops_at_the_best_fisher_scores():
    """It iterates over as many features as it is to choose, so that it cannot choose others."""
    peer = pytest.importorskip("skfeature.function.similarity_based.trace_ratio")
    better = 0
    for seed in range(10):
        X, y = table(12, seed=seed)
        order, _, ratio = peer.trace_ratio(X, y, n_selected_features=5, mode="raw")
        fisher = FisherScore(5, class_weighted=True).fit(X, y)
        assert set(order) == set(np.flatnonzero(fisher.support_))
        ours = TraceRatio(5, subset_size=5).fit(X, y).ratio_
        assert ours >= ratio * (1 - 1e-12)
        better += ours > ratio * (1 + 1e-6)
    assert better > 0


def test_the_ratio_rises_to_its_limit_in_a_few_steps():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    X = rng.normal(size=(60, 3000)) * rng.gamma(0.5, 5, 3000)
    X[:, :50] += y[:, None]
    ranker = TraceRatio(subset_size=40).fit(X, y)
    assert ranker.n_iter_ == len(ranker.objective_) < 15
    assert (np.diff(ranker.objective_) > 0).all()
    assert ranker.ratio_ == ranker.objective_[-1]
    assert abs(np.sort(ranker.scores_)[-40:].sum()) < 1e-9 * np.abs(ranker.scores_).max()


def test_the_order_of_standardised_features_is_fishers_for_any_size():
    X, y = table(20)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    wanted = FisherScore(class_weighted=True).fit(X, y).order_
    for size in (None, 1, 4, 0.5):
        assert np.array_equal(TraceRatio(subset_size=size).fit(X, y).order_, wanted)


def test_fractions_and_more_than_all():
    X, y = table(10)
    for given, same in ((0.3, 3), (0.01, 1), (1.0, 10), (50, None)):
        given, same = (TraceRatio(subset_size=size).fit(X, y).scores_ for size in (given, same))
        assert np.array_equal(given, same)


@pytest.mark.parametrize("size", [None, 1, 2, 3, 5])
def test_exact_separators_come_first_and_constants_last(size):
    """As far as the ratio asks for them: in a large subset a separator counts by its scatter."""
    X, y = table(6)
    X[:, 0], X[:, 1], X[:, 3] = 100.0, 9 * y, 10 * y
    ranker = TraceRatio(subset_size=size).fit(X, y)
    assert ranker.order_[-1] == 0
    assert np.isfinite(ranker.scores_).all()
    if size in (1, 2):
        assert ranker.order_[:2].tolist() == [3, 1]
        assert ranker.scores_[3] > ranker.scores_[1] > 0 > ranker.scores_[2]


def test_tables_without_scatter_within_classes():
    y = np.arange(6) % 2
    X = np.column_stack([np.ones(6), y, 3 * y])
    ranker = TraceRatio(subset_size=2).fit(X, y)
    assert ranker.order_.tolist() == [2, 1, 0]
    assert (ranker.ratio_, ranker.n_iter_) == (0.0, 0)


def test_enormous_ratios_stay_finite():
    y = np.arange(20) % 2
    rng = np.random.default_rng(0)
    X = np.column_stack([1e140 * y + 1e120 * rng.normal(size=20), 1e-140 * rng.normal(size=20)])
    X = np.column_stack([X, 1e140 * rng.normal(size=20), y + 1e-150 * (np.arange(20) == 0)])
    for size in (None, 1, 2, 3):
        assert np.isfinite(TraceRatio(subset_size=size).fit(X, y).scores_).all()


def test_weights_are_repeated_rows_and_sparse_tables_are_tables():
    X, y = table(9)
    X[np.abs(X) < 0.5] = 0
    weights = np.arange(30) % 3 + 1
    rows = np.repeat(np.arange(30), weights)
    wanted = TraceRatio(subset_size=4).fit(X[rows], y[rows]).scores_
    got = TraceRatio(subset_size=4).fit(csr_array(X), y, sample_weight=weights).scores_
    np.testing.assert_allclose(got, wanted, rtol=1e-9, atol=1e-9)


def test_parts_are_the_scatters():
    X, y = table()
    ranker = TraceRatio().fit(X, y)
    parts = ranker.score_components()
    scores = parts["between"] - ranker.ratio_ * parts["within"]
    assert np.array_equal(scores, ranker.scores_)
