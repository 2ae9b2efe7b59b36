import numpy as np
import pytest
from sklearn.svm import LinearSVC

from featrank.solvers.newton_svm import squared_hinge_path

COSTS = (1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3)


def problem(n_samples=300, n_features=20, gap=1.0, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, n_features))
    y = np.where(gap * X[:, :3].sum(axis=1) + rng.normal(size=n_samples) > 0.4, 1.0, -1.0)
    return X, y


def gradient(X, y, cost, found):
    """Return the derivative of the published problem at the weights and the intercept."""
    rows = np.column_stack([X, np.ones(len(X))])
    return found - 2 * cost * rows.T @ (y * np.maximum(0, 1 - y * (rows @ found)))


@pytest.mark.parametrize("cost", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("seed", range(3))
def test_is_the_problem_of_liblinear(cost, seed):
    X, y = problem(seed=seed)
    model = LinearSVC(dual=False, C=cost, tol=1e-10, max_iter=10**5).fit(X, y)
    (found,) = squared_hinge_path(X, y, [cost])
    expected = np.append(model.coef_[0], model.intercept_)
    np.testing.assert_allclose(found, expected, atol=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize("shape", [(300, 20), (30, 60), (500, 1)])
@pytest.mark.parametrize("gap", [0.0, 1.0, 50.0])
def test_every_cost_is_solved(shape, gap):
    X, y = problem(*shape, gap)
    for cost, found in zip(COSTS, squared_hinge_path(X, y, COSTS), strict=True):
        scale = 2 * cost * np.abs(X).sum(axis=0).max()
        assert np.abs(gradient(X, y, cost, found)).max() < 1e-10 * scale


def test_path_is_that_of_single_costs():
    X, y = problem()
    single = np.concatenate([squared_hinge_path(X, y, [cost]) for cost in COSTS])
    np.testing.assert_allclose(squared_hinge_path(X, y, COSTS), single, rtol=1e-9, atol=1e-12)


def test_duplicates_and_constants_share_their_weight():
    X, y = problem(n_features=5)
    X[:, 3], X[:, 4] = X[:, 0], 0.0
    found = squared_hinge_path(X, y, COSTS)
    np.testing.assert_allclose(found[:, 3], found[:, 0], rtol=1e-6)
    assert not found[:, 4].any()


def test_cost_without_bound_is_finite():
    X, y = problem(n_features=5)
    X[:, 3] = X[:, 0]
    (found,) = squared_hinge_path(X, y, [1e30])
    assert np.isfinite(found).all()
    assert np.abs(gradient(X, y, 1.0, found) - found).max() < 1e-8
