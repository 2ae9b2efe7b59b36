"""Elimination against fits of scikit-learn's machines, one after the other."""

import subprocess
import sys
from textwrap import dedent

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from featrank import SVMRFE
from featrank.kernels import Groups
from featrank.solvers import elimination


def table(n_samples, n_features, n_classes=2):
    return make_classification(
        n_samples, n_features, n_informative=5, n_classes=n_classes, random_state=0
    )


def plain(X, y, step, keep):
    """Return the features as they leave, those that stay from the least weight on, and c."""
    left, order, criterion = np.arange(X.shape[1]), [], np.zeros(X.shape[1])
    while True:
        machine = SVC(kernel="linear", tol=1e-9).fit(X[:, left], y)
        criterion[left] = (machine.coef_**2).sum(axis=0)
        worst = left[np.argsort(criterion[left], kind="stable")]
        if len(left) <= keep:
            return np.concatenate([order, worst]), criterion
        leaving = worst[: min(step, len(left) - keep)]
        order = np.concatenate([order, leaving]).astype(int)
        left = np.setdiff1d(left, leaving)


@pytest.mark.parametrize(("step", "keep"), [(1, 1), (1, 5), (4, 3)])
@pytest.mark.parametrize("shape", [(60, 15), (20, 30)])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_order_and_weights_are_those_of_plain_fits(shape, n_classes, step, keep):
    X, y = table(*shape, n_classes)
    groups = Groups.of(y, n_classes)
    found = elimination.eliminate(X, groups, C=1.0, tol=1e-8, step=step, keep=keep)
    order, criterion = plain(X, y, step, keep)
    np.testing.assert_array_equal(found.order, order)
    np.testing.assert_allclose(found.criterion, criterion, rtol=1e-4, atol=1e-8)
    assert found.changes > 0


def test_the_samples_are_left_as_they_are():
    X, y = table(40, 12)
    kept = X.copy()
    elimination.eliminate(X, Groups.of(y, 2), C=1.0, tol=1e-6, step=1, keep=1)
    np.testing.assert_array_equal(X, kept)


def test_a_machine_that_does_not_converge_is_reported(monkeypatch):
    monkeypatch.setattr(elimination.Eliminator, "converged", False)
    with pytest.warns(ConvergenceWarning, match="did not converge"):
        SVMRFE().fit(*table(20, 10))


def test_machines_of_many_classes_are_those_of_scikit_learn():
    X, y = classes(40, 6)
    found = elimination.eliminate(X, Groups.of(y, 40), C=1.0, tol=1e-9, step=1, keep=6)
    machines = SVC(kernel="linear", tol=1e-9).fit(X, y)
    np.testing.assert_allclose(found.criterion, (machines.coef_**2).sum(axis=0), rtol=1e-5)


@pytest.mark.skipif(sys.platform == "win32", reason="no measure of memory")
def test_machines_of_many_classes_are_small():
    """44,850 machines of ten samples each: vectors as long as all samples would take 1 GB."""
    limited = """
        import resource, sys
        import numpy as np
        from featrank.kernels import Groups
        from featrank.solvers.elimination import eliminate
        from tests.solvers.test_elimination import classes

        X, y = classes(300, 3)
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        eliminate(X, Groups.of(y, 300), C=1.0, tol=1e-6, step=1, keep=3)
        more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - used
        sys.exit(more > 400e6)
    """
    subprocess.run([sys.executable, "-c", dedent(limited)], check=True)


def classes(count, n_features):
    """Return five samples each of some classes."""
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(count), 5)
    return rng.normal(size=(5 * count, n_features)) + 2 * rng.normal(size=(count, n_features))[y], y
