import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from featrank import InfFS
from featrank.graph import CorrelationDistance
from featrank.rankers import inf_fs as module

from .ec_fs_data import make_data

GOLDEN = Path(__file__).parent / "golden"


def scaled(values):
    return (values - values.min()) / np.ptp(values)


def brute_force(X, alpha, factor=0.99, normalize="l1"):
    """The published formula, with all eigenvalues and an inverse."""
    deviation = X.std(axis=0, ddof=1)
    if normalize == "l1":
        deviation = (X / np.abs(X).sum(axis=0)).std(axis=0, ddof=1)
    level = scaled(deviation)
    A = alpha * np.maximum.outer(level, level)
    A += (1 - alpha) * (1 - np.abs(spearmanr(X).statistic))
    share = factor / np.abs(np.linalg.eigvals(A)).max()
    identity = np.eye(len(A))
    return (np.linalg.inv(identity - share * A) - identity).sum(axis=1)


@pytest.mark.parametrize("alpha", [0, 0.2, 0.5, 1])
@pytest.mark.parametrize("normalize", ["l1", None])
@pytest.mark.parametrize("factor", [0.3, 0.99])
def test_equals_brute_force(alpha, normalize, factor):
    X, _ = make_data(n_features=80)
    X = X.round(1)
    ranker = InfFS(alpha=alpha, normalize=normalize, factor=factor).fit(X)
    expected = brute_force(X, alpha, factor, normalize)
    np.testing.assert_allclose(ranker.scores_, expected, rtol=1e-10)


@pytest.mark.parametrize("case", ["tiny8x5", "rand60x200", "corr100x2000"])
@pytest.mark.parametrize("toolbox_alpha", [25, 50, 75])
def test_equals_the_toolbox(case, toolbox_alpha):
    """The toolbox's alpha weighs the correlation."""
    X = np.load(GOLDEN / f"{case}.npz")["X"]
    expected = np.load(GOLDEN / "inf_fs.npz")[f"{case}_unsup_{toolbox_alpha:03d}"]
    scores = InfFS(alpha=1 - toolbox_alpha / 100, normalize=None).fit(X).scores_
    np.testing.assert_allclose(scores, expected, rtol=1e-10)


@pytest.mark.parametrize("case", ["tiny8x5", "rand60x200", "corr100x2000"])
def test_the_order_of_2020_is_that_of_short_paths(case):
    """Its factor is so small that the sum is its first term."""
    X = np.load(GOLDEN / f"{case}.npz")["X"]
    expected = np.load(GOLDEN / "inf_fs.npz")[f"{case}_2020_u"]
    scores = InfFS(factor=1e-6, normalize=None).fit(X).scores_
    assert spearmanr(scores, expected).statistic > 0.99999


def test_the_inner_numbers():
    X, _ = make_data(n_features=40)
    ranker = InfFS(normalize=None).fit(X)
    np.testing.assert_allclose(ranker.spread_, scaled(X.std(axis=0, ddof=1)), atol=1e-12)
    A = 0.5 * np.maximum.outer(ranker.spread_, ranker.spread_)
    A += 0.5 * (1 - np.abs(spearmanr(X).statistic))
    assert ranker.eigenvalue_ == pytest.approx(np.linalg.eigvalsh(A).max(), rel=1e-12)
    assert 3 < ranker.n_iter_ < 20


@pytest.mark.parametrize("precision", ["double", "single"])
def test_blocked_or_not_the_same_scores(precision):
    X, _ = make_data(n_features=300)
    kept, anew = (
        InfFS(blocked=blocked, precision=precision).fit(X).scores_ for blocked in (False, True)
    )
    np.testing.assert_allclose(anew, kept, rtol=1e-10)


def test_single_precision():
    X, _ = make_data(n_features=300)
    double, single = (InfFS(precision=p).fit(X).scores_ for p in ("double", "single"))
    np.testing.assert_allclose(single, double, rtol=1e-6)
    assert not np.array_equal(single, double)


@pytest.mark.parametrize(
    ("limits", "expected"),
    [((4096, 2000, 4, 2**30), (False, "float64")), ((4096, 4000, 0, 2**30), (True, "float64")),
     ((20, 2000, 0, 2**30), (True, "float32")), ((20, 1000, 0, 2**30), (False, "float32")),
     ((20, 1000, 4, 2**30), (True, "float32")), ((20, 1000, 4, 1700), (False, "float32"))],
)  # fmt: skip
def test_size_decides_precision_and_storage(monkeypatch, limits, expected):
    seen = []

    def spy(X, *, stored, dtype, n_jobs):
        seen.append((stored, str(dtype)))
        return CorrelationDistance(X, stored=stored, dtype=dtype, n_jobs=n_jobs)

    monkeypatch.setattr(module, "CorrelationDistance", spy)
    monkeypatch.setattr(module, "DOUBLE_UP_TO", limits[0])
    for name, limit in zip(
        ("STORED_BYTES", "STORED_TIMES", "MOST_STORED"), limits[1:], strict=True
    ):
        monkeypatch.setattr(module, name, limit)
    InfFS().fit(make_data(n_features=30)[0][:2])
    assert seen == [expected]


