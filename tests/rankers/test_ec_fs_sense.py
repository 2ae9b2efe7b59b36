"""EC-FS on the features that the paper does not speak of."""

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

from featrank import ECFS

from .ec_fs_data import KERNELS, make_data


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("alpha", [0, 0.5, 1])
@pytest.mark.parametrize("normalize", ["l1", None])
@pytest.mark.parametrize("data", ["continuous", "integer", "scales far apart"])
def test_constants_come_last(kernel, alpha, normalize, data):
    X, y = make_data()
    if data == "integer":
        X = X.round()
    if data == "scales far apart":
        X *= np.logspace(-12, 12, X.shape[1])
    X[:, [0, 17]] = 5.0
    X[:, 3] = 0.0
    order = ECFS(alpha=alpha, kernel=kernel, normalize=normalize).fit(X, y).order_
    assert order[-3:].tolist() == [0, 3, 17]


@pytest.mark.parametrize("kernel", KERNELS)
def test_constants_come_after_features_without_any_relevance(kernel):
    """Column 1 has equal means and equal counts in both classes."""
    X = np.column_stack([np.ones(8), np.tile([0.0, 0, 1, 1], 2), [0, 1, 0, 1, 0, 1, 1, 0]])
    ranker = ECFS(alpha=1, kernel=kernel).fit(X, np.tile([0, 1], 4))
    assert ranker.fisher_[1] == 0
    assert ranker.order_.tolist() == [2, 1, 0]


@pytest.mark.parametrize("kernel", KERNELS)
def test_only_constants(kernel):
    ranker = ECFS(kernel=kernel).fit(np.tile([1.0, 0.0, 7.0], (6, 1)), np.arange(6) % 2)
    assert ranker.order_.tolist() == [0, 1, 2]
    assert len(set(ranker.scores_)) == 1


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("alpha", [0, 0.3, 1])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_duplicates_get_equal_bits(kernel, alpha, dtype):
    X, y = make_data(n_features=37)
    X = np.hstack([X, X[:, ::-1], X]).astype(dtype)
    scores = ECFS(alpha=alpha, kernel=kernel).fit(X, y).scores_
    np.testing.assert_array_equal(scores[:37], scores[37:74][::-1])
    np.testing.assert_array_equal(scores[:37], scores[74:])


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("alpha", [0, 0.5, 1])
def test_the_order_of_columns_permutes_the_scores(kernel, alpha):
    X, y = make_data(n_features=53)
    shuffle = np.random.default_rng(0).permutation(53)
    ranker = ECFS(alpha=alpha, kernel=kernel)
    scores = ranker.fit(X, y).scores_
    np.testing.assert_array_equal(ranker.fit(X[:, shuffle], y).scores_, scores[shuffle])


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("alpha", [0.01, 0.5, 1])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_an_exact_separator_comes_first(kernel, alpha, n_classes, size):
    X, y = make_data(n_classes=n_classes)
    X[:, 11] = 0.1 + size * (y == 1)
    X[:, 12] = y * 10.0 + np.random.default_rng(0).normal(0, 1e-5, len(y))
    ranker = ECFS(alpha=alpha, kernel=kernel, normalize=None).fit(X, y)
    assert ranker.order_[0] == 11
    others = np.delete(ranker.fisher_, 11)
    if kernel == "toolbox":
        assert ranker.fisher_[11] > others.max()
    else:
        assert ranker.fisher_[11] == 1
        assert others.max() < 1


def test_without_relevance_an_exact_separator_is_like_others():
    X, y = make_data()
    X[:, 11] = 100 + y
    assert ECFS(alpha=0).fit(X, y).order_[0] != 11


def test_all_features_separate_exactly():
    X = np.array([[1.0, 5.0, -3.0], [2.0, 9.0, 4.0]])
    ranker = ECFS(alpha=0.5).fit(X, ["a", "b"])
    assert ranker.fisher_.tolist() == [1, 1, 1]
    assert np.isfinite(ranker.scores_).all()


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("alpha", [0.5, 1])
def test_counts_are_binned_consistently(kernel, alpha):
    """Values on the edges of bins must not look like information."""
    rng = np.random.default_rng(0)
    y = np.arange(250) % 2
    X = rng.poisson(4, (250, 30)).astype(float)
    X[:, :6] = rng.poisson(1 + 8 * y[:, None], (250, 6))
    X[:, 6:] *= rng.integers(1, 20, 24)
    ranker = ECFS(alpha=alpha, kernel=kernel).fit(X, y)
    assert set(np.argsort(-ranker.information_)[:6]) == set(range(6))
    assert set(ranker.order_[:6]) == set(range(6))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("alpha", [0.1, 0.5, 1])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_standardised_data_is_ranked_by_relevance(kernel, alpha, dtype):
    X, y = make_data(n_features=200)
    X = StandardScaler().fit_transform(X.astype(dtype))
    ranker = ECFS(alpha=alpha, kernel=kernel, normalize=None).fit(X, y)
    assert not ranker.spread_.any()
    f, m = ranker.fisher_, ranker.information_
    if kernel == "product":
        np.testing.assert_array_equal(ranker.order_, np.argsort(-f, kind="stable"))
    elif kernel == "toolbox":
        np.testing.assert_array_equal(ranker.order_, np.argsort(-(f + m), kind="stable"))
    assert set(ranker.order_[:3]) <= set(range(5))


def test_standardised_data_without_relevance_has_no_order():
    X, y = make_data()
    X = StandardScaler().fit_transform(X)
    assert len(set(ECFS(alpha=0, normalize=None).fit(X, y).scores_)) == 1


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("alpha", [0, 0.5, 1])
def test_one_feature_alone(kernel, alpha):
    X, y = make_data()
    ranker = ECFS(alpha=alpha, kernel=kernel).fit(X[:, :1], y)
    assert ranker.scores_.tolist() == [1.0]
    assert ranker.ranking_.tolist() == [1]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("alpha", [0, 0.5, 1])
def test_two_features(kernel, alpha):
    """The better is both more relevant and, beside its size, more spread."""
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = np.column_stack([10 + rng.normal(0, 0.1, 40), 10 + 5 * y + rng.normal(size=40)])
    assert ECFS(alpha=alpha, kernel=kernel).fit(X, y).ranking_.tolist() == [2, 1]


@pytest.mark.parametrize("scale", [1e-200, 1e-155, 1e140])
def test_features_of_any_magnitude_keep_scores_finite(scale):
    X, y = make_data()
    X[:, 7] *= scale
    X[:, 8] = y * scale
    scores = ECFS().fit(X, y).scores_
    assert np.isfinite(scores).all()
