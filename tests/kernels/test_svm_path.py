"""Linear SVMs for many C: the optimality conditions, and scikit-learn."""

import numpy as np
import pytest
from sklearn.svm import SVC

from featrank.kernels.svm_path import TOLERANCE, hinge_path

C = (0.001, 0.03, 1.0, 30.0, 1000.0)


def overlapping(n_samples=60, n_features=6, share=0.4, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.random(n_samples) < share
    X = rng.normal(size=(n_samples, n_features))
    X[:, :3] += 0.7 * y[:, None]
    return X, y


def objective(X, y, weights, intercept, cost):
    signs = np.where(y, 1, -1)
    gaps = np.maximum(0, 1 - signs * (X @ weights + intercept))
    return weights @ weights / 2 + cost * gaps.sum()


CASES = {
    "overlapping": overlapping(),
    "separable": overlapping(30, 80),
    "one positive": overlapping(40, 4, share=0.01, seed=3),
    "copies": tuple(np.repeat(part, 2, axis=0) for part in overlapping(20, 3)),
    "copies in both classes": (np.repeat(overlapping(20, 3)[0], 2, axis=0), np.arange(40) % 2 == 0),
    "copied columns": (np.repeat(overlapping()[0], 3, axis=1), overlapping()[1]),
    "ties": (overlapping()[0].round(), overlapping()[1]),
    "nothing": (np.zeros((20, 2)), np.arange(20) % 3 == 0),
    "large values": (1e4 * overlapping()[0] + 1e5, overlapping()[1]),
    "four rows": (np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([0, 1, 0, 1]) > 0),
}


@pytest.mark.parametrize("by_kernel", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_conditions_hold(case, by_kernel):
    X, y = CASES[case]
    X, y = X.copy(), y.copy()
    y[0] = True
    gram, signs = X @ X.T, np.where(y, 1, -1)
    found, intercepts = hinge_path(gram if by_kernel else X, y, C, by_kernel=by_kernel)
    for cost, beta, intercept in zip(C, found, intercepts, strict=True):
        alpha = signs * beta
        assert abs(beta.sum()) <= 1e-9 * cost * len(y)
        assert alpha.min() >= -1e-12 * cost
        assert alpha.max() <= cost * (1 + 1e-12)
        gaps = 1 - signs * (gram @ beta + intercept)
        slack = TOLERANCE + 1e-12 * np.abs(gram).max() * cost
        assert (gaps[alpha < cost * (1 - 1e-9)] <= slack).all()
        assert (gaps[alpha > cost * 1e-9] >= -slack).all()


@pytest.mark.parametrize("seed", range(4))
def test_as_good_as_scikit_learn(seed):
    X, y = overlapping(seed=seed)
    found, intercepts = hinge_path(X, y, C[:4], by_kernel=False)
    for cost, beta, intercept in zip(C, found, intercepts, strict=False):
        model = SVC(kernel="linear", C=cost, tol=1e-6).fit(X, y)
        ours = objective(X, y, beta @ X, intercept, cost)
        assert ours <= objective(X, y, model.coef_[0], model.intercept_[0], cost) * (1 + 1e-6)
        np.testing.assert_allclose(beta @ X, model.coef_[0], atol=1e-3)


def test_the_way_does_not_matter():
    X, y = overlapping()
    path = hinge_path(X, y, C, by_kernel=False)[0] @ X
    for number, cost in enumerate(C):
        alone = hinge_path(X, y, (cost,), by_kernel=False)[0] @ X
        np.testing.assert_allclose(alone[0], path[number], atol=1e-6)


def test_shapes_are_checked():
    X, y = overlapping()
    with pytest.raises(ValueError, match="data's shape"):
        hinge_path(X, y, C, by_kernel=True)
    with pytest.raises(ValueError, match="data's shape"):
        hinge_path(X[:5], y, C, by_kernel=False)
    with pytest.raises(ValueError, match="must not fall"):
        hinge_path(X, y, C[::-1], by_kernel=False)
    with pytest.raises(ValueError, match="above 0"):
        hinge_path(X, y, (0.0,), by_kernel=False)
