"""Newton's method for linear SVMs: the minimum itself, whatever the data look like."""

import numpy as np
import pytest
from sklearn.svm import LinearSVC

from featrank.evaluation.primal import squared_hinge_path

VALUES = (0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)


def noisy(n_rows=300, n_columns=12, seed=0):
    """Return classes that overlap."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n_rows) % 3 == 0, 1.0, -1.0)
    X = rng.normal(size=(n_rows, n_columns)) + 0.4 * y[:, None] * (np.arange(n_columns) < 4)
    return X, y


def separable():
    X, y = noisy(60, 80)
    return X, y


def with_copies():
    X, y = noisy()
    return np.column_stack([X, X, np.ones(len(X))]), y


def unscaled():
    X, y = noisy()
    return X * np.logspace(0, 2, X.shape[1]), y


@pytest.mark.parametrize("data", [noisy, separable, with_copies, unscaled])
def test_the_gradient_vanishes(data):
    X, y = data()
    rows = np.column_stack([X, np.ones(len(X))]) * y[:, None]
    for C, weights in zip(VALUES, squared_hinge_path(X, y, VALUES), strict=True):
        pull = 2 * C * rows.T @ np.maximum(1 - rows @ weights, 0)
        assert np.abs(weights - pull).max() <= 1e-6 * max(1, np.abs(pull).max())


def test_weights_are_those_of_liblinear():
    X, y = noisy()
    for C, weights in zip(VALUES, squared_hinge_path(X, y, VALUES), strict=True):
        model = LinearSVC(dual=False, C=C, tol=1e-9).fit(X, y)
        theirs = np.append(model.coef_[0], model.intercept_)
        np.testing.assert_allclose(weights, theirs, atol=2e-4 * np.abs(theirs).max())


def test_each_c_alone_gives_the_path():
    X, y = separable()
    path = squared_hinge_path(X, y, VALUES)
    for C, weights in zip(VALUES, path, strict=True):
        np.testing.assert_allclose(squared_hinge_path(X, y, [C])[0], weights, atol=1e-8)


def test_columns_of_hopelessly_different_sizes_give_finite_weights():
    X, y = noisy()
    path = squared_hinge_path(X * np.logspace(0, 12, X.shape[1]), y, VALUES)
    assert np.isfinite(path).all()
