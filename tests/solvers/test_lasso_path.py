import numpy as np
import pytest
from sklearn.linear_model import lars_path

from featrank.solvers.lasso_path import lasso_path


def table(n_samples, n_features, seed=0):
    """Return correlated features and a target, centred and of length 1."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, 8)) @ rng.normal(size=(8, n_features))
    X += rng.normal(size=X.shape)
    y = X[:, :3] @ [2.0, -1.0, 1.0] + rng.normal(size=n_samples)
    return unit(X), unit(y[:, None])[:, 0]


def unit(X):
    X = X - X.mean(axis=0)
    length = np.linalg.norm(X, axis=0)
    return X / np.where(length > 1e-12, length, np.inf)


def followed(X, y, most=None, positive=False):
    given = {"most": most or X.shape[1], "rank": len(X) - 1, "positive": positive}
    return lasso_path(y @ X, lambda j: X[:, j] @ X, **given)


def entries(X, y, **options):
    """Return who enters and at which λ by scikit-learn, and how often a weight became 0 again."""
    alphas, _, weights = lars_path(X, y, method="lasso", max_iter=10**5, **options)
    used = weights != 0
    first = np.where(used.any(axis=1), used.argmax(axis=1), len(alphas))
    order = np.argsort(first, kind="stable")[: used.any(axis=1).sum()]
    drops = (used[:, :-1] & ~used[:, 1:]).sum()
    return order, len(X) * alphas[first[order] - 1], drops


@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("shape", [(60, 20), (40, 150), (150, 120)])
def test_features_enter_as_in_scikit_learn(shape, positive):
    X, y = table(*shape)
    order, penalties, drops = entries(X, y, positive=positive)
    path = followed(X, y, positive=positive)
    np.testing.assert_array_equal(path.order, order)
    np.testing.assert_allclose(path.penalties, penalties, rtol=1e-9, atol=1e-12)
    assert drops > 0 or shape == (60, 20), "no feature left on the way: an easy path"


@pytest.mark.parametrize("most", [1, 4, 25])
def test_a_path_may_end_early(most):
    X, y = table(50, 100)
    whole, part = followed(X, y), followed(X, y, most)
    np.testing.assert_array_equal(part.order, whole.order[:most])
    np.testing.assert_array_equal(part.penalties, whole.penalties[:most])


TABLES = {
    "bits": lambda rng, T, n: rng.integers(0, 2, (T, n)),
    "counts": lambda rng, T, n: rng.integers(0, 3, (T, n)),
    "copies": lambda rng, T, n: rng.normal(size=(T, n))[:, rng.integers(0, n, n)],
    "copies and mirrors": lambda rng, T, n: (
        np.tile(rng.normal(size=(T, 4)), n)[:, :n] * rng.choice([-1, 1], n)
    ),
    "low rank": lambda rng, T, n: rng.normal(size=(T, 2)) @ rng.normal(size=(2, n)),
    "one value that differs": lambda rng, T, n: np.eye(T, n),
}


@pytest.mark.parametrize("kind", TABLES)
def test_conditions_of_the_optimum_hold_where_entries_coincide(kind):
    """At the end of every path: products are λ for features in use, and no larger for others."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n_samples, n_features = rng.integers(4, 30), rng.integers(2, 40)
        X = unit(TABLES[kind](rng, n_samples, n_features).astype(float))
        y = unit(rng.integers(0, 3, (n_samples, 1)) + np.eye(n_samples, 1))[:, 0]
        for most in (1, 3, n_features):
            for positive in (False, True):
                path = followed(X, y, most, positive)
                assert_optimal(X, y, path, positive)


def assert_optimal(X, y, path, positive):
    products = (y - X[:, path.used] @ path.weights) @ X
    if not len(path.used):
        return
    penalty = np.abs(products[path.used]).max()
    assert np.max(products if positive else np.abs(products)) <= penalty + 1e-9
    weighty = np.abs(path.weights) > 1e-9
    signs = np.sign(path.weights[weighty])
    np.testing.assert_allclose(products[path.used][weighty], penalty * signs, atol=1e-9)
    assert not positive or path.weights.min() > -1e-9


def test_of_duplicates_and_mirrors_the_first_enters():
    X, y = table(50, 30)
    copies = np.repeat(X, 20, axis=1) * np.random.default_rng(0).choice([-1, 1], 600)
    few, many = followed(X, y), followed(copies, y)
    np.testing.assert_array_equal(many.order, 20 * few.order)
    np.testing.assert_allclose(many.penalties, few.penalties, rtol=1e-9)


def test_without_anything_to_explain_nothing_enters():
    for X, y in [(np.zeros((5, 3)), unit(np.eye(5, 1))[:, 0]), (np.eye(5, 3), np.zeros(5))]:
        path = followed(X, y)
        assert len(path.order) == len(path.penalties) == len(path.used) == len(path.weights) == 0