def test_correlations_that_do_not_fit_are_computed_anew(monkeypatch):
    X, _ = make_data(n_features=300)
    kept, memory = InfFS().fit(X).scores_, InfFS().cost(20, 4000).memory
    monkeypatch.setattr(module, "free_memory", lambda: 10_000)
    np.testing.assert_array_equal(InfFS().fit(X).scores_, kept)
    assert InfFS().cost(20, 4000).memory < memory / 4


def test_memory():
    """At most one float32 matrix of all pairs, and with blocks a small part of it."""
    X = np.random.default_rng(0).normal(5, 1, size=(20, 1500))

    def peak(**parameters):
        tracemalloc.start()
        InfFS(precision="single", **parameters).fit(X)
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    square = 4 * 1500**2
    assert peak() < 0.75 * square
    assert peak(blocked=True) < 0.25 * square


@pytest.mark.parametrize("alpha", [0, 0.5, 1])
@pytest.mark.parametrize("blocked", [False, True])
def test_duplicates_get_equal_bits(alpha, blocked):
    X, _ = make_data(n_features=37)
    X = np.hstack([X, X[:, ::-1], X])
    scores = InfFS(alpha=alpha, blocked=blocked).fit(X).scores_
    np.testing.assert_array_equal(scores[:37], scores[37:74][::-1])
    np.testing.assert_array_equal(scores[:37], scores[74:])


def test_a_redundant_feature_ranks_below_one_of_its_own():
    rng = np.random.default_rng(0)
    X = rng.normal(10, 1, size=(200, 6))
    X[:, :5] = X[:, [0]] + 0.01 * rng.normal(size=(200, 5))
    assert InfFS(alpha=0).fit(X).order_[0] == 5


@pytest.mark.parametrize("alpha", [0, 0.5, 1])
@pytest.mark.parametrize("normalize", ["l1", None])
def test_constants_come_last_and_change_nothing(alpha, normalize):
    X, _ = make_data()
    alone = InfFS(alpha=alpha, normalize=normalize).fit(X).scores_
    wide = np.insert(X, [0, 7, 30], [5.0, 0.0, -1.0], axis=1)
    ranker = InfFS(alpha=alpha, normalize=normalize).fit(wide)
    assert ranker.order_[-3:].tolist() == [0, 8, 32]
    np.testing.assert_array_equal(np.delete(ranker.scores_, [0, 8, 32]), alone)


def test_the_only_feature_that_varies_comes_first():
    X = np.column_stack([np.ones(9), np.arange(9), np.zeros(9)])
    ranker = InfFS().fit(X)
    assert ranker.order_.tolist() == [1, 0, 2]
    assert ranker.scores_[[0, 2]].tolist() == [0, 0]


def test_only_constants():
    ranker = InfFS().fit(np.tile([1.0, 0.0, 7.0], (6, 1)))
    assert ranker.scores_.tolist() == [0, 0, 0]
    assert ranker.n_iter_ == 0


def test_features_without_any_difference_tie():
    """Of equal ranks, mirrored too, and equal spread: no edge weighs anything."""
    x = np.random.default_rng(0).normal(5, 1, 40)
    scores = InfFS(normalize=None).fit(np.column_stack([x, 2 - x, x])).scores_
    assert len(set(scores)) == 1


def test_standardised_features_are_ranked_by_correlation():
    X, _ = make_data(n_features=40)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    ranker = InfFS().fit(X)
    assert not ranker.spread_.any()
    expected = InfFS(alpha=0).fit(X).order_
    np.testing.assert_array_equal(ranker.order_, expected)


def test_the_order_of_columns_permutes_the_scores():
    X, _ = make_data(n_features=53)
    shuffle = np.random.default_rng(0).permutation(53)
    scores = InfFS().fit(X).scores_
    np.testing.assert_allclose(InfFS().fit(X[:, shuffle]).scores_, scores[shuffle], rtol=1e-12)


@pytest.mark.parametrize("blocked", [False, True])
def test_threads_change_no_bit(blocked):
    X, _ = make_data(n_features=400)
    one, three = (InfFS(blocked=blocked, n_jobs=n).fit(X).scores_ for n in (1, 3))
    np.testing.assert_array_equal(one, three)
