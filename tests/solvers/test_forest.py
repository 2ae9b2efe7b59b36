"""Importances against scikit-learn's forests, on average over many trees."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from featrank.solvers.forest import (
    class_target,
    forest_importances,
    ordered_codes,
    regression_leaf_target,
)


def test_codes_are_places_in_the_order_of_the_values():
    X = np.array([[2.5, 0.0, 7], [-1.0, -0.0, 7], [2.5, 1e-300, 7], [9.0, -5, 7]])
    wanted = [np.unique(column, return_inverse=True)[1] for column in X.T]
    assert np.array_equal(ordered_codes(X), wanted)
    assert np.array_equal(ordered_codes(np.asfortranarray(X.astype(np.float32))[:, :1]), wanted[:1])


def test_codes_of_many_columns():
    X = np.random.default_rng(0).integers(0, 30, (700, 900))
    codes = ordered_codes(X)
    for j in (0, 373, 374, 899):
        assert np.array_equal(codes[j], np.unique(X[:, j], return_inverse=True)[1])


@pytest.mark.parametrize("kind", ["two classes", "three classes", "quantity"])
@pytest.mark.parametrize("depth", [None, 3])
def test_scikit_learn_finds_the_same_importances_on_average(kind, depth):
    """As far as the means of so many trees can agree."""
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(80, 9)), 1)  # with ties
    X[:, 8] = 1.0
    quantity = X[:, 0] + X[:, 1] ** 2 + 0.5 * rng.normal(size=80)
    cuts = {"two classes": [0.5], "three classes": [0.2, 1.0], "quantity": []}[kind]
    y = np.digitize(quantity, cuts) if cuts else 1e3 * quantity + 1e6
    forest = RandomForestClassifier if cuts else RandomForestRegressor
    theirs = forest(200, max_depth=depth, max_features="sqrt", random_state=0).fit(X, y)
    spread = np.std([tree.feature_importances_ for tree in theirs.estimators_], axis=0)
    target = class_target(y) if cuts else regression_leaf_target(y)
    seeds = np.arange(3000, dtype=np.uint64)
    ours = forest_importances(ordered_codes(X), target, seeds, depth=depth, n_jobs=1)
    errors = spread / np.sqrt(200)
    assert (np.abs(ours - theirs.feature_importances_) <= 4 * errors).all()
    assert errors.max() < 0.03
    assert ours.sum() == pytest.approx(1)
    assert ours[8] == 0


def test_threads_change_no_bit():
    rng = np.random.default_rng(0)
    codes, target = ordered_codes(rng.normal(size=(50, 40))), rng.normal(size=(50, 1))
    seeds = np.arange(100, dtype=np.uint64)
    first, second = (
        forest_importances(codes, target, seeds, depth=None, n_jobs=n_jobs) for n_jobs in (1, 2)
    )
    assert np.array_equal(first, second)
