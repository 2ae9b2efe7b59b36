import numpy as np
import pytest
from sklearn.datasets import load_diabetes, make_regression
from sklearn.feature_selection import RFE
from sklearn.preprocessing import scale
from sklearn.svm import SVR

from featrank import SVMRFE
from featrank._utils.progress import progress_to
from featrank.exceptions import UsageError


def table(n_samples, n_features, noise=20.0, seed=0):
    return make_regression(n_samples, n_features, n_informative=7, noise=noise, random_state=seed)


def ranker(n_features_to_select=None, **params):
    return SVMRFE(n_features_to_select, task="regression", **params)


def rfe(X, y, C, epsilon, n_features_to_select=1, step=1):
    machine = SVR(kernel="linear", C=C, epsilon=epsilon, tol=1e-6)
    return RFE(machine, n_features_to_select=n_features_to_select, step=step).fit(X, y)


def objective(X, y, weights, C, epsilon):
    """The value of the best machine with these weights: the best bias is where a loss bends."""
    rest = y - X @ weights
    bends = np.concatenate([rest - epsilon, rest + epsilon])
    losses = [np.maximum(0, np.abs(rest - bend) - epsilon).sum() for bend in bends]
    return weights @ weights / 2 + C * min(losses)


@pytest.mark.parametrize(
    ("n_samples", "n_features", "C", "epsilon"),
    [
        (80, 20, 1.0, 0.1),
        (80, 20, 30.0, 20.0),
        (200, 20, 1.0, 5.0),
        (200, 20, 0.03, 0.0),
        (40, 120, 1.0, 0.1),
        (40, 120, 100.0, 10.0),
    ],
)
def test_order_is_that_of_scikit_learn(n_samples, n_features, C, epsilon):
    X, y = table(n_samples, n_features)
    found = ranker(C=C, epsilon=epsilon).fit(X, y)
    np.testing.assert_array_equal(found.ranking_, rfe(X, y, C, epsilon).ranking_)


def test_order_on_real_data():
    X, y = load_diabetes(return_X_y=True)
    X = scale(X)
    found = ranker(C=10.0, epsilon=1.0).fit(X, y)
    np.testing.assert_array_equal(found.ranking_, rfe(X, y, 10.0, 1.0).ranking_)


@pytest.mark.parametrize(("n_samples", "step"), [(30, 2), (30, 0.1), (100, 7), (100, 0.5)])
def test_rounds_are_those_of_scikit_learn(n_samples, step):
    X, y = table(n_samples, 40)
    found = ranker(5, step=step, C=1.0, epsilon=1.0).fit(X, y)
    other = rfe(X, y, 1.0, 1.0, n_features_to_select=5, step=step)
    np.testing.assert_array_equal(found.support_, other.support_)
    assert np.all(np.diff(other.ranking_[found.order_]) >= 0), "rounds mix"


@pytest.mark.parametrize("shape", [(60, 15), (25, 70), (150, 40)])
@pytest.mark.parametrize("C", [0.01, 1.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 10.0])
def test_weights_are_those_of_scikit_learn(shape, C, epsilon):
    X, y = table(*shape)
    found = ranker(shape[1], C=C, epsilon=epsilon).fit(X, y)
    wanted = SVR(kernel="linear", C=C, epsilon=epsilon, tol=1e-8).fit(X, y).coef_[0]
    np.testing.assert_allclose(np.sqrt(found.criterion_), np.abs(wanted), atol=1e-4)


def test_a_large_cost_is_solved_to_the_end():
    """Where scikit-learn's solver stops short, the value of the machine tells who is right."""
    X, y = table(200, 30)
    found = ranker(30, C=100.0, epsilon=1.0).fit(X, y)
    near = SVR(kernel="linear", C=100.0, epsilon=1.0, max_iter=100_000)
    with pytest.warns(match="max_iter"):
        weights = near.fit(X, y).coef_[0]
    own = np.sqrt(found.criterion_) * np.sign(weights)
    assert objective(X, y, own, 100.0, 1.0) <= objective(X, y, weights, 100.0, 1.0) * (1 + 1e-9)


@pytest.mark.parametrize("n_samples", [50, 400])
def test_long_eliminations_do_not_drift(n_samples):
    X, y = table(n_samples, 350, seed=3)
    X *= np.geomspace(1, 300, 350)  # products shrink by orders as features leave
    found = ranker(20, tol=1e-8).fit(X, y)
    survivors = np.flatnonzero(found.support_)
    again = ranker(20, tol=1e-8).fit(X[:, survivors], y)
    np.testing.assert_allclose(found.criterion_[survivors], again.criterion_, rtol=1e-6)


@pytest.mark.parametrize("n_samples", [25, 120])
def test_units_of_y_do_not_matter(n_samples):
    X, y = table(n_samples, 40)
    found = ranker(10).fit(X, y)
    other = ranker(10).fit(X, 1e-3 * y - 7)
    np.testing.assert_array_equal(other.order_, found.order_)
    np.testing.assert_allclose(1e6 * other.criterion_, found.criterion_, rtol=1e-4, atol=1e-8)
    given = ranker(10, C=y.std(), epsilon=0.1 * y.std()).fit(X, y)
    np.testing.assert_allclose(given.criterion_, found.criterion_, rtol=1e-9)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("unit", [1e-300, 1e-200, 1e200, 1e306])
def test_numbers_may_be_of_any_size(unit):
    X, y = table(30, 10)
    order = ranker(5).fit(X, y / y.std()).order_
    np.testing.assert_array_equal(ranker(5).fit(X, unit * (y / y.std())).order_, order)


def test_epsilon_is_of_no_effect_for_classes():
    X, y = table(60, 30)
    plain = SVMRFE().fit(X, y > 0)
    given = SVMRFE(C=1.0, epsilon=3.0).fit(X, y > 0)
    np.testing.assert_array_equal(plain.scores_, given.scores_)
    np.testing.assert_array_equal(plain.criterion_, given.criterion_)


def test_planted_features_win_over_many():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 1500))
    y = X[:, [3, 700, 1499]] @ [2.0, -2.0, 2.0] + rng.normal(size=60)
    assert ranker().fit(X, y).ranking_[[3, 700, 1499]].max() < 10


def test_outliers_count_by_their_distance_and_not_its_square():
    """Least squares would follow one sample that is a thousand times off."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 5))
    y = X[:, 2] + 0.1 * rng.normal(size=200)
    X[0], y[0] = [0, 0, 0, 0, 5.0], 1000.0
    found = ranker(C=0.1, epsilon=0.1).fit(X, y)
    assert found.order_[0] == 2
    assert np.abs(np.linalg.lstsq(X, y)[0]).argmax() == 4


def test_progress_reaches_the_end():
    X, y = table(60, 300)
    seen = []
    with progress_to(lambda done, total: seen.append((done, total))):
        ranker().fit(X, y)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[-1] == (300, 300)


def test_a_regression_target_has_no_ranking_for_each_class():
    X, y = table(30, 5)
    with pytest.raises(UsageError, match="needs class labels, but SVMRFE ranks for regression"):
        ranker().fit_per_class(X, y)
