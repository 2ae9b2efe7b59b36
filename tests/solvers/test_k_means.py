from itertools import product

import numpy as np
import pytest
from sklearn.cluster import KMeans

from featrank.solvers.k_means import group_projector, k_means, single_spreads, within_spread


def points(seed, n_groups=3):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(60, 2)) + 12 * rng.normal(size=(n_groups, 2))[np.arange(60) % n_groups]


@pytest.mark.parametrize("seed", range(5))
def test_groups_that_are_apart_are_found_as_scikit_learn_finds_them(seed):
    Z = points(seed, 2)
    best = KMeans(2, n_init=10, random_state=0).fit(Z).inertia_
    assert within_spread(Z, k_means(Z, 2)) == pytest.approx(best)


@pytest.mark.parametrize("seed", range(5))
def test_given_groups_get_no_worse(seed):
    Z = points(seed)
    given = np.random.default_rng(seed).integers(0, 3, 60)
    found = k_means(Z, 3, given)
    assert within_spread(Z, found) < within_spread(Z, given)
    assert within_spread(Z, k_means(Z, 3, found)) <= within_spread(Z, found)


def test_the_order_of_points_does_not_matter():
    Z, order = points(0), np.random.default_rng(1).permutation(60)
    labels, moved = k_means(Z, 3), k_means(Z[order], 3)
    assert np.array_equal(labels[order][:, None] == labels[order], moved[:, None] == moved)


def test_more_groups_than_different_points():
    labels = k_means(np.array([[0.0], [0.0], [1.0], [1.0]]), 3)
    assert labels[0] == labels[1] != labels[2] == labels[3]
    assert k_means(np.zeros((4, 1)), 2).shape == (4,)


def test_spread_is_what_the_means_of_groups_leave():
    Z, labels = points(0), np.arange(60) % 4
    left = Z - group_projector(labels) @ Z
    assert within_spread(Z, labels) == pytest.approx(np.sum(left**2))


def test_spreads_of_single_features_against_all_splits():
    X = np.random.default_rng(0).normal(size=(9, 1100)) ** 3
    splits = [np.array(labels) for labels in product((0, 1), repeat=9)]
    best = [min(within_spread(column[:, None], labels) for labels in splits) for column in X.T[:20]]
    found = single_spreads(X, 2)
    assert found.shape == (1100,)
    assert (found[:20] >= np.array(best) - 1e-12).all()
    assert np.median(found[:20] / np.array(best)) < 1.05
    np.testing.assert_allclose(single_spreads(X[:, 1050:], 2), found[1050:])
