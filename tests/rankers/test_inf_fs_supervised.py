import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse.linalg import eigs
from scipy.stats import kendalltau, spearmanr

from featrank import FisherScore, InfFSSupervised, MutualInformation
from featrank.exceptions import UsageError
from featrank.graph import Degree, InfinitePaths, LargestOfTwo, RankOne

from .ec_fs_data import make_data

GOLDEN = Path(__file__).parent / "golden"
CASES = ["tiny8x5", "rand60x200", "corr100x2000"]


def scaled(values):
    return (values - values.min()) / np.ptp(values)


def matrix(X, y, alpha, directed, normalize):
    """B of the docstring, written out, and made symmetric unless directed."""
    f = scaled(FisherScore().fit(X, y).scores_)[:, None]
    m = scaled(MutualInformation().fit(X, y).scores_)[None]
    parts = X / np.abs(X).sum(axis=0) if normalize == "l1" else X
    level = scaled(parts.std(axis=0, ddof=1))
    S = np.maximum.outer(level, level)
    B = alpha[0] * (f + m) / 2 + alpha[1] * (m + S) / 2 + alpha[2] * (S + f) / 2
    return B if directed else (B + B.T) / 2


def all_paths(A, factor):
    """The largest eigenvalue, and the sum over all paths with an inverse."""
    identity, largest = np.eye(len(A)), np.abs(np.linalg.eigvals(A)).max()
    return largest, (np.linalg.inv(identity - factor / largest * A) - identity).sum(axis=1)


@pytest.mark.parametrize("alpha", [(1, 1, 1), (0.3, 0.3, 0.4), (1, 0, 0), (0, 1, 0), (0, 0, 5)])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("normalize", ["l1", None])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_equals_brute_force(alpha, directed, normalize, n_classes):
    X, y = make_data(n_features=50, n_classes=n_classes)
    ranker = InfFSSupervised(alpha=alpha, directed=directed, normalize=normalize, factor=0.95)
    A = matrix(X, y, alpha, directed, normalize) / sum(alpha)
    largest, expected = all_paths(A, 0.95)
    np.testing.assert_allclose(ranker.fit(X, y).scores_, expected, rtol=1e-10)
    np.testing.assert_allclose(ranker.graph_.to_dense(), A, atol=1e-12)
    assert ranker.eigenvalue_ == pytest.approx(largest, rel=1e-10)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("alpha", [25, 50, 75])
def test_the_toolbox_scores_from_its_inner_vectors(case, alpha):
    """The toolbox's first supervised graph: Fisher scores times each other, and spread."""
    golden = np.load(GOLDEN / f"{case}.npz")
    fisher, level = golden["fisher"].ravel(), scaled(golden["X"].std(axis=0, ddof=1))
    low, high = fisher.min() ** 2, fisher.max() ** 2
    kernel = 1 / (high - low) * RankOne(fisher) + -low / (high - low) * RankOne(np.ones_like(level))
    graph = alpha / 100 * kernel + (1 - alpha / 100) * LargestOfTwo(level)
    expected = np.load(GOLDEN / "inf_fs.npz")[f"{case}_sup_{alpha:03d}"]
    np.testing.assert_allclose(InfinitePaths()(graph).scores, expected, rtol=1e-10)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_defaults_are_the_formula(n_classes):
    X, y = make_data(n_features=50, n_classes=n_classes)
    _, expected = all_paths(matrix(X, y, (1 / 3, 1 / 3, 1 / 3), False, "l1"), 0.99)
    np.testing.assert_allclose(InfFSSupervised().fit(X, y).scores_, expected, rtol=1e-9)


@pytest.mark.parametrize("case", CASES)
def test_the_scores_of_2020_from_the_toolbox_inner_vectors(case):
    """B is the authors' matrix, divided by its largest row sum; and so is r, again."""
    golden = np.load(GOLDEN / f"{case}.npz")
    f, m = (scaled(golden[name].ravel()) for name in ("fisher", "mi"))
    level = scaled(golden["X"].std(axis=0, ddof=1))
    ones, small = np.ones_like(level), 5e-6 * len(level)
    graph = 0.35 * RankOne(f, ones) + 0.3 * RankOne(ones, m) + 0.35 * LargestOfTwo(level)
    largest_row = graph.product(ones).max()
    paths = (1 - small) / largest_row / (largest_row + small)
    eigenvalue = eigs(graph.to_dense(), k=1, return_eigenvectors=False)[0].real
    expected = np.load(GOLDEN / "inf_fs.npz")[f"{case}_2020_s"] - 1  # they count paths of length 0
    scores = InfinitePaths(paths * eigenvalue)(graph).scores
    np.testing.assert_allclose(scores, expected, rtol=1e-9)


@pytest.mark.parametrize("case", CASES)
def test_three_settings_give_the_ranking_of_2020(case):
    golden = np.load(GOLDEN / f"{case}.npz")
    expected = np.load(GOLDEN / "inf_fs.npz")[f"{case}_2020_s"]
    settings = {"directed": True, "normalize": None, "factor": 1e-6}
    ranker = InfFSSupervised(alpha=(0.3, 0.3, 0.4), **settings).fit(golden["X"], golden["y"])
    assert spearmanr(ranker.scores_, expected).statistic > 0.99999
    default = InfFSSupervised(alpha=(0.3, 0.3, 0.4)).fit(golden["X"], golden["y"])
    assert 0.2 < spearmanr(default.scores_, expected).statistic < 0.8


