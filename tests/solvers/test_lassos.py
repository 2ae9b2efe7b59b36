"""The last lasso solutions of so many features against scikit-learn's path."""

import numpy as np
import pytest
from sklearn.linear_model import lars_path

from featrank.solvers import lassos
from featrank.solvers.lassos import lassos_at
from featrank.solvers.standardise import standardised


def problem(shape, seed, correlated):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=shape)
    X, _ = standardised(X @ rng.normal(size=(shape[1],) * 2) if correlated else X)
    y = rng.normal(size=shape[0])
    return X, y - y.mean()


def lasso_at(X, y, n_nonzero):
    return lassos_at(X, y[:, np.newaxis], n_nonzero)[:, 0]


def last_with(path, n_nonzero):
    """The knot of a path after which more than so many coefficients are not 0."""
    between = (path[:, 1:] + path[:, :-1]) / 2
    over = np.flatnonzero((between != 0).sum(axis=0) > n_nonzero)
    return path[:, over[0] if len(over) else -1]


@pytest.mark.parametrize("shape", [(40, 20), (20, 60), (30, 30), (30, 600)])
@pytest.mark.parametrize("correlated", [False, True])
@pytest.mark.parametrize("n_nonzero", [1, 7, 19])
def test_scikit_learn_finds_the_same(shape, correlated, n_nonzero):
    for seed in range(3):
        X, y = problem(shape, seed, correlated)
        _, _, path = lars_path(X, y, method="lasso", max_iter=1000)
        wanted = last_with(path, n_nonzero)
        found = lasso_at(X, y, n_nonzero)
        np.testing.assert_allclose(found, wanted, atol=1e-9 * np.abs(wanted).max())


def test_features_leave_the_path():
    """The cases above cover it: at least one of them drops a feature on the way."""
    X, y = problem((40, 20), 0, correlated=True)
    _, _, path = lars_path(X, y, method="lasso")
    assert path.shape[1] > 21


def test_all_features_are_least_squares():
    X, y = problem((40, 10), 0, correlated=False)
    np.testing.assert_allclose(lasso_at(X, y, 39), np.linalg.lstsq(X, y)[0], atol=1e-12)


def test_a_dependent_column_does_not_enter():
    X, y = problem((30, 5), 0, correlated=False)
    X, _ = standardised(np.column_stack([X, X[:, 0] + X[:, 1], -X[:, 2]]))
    found = lasso_at(X, y, 7)
    assert np.count_nonzero(found) <= 5
    np.testing.assert_allclose(X @ found, X[:, :5] @ np.linalg.lstsq(X[:, :5], y)[0], atol=1e-9)


def test_nothing_to_explain():
    X, y = problem((30, 5), 0, correlated=False)
    assert not lasso_at(X, 0 * y, 3).any()
    assert not lasso_at(0 * X, y, 3).any()


@pytest.mark.parametrize("candidates", [1, 2, 12])
@pytest.mark.parametrize("shortest", [1.0, 0.3])
def test_features_that_are_looked_at_later_change_nothing(candidates, shortest, monkeypatch):
    """Some features enter that are not among the first of these candidates."""
    monkeypatch.setattr(lassos, "CANDIDATES", candidates)
    X, y = problem((30, 600), 0, correlated=False)
    X *= np.random.default_rng(1).uniform(shortest, 1.0, 600)
    others = np.column_stack([y, y[::-1]])
    _, _, path = lars_path(X, y, method="lasso", max_iter=1000)
    found = lassos_at(X, others, 10)
    np.testing.assert_allclose(found[:, 0], last_with(path, 10), atol=1e-9)


@pytest.mark.parametrize("kind", ["zeros", "one long column", "as many as samples"])
def test_where_nothing_is_known_of_most_features_beforehand(kind, monkeypatch):
    """Constants and copies, which are 0; a length that tells nothing of others; all residuals."""
    monkeypatch.setattr(lassos, "PANEL", 100)
    X, y = problem((30, 600), 0, correlated=False)
    if kind == "zeros":
        X[:, 60:] = 0
    elif kind == "one long column":
        X[:, 599] *= 1e4
    most = 28 if kind == "as many as samples" else 6
    _, _, path = lars_path(X, y, method="lasso", max_iter=1000)
    found = lassos_at(X, y[:, np.newaxis], most)[:, 0]
    np.testing.assert_allclose(found, last_with(path, most), atol=1e-9)


def test_products_made_together_or_one_by_one(monkeypatch):
    X, y = problem((60, 40), 0, correlated=True)
    together = lasso_at(X, y, 20)
    monkeypatch.setattr(lassos, "TOGETHER", 0)
    np.testing.assert_allclose(lasso_at(X, y, 20), together, atol=1e-9)
