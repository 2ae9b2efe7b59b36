"""The specification of the elimination kernel: a machine from scratch at every step."""

from itertools import combinations

import numpy as np
from sklearn.svm import SVC, SVR


def weights(X, codes, C):
    """Weights of a machine of two classes.

    scikit-learn's solver holds the kernel matrix in single precision, so it only says which
    samples are at a bound; the conditions on the others are solved as linear equations.
    """
    machine = SVC(kernel="linear", C=C, tol=1e-6).fit(X, codes)
    return _exact(X, machine, np.where(codes == codes.max(), 1.0, -1.0))


def weights_for_quantities(X, y, C, epsilon):
    """Weights of a machine that regresses y, likewise."""
    machine = SVR(kernel="linear", C=C, epsilon=epsilon, tol=1e-6).fit(X, y)
    above = np.zeros(len(X))
    above[machine.support_] = np.sign(machine.dual_coef_[0])
    return _exact(X, machine, y - above * epsilon)


def _exact(X, machine, wanted):
    """Weights of a machine of which only the sets of samples are trusted.

    Free samples have the value that is wanted of them.
    """
    beta = np.zeros(len(X))
    beta[machine.support_] = machine.dual_coef_[0]
    free = np.flatnonzero(
        (np.abs(beta) > 1e-7 * machine.C) & (np.abs(beta) < (1 - 1e-5) * machine.C)
    )
    bound = np.abs(beta) >= (1 - 1e-5) * machine.C
    beta = np.where(bound, np.sign(beta) * machine.C, 0)
    system = np.pad(X[free] @ X[free].T, (0, 1), constant_values=1)
    system[-1, -1] = 0
    right = np.append(wanted[free] - X[free] @ (X.T @ beta), -beta.sum())
    beta[free] = np.linalg.lstsq(system, right)[0][:-1]
    return X.T @ beta


def pairwise_weights(X, codes, C):
    """The same, with a machine of two classes for each pair."""
    pairs = combinations(np.unique(codes), 2)
    rows = [np.isin(codes, pair) for pair in pairs]
    return np.vstack([weights(X[mask], codes[mask], C) for mask in rows])


def eliminate(X, codes, *, C, step, keep):
    """Features from the worst to the best, and each one's criterion when it was judged."""
    return _eliminate(X, lambda X: pairwise_weights(X, codes, C), step, keep)


def eliminate_for_regression(X, y, *, C, epsilon, step, keep):
    """The same for a quantity."""
    return _eliminate(X, lambda X: weights_for_quantities(X, y, C, epsilon)[None], step, keep)


def _eliminate(X, weights_of, step, keep):
    left, order, criterion = np.arange(X.shape[1]), [], np.empty(X.shape[1])
    while True:
        criterion[left] = (weights_of(X[:, left]) ** 2).sum(axis=0)
        worst_first = left[np.argsort(criterion[left], kind="stable")]
        if len(left) == keep:
            return np.array([*order, *worst_first]), criterion
        leaving = worst_first[: min(step, len(left) - keep)]
        order.extend(leaving)
        left = np.setdiff1d(left, leaving)