@pytest.mark.parametrize("case", CASES)
def test_the_order_of_2020_is_that_of_plain_row_sums(case):
    """Its factor is so small that the sum is its first term, in which information cancels."""
    golden = np.load(GOLDEN / f"{case}.npz")
    expected = np.load(GOLDEN / "inf_fs.npz")[f"{case}_2020_s"]
    ranker = InfFSSupervised(alpha=(0.3, 0.3, 0.4), directed=True, normalize=None)
    degree = Degree()(ranker.fit(golden["X"], golden["y"]).graph_).scores
    assert kendalltau(degree, expected).statistic > 0.9999
    assert spearmanr(degree, expected).statistic > 0.99999


def test_only_ratios_of_the_weights_matter():
    X, y = make_data()
    one, ten = (InfFSSupervised(alpha=a).fit(X, y).scores_ for a in ((1, 2, 3), (10, 20, 30)))
    np.testing.assert_allclose(one, ten, rtol=1e-12)


@pytest.mark.parametrize("directed", [False, True])
def test_information_moves_the_ranking_of_the_undirected_graph(directed):
    """Feature 0 and 1 differ in information alone: their means are equal in both classes."""
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    X = 10 + rng.normal(size=(400, 20))
    X[:, 0] = 10 + rng.normal(size=400) * np.where(y, 0.2, 1.4)
    X[:, 1] = 10 + rng.normal(size=400) * np.sqrt((0.2**2 + 1.4**2) / 2)
    X[:, :2] -= np.where(y[:, None], X[y == 1, :2].mean(axis=0), X[y == 0, :2].mean(axis=0)) - 10
    ranker = InfFSSupervised(alpha=(1, 1, 0), directed=directed).fit(X, y)
    assert ranker.information_[0] == 1
    assert (ranker.order_[0] == 0) is not directed


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_duplicates_get_equal_bits(directed, dtype):
    X, y = make_data(n_features=37)
    X = np.hstack([X, X[:, ::-1], X]).astype(dtype)
    scores = InfFSSupervised(directed=directed).fit(X, y).scores_
    np.testing.assert_array_equal(scores[:37], scores[37:74][::-1])
    np.testing.assert_array_equal(scores[:37], scores[74:])


@pytest.mark.parametrize("directed", [False, True])
def test_the_order_of_columns_permutes_the_scores(directed):
    X, y = make_data(n_features=53)
    shuffle = np.random.default_rng(0).permutation(53)
    ranker = InfFSSupervised(directed=directed)
    scores = ranker.fit(X, y).scores_
    np.testing.assert_array_equal(ranker.fit(X[:, shuffle], y).scores_, scores[shuffle])


@pytest.mark.parametrize("alpha", [(1, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("normalize", ["l1", None])
def test_constants_come_last(alpha, directed, normalize):
    X, y = make_data()
    X[:, [0, 17]] = 5.0
    X[:, 3] = 0.0
    ranker = InfFSSupervised(alpha=alpha, directed=directed, normalize=normalize).fit(X, y)
    assert ranker.order_[-3:].tolist() == [0, 3, 17]


@pytest.mark.parametrize("directed", [False, True])
def test_an_exact_separator_comes_first(directed):
    X, y = make_data()
    X[:, 11] = 100 + 0.1 * y
    X[:, 12] = y * 10.0 + np.random.default_rng(0).normal(0, 1e-5, len(y))
    ranker = InfFSSupervised(directed=directed, normalize=None).fit(X, y)
    assert ranker.order_[0] == 11
    assert ranker.fisher_[11] == 1
    assert np.delete(ranker.fisher_, 11).max() < 1


def test_without_weight_on_fisher_it_is_like_others():
    X, y = make_data()
    X[:, 11] = 100 + 0.1 * y
    for alpha, like_others in [((0, 1, 0), True), ((1, 1, 1), False)]:
        ranker = InfFSSupervised(alpha=alpha).fit(X, y)
        plain = InfinitePaths()(ranker.graph_).scores
        assert np.allclose(ranker.scores_, plain, rtol=1e-10) is like_others


def test_one_feature_and_only_constants():
    X, y = make_data()
    assert InfFSSupervised().fit(X[:, :1], y).ranking_.tolist() == [1]
    constants = InfFSSupervised().fit(np.ones((6, 3)), np.arange(6) % 2)
    assert len(set(constants.scores_)) == 1


def test_standardised_data_is_ranked_by_relevance():
    X, y = make_data(n_features=200)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    ranker = InfFSSupervised().fit(X, y)
    assert not ranker.spread_.any()
    expected = np.argsort(-(ranker.fisher_ + ranker.information_), kind="stable")
    np.testing.assert_array_equal(ranker.order_, expected)


def test_memory_is_linear():
    """A matrix of all pairs would take 288 MB."""
    X = np.random.default_rng(0).normal(5, 1, size=(4, 6000)).astype(np.float32)
    tracemalloc.start()
    InfFSSupervised().fit(X, [0, 1, 0, 1])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20e6


@pytest.mark.parametrize("alpha", [(1, 1), (0, 0, 0), (1, -1, 1), (1, 1, np.nan), [[1, 1, 1]]])
def test_weights_that_make_no_graph_are_rejected(alpha):
    X, y = make_data()
    with pytest.raises(
        UsageError, match=r"three nonnegative weights, not all 0.*`alpha=\(1, 1, 1\)`"
    ):
        InfFSSupervised(alpha=alpha).fit(X, y)
