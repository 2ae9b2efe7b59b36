import numpy as np
import pytest
from scipy.special import polygamma
from scipy.stats import ttest_ind

from featrank.kernels import Groups
from featrank.statistics.moderated_t import PooledMoments, moderated_t
from featrank.statistics.welch import split_moments
from featrank.summaries.moments import Moments
from featrank.summaries.shrinkage import VariancePrior, inverse_trigamma

from .moderated_t_golden import TWO_CLASSES, golden


def pooled(X, codes):
    codes = np.asarray(codes).astype(np.intp)
    groups = Groups.of(codes, codes.max() + 1)
    return PooledMoments.of(*split_moments(Moments.of(np.asfortranarray(X), groups)))


@pytest.fixture(params=TWO_CLASSES)
def limma(request):
    return golden(request.param)


def test_t_and_p_are_those_of_limma(limma):
    t, p = moderated_t(pooled(limma["x"], limma["group"]))
    np.testing.assert_allclose(t[1], limma["t"], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(p[1], limma["p"], rtol=1e-9)
    np.testing.assert_allclose(t[0], -t[1], rtol=1e-9, atol=1e-12)


def test_prior_and_posterior_are_those_of_limma(limma):
    moments = pooled(limma["x"], limma["group"])
    prior = VariancePrior.of(moments.variance[1], moments.freedom[1])
    np.testing.assert_allclose(prior.freedom, limma["df_prior"], rtol=1e-9)
    np.testing.assert_allclose(prior.variance, limma["s2_prior"], rtol=1e-9)
    squeezed = prior.squeezed(moments.variance[1], moments.freedom[1])
    np.testing.assert_allclose(squeezed, limma["s2_post"], rtol=1e-9)
    total = prior.total_freedom(moments.freedom[1])
    np.testing.assert_allclose(total, limma["df_total"], rtol=1e-9)


def test_the_golden_cases_cover_the_edges():
    assert np.isinf(golden("homoscedastic")["df_prior"])
    assert golden("one_feature")["df_prior"] == 0
    zeros = golden("zero_variances")
    assert np.count_nonzero(pooled(zeros["x"], zeros["group"]).variance[1] == 0) == 4
    np.testing.assert_array_equal(zeros["t"][5:9] > 1, [False, False, False, True])
    assert np.ptp(golden("one_constant")["x"][:, 11]) == 0
    assert np.isnan(golden("missing_values")["x"]).sum() == 5


def test_one_feature_is_students_test():
    values = np.array([[1.0], [2.0], [4.0], [6.0], [7.0]])
    t, p = moderated_t(pooled(values, [0, 0, 0, 1, 1]))
    expected = ttest_ind(values[3:, 0], values[:3, 0])
    np.testing.assert_allclose([t[1, 0], p[1, 0]], [expected.statistic, expected.pvalue])


def test_constant_features_in_the_majority_do_not_change_the_others():
    rng = np.random.default_rng(0)
    X, codes = rng.normal(size=(8, 6)), np.repeat([0, 1], 4)
    alone = moderated_t(pooled(X, codes))
    t, p = moderated_t(pooled(np.hstack([X, np.zeros((8, 10))]), codes))
    np.testing.assert_array_equal(t[:, :6], alone[0])
    np.testing.assert_array_equal(t[:, 6:], 0)
    np.testing.assert_array_equal(p[:, 6:], 1)


def test_units_do_not_change_the_result():
    X, codes = golden("three_against_three")["x"], golden("three_against_three")["group"]
    for factor in (1e-6, 1e6):
        np.testing.assert_allclose(
            moderated_t(pooled(X * factor, codes)), moderated_t(pooled(X, codes)), rtol=1e-9
        )


def test_without_any_variance_different_means_are_certain():
    t, p = moderated_t(pooled(np.array([[1.0, 3.0], [1, 3], [2, 3], [2, 3]]), [0, 0, 1, 1]))
    np.testing.assert_array_equal(t, [[-np.inf, 0], [np.inf, 0]])
    np.testing.assert_array_equal(p, [[0, 1], [0, 1]])


def test_a_feature_without_values_in_a_group_is_undefined():
    X = golden("three_against_three")["x"].copy()
    X[:3, 4] = np.nan
    t, p = moderated_t(pooled(X, golden("three_against_three")["group"]))
    assert np.isnan(t[:, 4]).all()
    assert np.isnan(p[:, 4]).all()
    assert np.isfinite(np.delete(p, 4, axis=1)).all()


@pytest.mark.parametrize("x", [1e-9, 1e-5, 0.1, 1.0, 50.0, 1e6, 1e9])
def test_inverse_of_the_trigamma_function(x):
    assert polygamma(1, inverse_trigamma(x)) == pytest.approx(x, rel=1e-4 if x > 1e7 else 1e-6)
