"""Ridge regressions for all penalties at once, against scikit-learn one by one."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from featrank.solvers import ridge
from featrank.solvers.ridge import r_squared, ridge_path

PENALTIES = [1000.0, 1.0, 1e-2, 1e-4]


def standardised(n_rows, n_columns, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows + 50, n_columns)) @ rng.normal(size=(n_columns, n_columns))
    X = (X - X[:n_rows].mean(axis=0)) / X[:n_rows].std(axis=0)
    y = X[:, 0] - 2 * X[:, -1] + rng.normal(size=n_rows + 50)
    return X[:n_rows], y[:n_rows], X[n_rows:]


def one_by_one(train, y, rest, penalties):
    models = [Ridge(alpha=len(y) * penalty, solver="svd") for penalty in penalties]
    return np.array([model.fit(train, y).predict(rest) for model in models])


@pytest.mark.parametrize("shape", [(300, 20), (60, 59), (60, 60), (60, 61), (40, 400), (30, 1)])
def test_predictions_are_those_of_scikit_learn(shape):
    train, y, rest = standardised(*shape)
    wanted = one_by_one(train, y, rest, PENALTIES)
    np.testing.assert_allclose(ridge_path(train, y, rest, PENALTIES), wanted, atol=1e-9)
    # Whatever the features' unit and middle, as when nothing scales them.
    for unit, shift in ((1e4, 3e4), (1e-4, 5.0)):
        moved = ridge_path(unit * train + shift, y, unit * rest + shift, [unit**2 * 0.1])
        wanted = one_by_one(train, y, rest, [0.1])
        np.testing.assert_allclose(moved, wanted, atol=1e-6)


@pytest.mark.parametrize("shape", [(200, 12), (30, 60)])
def test_duplicates_and_near_copies(shape):
    train, y, rest = standardised(*shape)
    noise = np.random.default_rng(1).normal(size=train.shape)
    train, rest = np.hstack([train, train, train + 1e-7 * noise]), np.hstack([rest, rest, rest])
    wanted = one_by_one(train, y, rest, PENALTIES)
    np.testing.assert_allclose(ridge_path(train, y, rest, PENALTIES), wanted, atol=1e-8)


@pytest.mark.parametrize("shape", [(200, 12), (30, 60)])
def test_small_penalties_lose_no_digits(shape):
    """Products of features that are nearly copies cannot tell them apart; singular values can."""
    train, y, rest = standardised(*shape)
    noise = np.random.default_rng(1).normal(size=train.shape)
    train = np.hstack([train, train + 1e-6 * noise])
    rest = np.hstack([rest, rest])
    wanted = one_by_one(train, y, rest, [1e-13])
    np.testing.assert_allclose(ridge_path(train, y, rest, [1e-13]), wanted, atol=1e-6)
    assert np.isfinite(ridge_path(train, y, rest, [0.0])).all()


def test_both_ways_agree_where_they_meet(monkeypatch):
    for shape in ((200, 50), (50, 200)):
        train, y, rest = standardised(*shape)
        size = np.linalg.norm(train @ train.T) / len(y)
        penalties = [1.01 * size / ridge.MOST]
        products = ridge_path(train, y, rest, penalties)
        with monkeypatch.context() as patched:
            patched.setattr(ridge, "MOST", 0.0)
            singular_values = ridge_path(train, y, rest, penalties)
        np.testing.assert_allclose(products, singular_values, rtol=1e-8, atol=1e-8)


def test_r_squared_of_constants_and_of_far_misses():
    assert np.isnan(r_squared(np.ones((2, 3)), np.full(3, 0.1))).all()
    assert r_squared(np.array([[1e200, 0.0]]), np.array([0.0, 1e-200])).tolist() == [-np.inf]
