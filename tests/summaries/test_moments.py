import numpy as np
import pytest

from featrank.kernels import Groups
from featrank.summaries.moments import Moments
from featrank.summaries.relevance import fisher_score


@pytest.fixture(params=[2, 3, 5])
def case(request):
    rng = np.random.default_rng(request.param)
    X = rng.normal(5, 3, (80, 11))
    codes = rng.integers(0, request.param, 80)
    X[:, 3] = 1.5
    return X, codes, Moments.of(X, Groups.of(codes, request.param))


def test_variances_and_mean_are_those_of_numpy(case):
    X, codes, moments = case
    for c, variance in enumerate(moments.class_variance()):
        np.testing.assert_allclose(variance, X[codes == c].var(axis=0, ddof=1), rtol=1e-12)
    np.testing.assert_allclose(moments.overall_mean(), X.mean(axis=0), rtol=1e-13)
    np.testing.assert_allclose(
        moments.overall_variance(), X.var(axis=0, ddof=1), rtol=1e-12, atol=0
    )
    np.testing.assert_array_equal(moments.low, X.min(axis=0))
    np.testing.assert_array_equal(moments.high, X.max(axis=0))


def test_a_constant_has_no_variance_at_all(case):
    _, _, moments = case
    assert moments.overall_variance()[3] == 0
    assert fisher_score(moments)[3] == 0


def test_a_class_of_one_sample_has_no_variance():
    moments = Moments.of(np.array([[1.0], [2.0], [4.0]]), Groups.of(np.array([0, 1, 1]), 2))
    assert moments.class_variance().tolist() == [[0.0], [2.0]]


def test_fisher_score_of_two_classes():
    rng = np.random.default_rng(0)
    X, codes = rng.normal(size=(50, 6)), rng.integers(0, 2, 50)
    a, b = X[codes == 0], X[codes == 1]
    by_hand = [
        (a[:, j].mean() - b[:, j].mean()) ** 2 / (a[:, j].var(ddof=1) + b[:, j].var(ddof=1))
        for j in range(6)
    ]
    np.testing.assert_allclose(score(X, codes), by_hand, rtol=1e-11)


@pytest.mark.parametrize("n_classes", [3, 4])
def test_fisher_score_of_more_classes(n_classes):
    rng = np.random.default_rng(n_classes)
    X, codes = rng.normal(size=(70, 6)), rng.integers(0, n_classes, 70)
    for j, got in enumerate(score(X, codes)):
        parts = [X[codes == c, j] for c in range(n_classes)]
        between = sum((part.mean() - X[:, j].mean()) ** 2 for part in parts)
        assert got == pytest.approx(between / sum(part.var(ddof=1) for part in parts), rel=1e-11)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_fisher_score_without_spread_within_the_classes(n_classes):
    codes = np.arange(30) % n_classes
    X = np.column_stack([codes * 0.1, np.full(30, 0.1), codes == 0])
    assert score(X, codes).tolist() == [np.inf, 0, np.inf]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("scale", [1e-100, 1e-170, 1e-200, 1e-310, 1e150])
def test_fisher_score_is_a_number_at_any_scale(n_classes, scale):
    rng = np.random.default_rng(0)
    codes = np.arange(30) % n_classes
    X = np.column_stack([rng.normal(size=30), codes, np.ones(30)]) * scale
    assert not np.isnan(score(X, codes)).any()


def score(X, codes):
    return fisher_score(Moments.of(X, Groups.of(codes, codes.max() + 1)))
