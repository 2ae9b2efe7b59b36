"""Machines of a quantity: the twin, scikit-learn, and both ways to keep the samples."""

import numpy as np
import pytest
from sklearn.datasets import make_regression

from featrank.kernels import _featrank
from featrank.kernels.svm import Eliminator, RegressionTarget

from . import twin_svm

# n_samples, n_features, C, epsilon
SHAPES = [
    (60, 15, 1.0, 0.1),
    (150, 9, 0.01, 0.3),
    (150, 9, 1.0, 0.0),
    (25, 70, 1.0, 0.1),
    (40, 60, 1e-3, 0.1),
    (40, 60, 1.0, 1.0),
]


def table(n_samples, n_features, seed=0):
    X, y = make_regression(n_samples, n_features, n_informative=6, noise=60, random_state=seed)
    return X - X.mean(axis=0), (y - y.mean()) / y.std()


def eliminator(X, y, by_kernel, *, C=1.0, epsilon=0.1, tol=1e-8, step=1, keep=1):
    target = RegressionTarget(y, epsilon)
    return Eliminator(X.copy(), target, C=C, tol=tol, step=step, keep=keep, by_kernel=by_kernel)


def finish(eliminator, work=1e9):
    while not eliminator.run(work):
        pass
    assert eliminator.converged
    return eliminator.result()


@pytest.mark.parametrize("by_kernel", [False, True])
@pytest.mark.parametrize(("n_samples", "n_features", "C", "epsilon"), SHAPES)
def test_one_at_a_time(n_samples, n_features, C, epsilon, by_kernel):
    X, y = table(n_samples, n_features)
    order, criterion = finish(eliminator(X, y, by_kernel, C=C, epsilon=epsilon))
    wanted, weights = twin_svm.eliminate_for_regression(X, y, C=C, epsilon=epsilon, step=1, keep=1)
    np.testing.assert_array_equal(order, wanted)
    np.testing.assert_allclose(criterion, weights, rtol=1e-5, atol=1e-12)


@pytest.mark.parametrize("by_kernel", [False, True])
@pytest.mark.parametrize(("step", "keep"), [(1, 12), (4, 1), (5, 7), (100, 3), (2, 40)])
def test_steps(by_kernel, step, keep):
    X, y = table(30, 40)
    order, criterion = finish(eliminator(X, y, by_kernel, step=step, keep=keep))
    wanted, weights = twin_svm.eliminate_for_regression(
        X, y, C=1.0, epsilon=0.1, step=step, keep=keep
    )
    np.testing.assert_array_equal(order, wanted)
    np.testing.assert_allclose(criterion, weights, rtol=1e-5, atol=1e-12)


@pytest.mark.parametrize("shape", [(300, 140), (60, 300)])
def test_both_ways_agree(shape):
    X, y = table(*shape)
    one, other = (finish(eliminator(X, y, by_kernel)) for by_kernel in (False, True))
    np.testing.assert_array_equal(one[0], other[0])
    np.testing.assert_allclose(one[1], other[1], rtol=1e-5, atol=1e-12)


@pytest.mark.parametrize("by_kernel", [False, True])
@pytest.mark.parametrize("shape", [(40, 90), (300, 140)])
def test_interruptions_and_instruction_sets_change_no_bit(shape, by_kernel):
    X, y = table(*shape)
    order, criterion = finish(eliminator(X, y, by_kernel))
    for wide in (False, True):
        _featrank.use_wide_vectors(wide)
        again, again_criterion = finish(eliminator(X, y, by_kernel), work=2000)
        np.testing.assert_array_equal(again, order)
        np.testing.assert_array_equal(again_criterion, criterion)


@pytest.mark.parametrize("by_kernel", [False, True])
@pytest.mark.parametrize("epsilon", [0.0, 0.5])
def test_degenerate_samples(epsilon, by_kernel):
    """Samples that come again with the same or other quantities, of which there are few."""
    rng = np.random.default_rng(0)
    X = np.repeat(rng.integers(0, 2, (30, 14)).astype(float), 3, axis=0)
    y = np.tile(rng.integers(-1, 2, 45).astype(float), 2)
    X -= X.mean(axis=0)
    order, _ = finish(eliminator(X, y, by_kernel, epsilon=epsilon))
    assert sorted(order) == list(range(14))


@pytest.mark.parametrize("by_kernel", [False, True])
def test_a_tube_that_holds_all_has_no_weights(by_kernel):
    X, y = table(20, 12)
    order, criterion = finish(eliminator(X, y, by_kernel, epsilon=10.0))
    np.testing.assert_array_equal(order, np.arange(11, -1, -1))
    np.testing.assert_array_equal(criterion, 0)


def test_wrong_shapes_are_rejected():
    data, none, zeros = np.zeros((4, 3)), np.empty((0, 0)), np.zeros(4)

    def build(quantities=zeros, epsilon=0.1, C=1.0, keep=1):
        return _featrank.Eliminator(data, none, quantities, epsilon, C, 1e-6, 1, keep)

    build().run(1e6)
    for wrong in (
        {"quantities": np.zeros(3)},
        {"epsilon": -0.1},
        {"epsilon": np.nan},
        {"C": 0.0},
        {"keep": 4},
    ):
        with pytest.raises(ValueError, match="featrank kernel"):
            build(**wrong)
