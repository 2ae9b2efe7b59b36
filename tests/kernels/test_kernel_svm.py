import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.svm import SVC

from featrank.kernels import Groups, _featrank
from featrank.kernels.svm import Eliminator

from . import twin_svm

# n_samples, n_features, n_classes, C
SHAPES = [
    (60, 15, 2, 1.0),
    (150, 9, 2, 0.01),
    (25, 70, 2, 1.0),
    (40, 60, 2, 1e-3),
    (75, 12, 3, 0.3),
    (30, 50, 3, 1.0),
]


def table(n_samples, n_features, n_classes, seed=0):
    X, codes = make_classification(
        n_samples, n_features, n_informative=6, n_classes=n_classes, random_state=seed
    )
    order = np.argsort(codes, kind="stable")  # the kernel wants samples by class
    return X[order] - X.mean(axis=0), codes[order]


def eliminator(X, codes, by_kernel, *, C=1.0, tol=1e-6, step=1, keep=1):
    offsets = Groups.of(codes, codes.max() + 1).offsets
    return Eliminator(X.copy(), offsets, C=C, tol=tol, step=step, keep=keep, by_kernel=by_kernel)


def finish(eliminator, work=1e9):
    while not eliminator.run(work):
        pass
    return eliminator.result()


@pytest.mark.parametrize("by_kernel", [False, True])
@pytest.mark.parametrize(("n_samples", "n_features", "n_classes", "C"), SHAPES)
def test_one_at_a_time(n_samples, n_features, n_classes, C, by_kernel):
    X, codes = table(n_samples, n_features, n_classes)
    order, criterion = finish(eliminator(X, codes, by_kernel, C=C))
    wanted, wanted_criterion = twin_svm.eliminate(X, codes, C=C, step=1, keep=1)
    np.testing.assert_array_equal(order, wanted)
    np.testing.assert_allclose(criterion, wanted_criterion, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("by_kernel", [False, True])
@pytest.mark.parametrize(("step", "keep"), [(1, 12), (4, 1), (5, 7), (100, 3), (2, 40)])
def test_steps(by_kernel, step, keep):
    X, codes = table(30, 40, 2)
    order, criterion = finish(eliminator(X, codes, by_kernel, step=step, keep=keep))
    wanted, wanted_criterion = twin_svm.eliminate(X, codes, C=1.0, step=step, keep=keep)
    np.testing.assert_array_equal(order, wanted)
    np.testing.assert_allclose(criterion, wanted_criterion, rtol=1e-6, atol=1e-12)


# With (300, 140) changes of the inverse wait until there are several.
@pytest.mark.parametrize("by_kernel", [False, True])
@pytest.mark.parametrize(("n_samples", "n_features", "n_classes"), [(40, 90, 3), (300, 140, 2)])
def test_interruptions_and_instruction_sets_change_no_bit(
    n_samples, n_features, n_classes, by_kernel
):
    X, codes = table(n_samples, n_features, n_classes)
    order, criterion = finish(eliminator(X, codes, by_kernel))
    for wide in (False, True):
        _featrank.use_wide_vectors(wide)
        again, again_criterion = finish(eliminator(X, codes, by_kernel), work=2000)
        np.testing.assert_array_equal(again, order)
        np.testing.assert_array_equal(again_criterion, criterion)


@pytest.mark.parametrize("by_kernel", [False, True])
def test_equal_features_leave_from_the_last(by_kernel):
    X, codes = table(50, 8, 2)
    X = np.column_stack([X, np.zeros((50, 150)), X[:, 2], -X[:, 2]])
    order, _ = finish(eliminator(X, codes, by_kernel))
    np.testing.assert_array_equal(order[:150], np.arange(157, 7, -1))
    place = np.argsort(order)
    assert place[2] > place[158] > place[159]


@pytest.mark.parametrize("by_kernel", [False, True])
def test_degenerate_samples(by_kernel):
    """Repeated and opposed samples make K_FF singular again and again."""
    rng = np.random.default_rng(0)
    X = np.repeat(rng.integers(0, 2, (30, 14)).astype(float), 3, axis=0)
    codes = np.sort(rng.integers(0, 2, 90))
    machine = eliminator(X - X.mean(axis=0), codes, by_kernel, keep=14)
    _, criterion = finish(machine)
    assert machine.converged
    wanted = SVC(kernel="linear", tol=1e-5).fit(X, codes).coef_[0] ** 2
    np.testing.assert_allclose(criterion, wanted, rtol=1e-3, atol=1e-6)
    other = eliminator(X - X.mean(axis=0), codes, by_kernel)
    finish(other)
    assert other.converged


@pytest.mark.parametrize("by_kernel", [False, True])
def test_samples_without_spread(by_kernel):
    order, criterion = finish(eliminator(np.zeros((6, 4)), np.repeat([0, 1], 3), by_kernel))
    np.testing.assert_array_equal(order, [3, 2, 1, 0])
    np.testing.assert_array_equal(criterion, 0)


def test_wrong_shapes_are_rejected():
    data, none = np.zeros((4, 3)), np.empty((0, 0))
    offsets = np.array([0, 2, 4])

    def build(data=data, kernel=none, offsets=offsets, C=1.0, step=1, keep=1):
        return _featrank.Eliminator(data, kernel, offsets, C, 1e-6, step, keep)

    build().run(1e6)
    for wrong in (
        {"offsets": np.array([0, 4])},
        {"offsets": np.array([0, 2, 5])},
        {"offsets": np.array([0, 3, 2, 4])},
        {"offsets": np.array([1, 2, 4])},
        {"kernel": np.zeros((4, 4))},
        {"C": 0.0},
        {"step": 0},
        {"keep": 4},
        {"keep": 0},
    ):
        with pytest.raises(ValueError, match="featrank kernel"):
            build(**wrong)
    with pytest.raises(ValueError, match="featrank kernel"):
        build().order(np.empty(2, np.int64))
    by_kernel = build(data=np.zeros((5, 4)), kernel=np.zeros((4, 4)))
    with pytest.raises(ValueError, match="featrank kernel"):
        by_kernel.fresh_kernel(np.zeros((4, 4)), np.zeros((4, 4)))
    with pytest.raises(ValueError, match="featrank kernel"):
        by_kernel.fresh_kernel(np.zeros((5, 4)), np.zeros((3, 4)))


@pytest.mark.parametrize("n_samples", [60, 15])
def test_ties_do_not_hang_on_rounding(n_samples):
    """Weights of 0 or 1 are met in many features at once; both ways must part them alike."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (n_samples, 25)).astype(float)
    codes = np.sort(rng.integers(0, 2, n_samples))
    X -= X.mean(axis=0)
    one, other = (finish(eliminator(X, codes, by_kernel)) for by_kernel in (False, True))
    np.testing.assert_array_equal(one[0], other[0])
