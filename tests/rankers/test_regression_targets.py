"""Regression targets: Fisher, MI, mRMR and EC-FS against scikit-learn, SciPy and mrmr."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.stats import pearsonr
from sklearn.datasets import make_regression
from sklearn.feature_selection import f_regression, mutual_info_classif

import featrank
from featrank import ECFS, MRMR, FisherScore, MutualInformation
from featrank.exceptions import DataError, FeatrankWarning, UsageError

REGRESSION = {"task": "regression"}


@pytest.fixture
def regression_target():
    X, y = make_regression(150, 30, n_informative=4, noise=20, random_state=0)
    return X + 3, y


def test_fisher_is_the_f_of_a_regression(regression_target):
    X, y = regression_target
    ranker = FisherScore(**REGRESSION).fit(X, y)
    np.testing.assert_allclose((len(y) - 2) * ranker.scores_, f_regression(X, y)[0], rtol=1e-9)
    found = [pearsonr(column, y).statistic for column in X.T]
    np.testing.assert_allclose(ranker.correlation_, found, atol=1e-12)


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("shape", [(5000, 30), (30, 2500)])
def test_correlations_far_from_zero_are_those_of_exact_sums(shape, order):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=shape) + np.linspace(-1e9, 1e9, shape[1]), rng.normal(size=shape[0])
    X[:, 0] = y * 1e9
    wide, target = X.astype(np.longdouble), (y + 1e9).astype(np.longdouble)
    wide, target = wide - wide.mean(axis=0), target - target.mean()
    wanted = (target @ wide) / np.sqrt((target @ target) * (wide**2).sum(axis=0))
    ranker = FisherScore(**REGRESSION).fit(np.asarray(X, order=order), y + 1e9)
    np.testing.assert_allclose(ranker.correlation_, wanted.astype(float), atol=1e-14)


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.float16, np.float32])
def test_numbers_of_any_type(dtype):
    rng = np.random.default_rng(0)
    X, y = rng.integers(-3, 9, (400, 20)), rng.normal(size=400)
    wanted = FisherScore(**REGRESSION).fit(X.astype(float), y).scores_
    np.testing.assert_array_equal(FisherScore(**REGRESSION).fit(X.astype(dtype), y).scores_, wanted)


@pytest.mark.parametrize("unit", [1e-140, 1.0, 1e140])
def test_the_unit_of_the_target_changes_nothing(regression_target, unit):
    X, y = regression_target
    for cls in (FisherScore, MutualInformation, MRMR):
        wanted = cls(**REGRESSION).fit(X, y).scores_
        np.testing.assert_allclose(cls(**REGRESSION).fit(X, unit * y).scores_, wanted, rtol=1e-9)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("exponent", [-950, -600, 500, 1014])
def test_powers_of_two_as_units_of_the_target_change_no_bit(regression_target, exponent):
    X, y = regression_target
    for ranker in (ECFS(5, **REGRESSION), FisherScore(**REGRESSION)):
        wanted = ranker.fit(X, y)
        scores, told = wanted.scores_, wanted.notes()
        got = ranker.fit(X, np.ldexp(y, exponent))
        np.testing.assert_array_equal(got.scores_, scores)
        assert got.notes() == told
    first, second = (
        featrank.rank(X, target, "fisher", task="regression").to_frame(5, details=True)
        for target in (y, np.ldexp(y, exponent))
    )
    assert second.equals(first)


def test_any_unit_of_the_target_has_the_same_r2(regression_target):
    X, y = regression_target
    wanted = ECFS(5, **REGRESSION).fit(X, y)
    for unit in (1e-300, 1e-200, 1e160, 1e300):
        got = ECFS(5, **REGRESSION).fit(X, unit * y)
        np.testing.assert_allclose(got.cv_scores_, wanted.cv_scores_, rtol=1e-6)
        assert got.order_.tolist() == wanted.order_.tolist()


def test_a_linear_function_of_the_target_scores_inf(regression_target):
    X, y = regression_target
    scores = FisherScore(**REGRESSION).fit(np.column_stack([X, 5 - 2 * y]), y).scores_
    assert np.isinf(scores[-1])
    assert np.isfinite(scores[:-1]).all()


def test_weights_count_rows(regression_target):
    X, y = regression_target
    weights = np.random.default_rng(0).integers(0, 4, len(y))
    repeated = np.repeat(X, weights, axis=0), np.repeat(y, weights)
    for cls in (FisherScore, MutualInformation):
        got = cls(**REGRESSION).fit(X, y, sample_weight=weights).scores_
        np.testing.assert_allclose(got, cls(**REGRESSION).fit(*repeated).scores_, rtol=1e-9)
    got = ECFS(alpha=0.5, **REGRESSION).fit(X, y, sample_weight=weights).scores_
    wanted = ECFS(alpha=0.5, **REGRESSION).fit(*repeated).scores_
    np.testing.assert_allclose(got, wanted, rtol=1e-9)


@pytest.mark.parametrize("unit", [2.0**-20, 1e-3, 1e5])
def test_the_unit_of_weights_changes_nothing(regression_target, unit):
    X, y = regression_target
    weights = np.random.default_rng(0).uniform(0, 2, len(y))
    wanted, got = (
        FisherScore(**REGRESSION).fit(X, y, sample_weight=given).correlation_
        for given in (weights, unit * weights)
    )
    np.testing.assert_allclose(got, wanted, rtol=1e-9)
    means = np.average(X, axis=0, weights=weights), np.average(y, weights=weights)
    off, target = X - means[0], y - means[1]
    product = np.sqrt((weights @ off**2) * (weights @ target**2))
    np.testing.assert_allclose(got, (weights * target) @ off / product, atol=1e-12)


def test_information_is_that_of_bins(regression_target):
    """Bins of the target of equal content, and of the features of equal width, by hand."""
    X, y = regression_target
    got = MutualInformation(bins=10, target_bins=5, **REGRESSION).fit(X, y).scores_
    classes = np.argsort(np.argsort(y)) * 5 // len(y)
    low, step = X.min(axis=0), np.ptp(X, axis=0) / 10
    codes = np.minimum(((X - low) / step).astype(int), 9)
    wanted = mutual_info_classif(codes, classes, discrete_features=True)
    np.testing.assert_allclose(got, wanted, rtol=1e-9)


def plain_fcq(X, y, count):
    """Choose by F over the mean absolute correlation, as it is published."""
    F, r = f_regression(X, y)[0], np.abs(np.corrcoef(X.T))
    chosen = [int(np.argmax(F))]
    while len(chosen) < count:
        value = F / np.maximum(r[:, chosen], 0.001).mean(axis=1)
        value[chosen] = -np.inf
        chosen.append(int(np.argmax(value)))
    return chosen


def test_fcq_is_that_of_plain_formulas(regression_target):
    X, y = regression_target
    X = np.column_stack([X, X[:, :10] + 0.3 * np.random.default_rng(0).normal(size=(150, 10))])
    for data in (X, csr_array(np.where(np.abs(X) < 1, 0, X))):
        dense = data if isinstance(data, np.ndarray) else data.toarray()
        ranker = MRMR(12, criterion="fcq", **REGRESSION).fit(data, y)
        assert ranker.order_[:12].tolist() == plain_fcq(dense, y, 12)


def test_mid_is_that_of_the_bins_as_classes(regression_target):
    X, y = regression_target
    classes = np.argsort(np.argsort(y)) * 5 // len(y)
    for criterion in ("mid", "miq"):
        got = MRMR(10, criterion=criterion, target_bins=5, **REGRESSION).fit(X, y)
        assert np.array_equal(got.order_, MRMR(10, criterion=criterion).fit(X, classes).order_)


@pytest.mark.parametrize("alpha", [0.0, 0.3, 1.0])
def test_ec_fs_is_the_eigenvector_of_correlation_and_information(regression_target, alpha):
    X, y = regression_target

    def scaled(values):
        return (values - values.min()) / np.ptp(values)

    f = scaled(np.abs([pearsonr(column, y).statistic for column in X.T]))
    m = scaled(MutualInformation(**REGRESSION).fit(X, y).scores_)
    spread = X.std(axis=0, ddof=1) / np.abs(X).sum(axis=0)
    ranker = ECFS(alpha=alpha, **REGRESSION).fit(X, y)
    np.testing.assert_allclose(ranker.fisher_, f, atol=1e-10)
    sigma = ranker.spread_  # how it is scaled is tested with classes
    assert np.corrcoef(sigma, spread)[0, 1] == pytest.approx(1)
    relevance = (np.outer(f, m) + np.outer(m, f)) / 2
    A = alpha * relevance + (1 - alpha) * np.maximum.outer(sigma, sigma)
    values, vectors = np.linalg.eig(A)
    wanted = np.abs(vectors[:, np.argmax(np.abs(values))].real)
    got = ranker.scores_ / np.linalg.norm(ranker.scores_)
    np.testing.assert_allclose(got, wanted, atol=1e-8)


def test_alpha_is_chosen_by_r2(regression_target):
    X, y = regression_target
    ranker = ECFS(5, **REGRESSION).fit(X, y)
    chosen = ranker.tuned_params()
    assert 0 < chosen["r2"] <= 1
    assert "auc" not in chosen
    assert f"R² of the top features: {chosen['r2']:.3f} ±" in ranker.notes()[0]
    informative = np.argsort(-f_regression(X, y)[0])[:3]
    assert set(informative) <= set(ranker.order_[:5])


@pytest.mark.parametrize("shape", [(120, 10), (40, 200)])
def test_judging_takes_no_decomposition(monkeypatch, shape):
    """It is most of what a fit would take; products of features or of samples do."""
    X, y = make_regression(*shape, n_informative=4, random_state=0)
    monkeypatch.setattr(np.linalg, "svd", None)
    assert np.isfinite(ECFS(60 if shape[1] > 60 else 5, **REGRESSION).fit(X, y).cv_scores_).all()


def test_folds_keep_groups_together(regression_target):
    X, y = regression_target
    groups = np.arange(len(y)) % 3
    assert ECFS(5, **REGRESSION).fit(X, y, groups=groups).cv_scores_.shape[1] == 3


def test_a_target_that_varies_once_has_no_folds(regression_target):
    X, y = regression_target
    once = np.zeros(len(y))
    once[0] = 1
    with pytest.warns(FeatrankWarning, match="the target is constant in a fold.*alpha = 1"):
        assert ECFS(5, **REGRESSION).fit(X, once).alpha_ == 1


def test_folds_have_rare_events_on_both_sides():
    """Of three events in many rows each fold that judges has one."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60_000, 2)), np.zeros(60_000)
    y[rng.permutation(60_000)[:3]] = 1
    ranker = ECFS(alphas=(0.0, 0.5), **REGRESSION).fit(X, y)
    assert ranker.cv_scores_.shape == (2, 3)
    assert not np.isnan(ranker.cv_scores_).any()


@pytest.mark.parametrize("cls", [FisherScore, MutualInformation, MRMR, ECFS])
def test_what_is_no_regression_target_is_rejected(cls, regression_target):
    X, y = regression_target
    ranker = cls(**REGRESSION)
    with pytest.raises(DataError, match="strings such as 'a'"):
        ranker.fit(X, ["a", "b"] * 75)
    with pytest.raises(DataError, match="a single value"):
        ranker.fit(X, np.ones(150))
    with pytest.raises(DataError, match="149 numbers"):
        ranker.fit(X, y[1:])
    with pytest.raises(DataError, match="NaN"):
        ranker.fit(X, np.where(np.arange(150) == 3, np.nan, y))
    with pytest.raises(
        UsageError, match=f"needs class labels, but {cls.__name__} ranks for regression"
    ):
        ranker.fit_per_class(X, y)
    with pytest.raises(DataError, match='task="regression"'):
        cls().fit(X, y)


def test_summaries_are_of_classes(regression_target):
    X, classes = regression_target[0], np.arange(150) % 2
    summary = featrank.summaries.ClassSummary.of(
        X, classes, featrank.summaries.FeatureRanges.of(X, classes)
    )
    with pytest.raises(UsageError, match="fit_summary needs class labels, but FisherScore"):
        FisherScore(**REGRESSION).fit_summary(summary)
    assert not hasattr(FisherScore(**REGRESSION), "partial_fit")
