"""Recursive elimination of the features with the smallest weights in a linear SVM."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank._utils.progress import report
from featrank.kernels import Floats, Groups
from featrank.kernels.svm import Eliminator, RegressionTarget
from featrank.solvers.standardise import centred
from featrank.values.numbers import by_power_of_two


class Elimination(NamedTuple):
    """Result of a recursive elimination.

    ``order`` lists features from worst to best. ``criterion`` is the sum of squared weights of each
    when it was last evaluated. ``changes`` counts changes of the sets of free support vectors.
    """

    order: NDArray[np.int64]
    criterion: Floats
    changes: int


def eliminate(X: Any, groups: Groups, *, C: float, tol: float, step: int, keep: int) -> Elimination:
    """Fit an SVM to each pair of classes, eliminate features, and repeat, reporting progress.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The samples.
    groups : Groups
        The classes of the samples.
    C, tol : float
        Penalty of margin violations, and tolerance for the optimality conditions.
    step, keep : int
        Number of features to eliminate after each fit, and number of features to keep.

    Examples
    --------
    >>> X = np.array([[0.0, 3, 0], [1, 2, 1], [4, 3, 0], [5, 1, 1]])
    >>> groups = Groups.of(np.array([0, 0, 1, 1]), 2)
    >>> eliminate(X, groups, C=1.0, tol=1e-6, step=1, keep=1).order
    array([2, 1, 0])
    """
    return _run(X, groups.order, groups.offsets, C=C, tol=tol, step=step, keep=keep)


def eliminate_for_regression(
    X: Any, y: Floats, *, C: float, epsilon: float, tol: float, step: int, keep: int
) -> Elimination:
    """Eliminate features by support vector regression, which tolerates errors of epsilon.

    It is fitted to the standardised y, in whose units ``tol`` is measured. C, ``epsilon`` and the
    criterion refer to y itself.

    Examples
    --------
    >>> X = np.array([[0.0, 3, 0], [1, 2, 1], [4, 3, 0], [5, 1, 1]])
    >>> y = 2 * X[:, 0] - X[:, 1]
    >>> eliminate_for_regression(X, y, C=1.0, epsilon=0.1, tol=1e-6, step=1, keep=1).order
    array([2, 1, 0])
    """
    unit = spread(y)
    target = RegressionTarget(_standardised(y), epsilon / unit)
    found = _run(X, np.arange(len(y)), target, C=C / unit, tol=tol, step=step, keep=keep)
    with np.errstate(over="ignore"):
        return found._replace(criterion=found.criterion * unit * unit)


def spread(y: Floats) -> float:
    """Return the standard deviation without overflow, for numbers that are not all equal.

    Examples
    --------
    >>> spread(np.array([-3e300, 3e300]))
    3e+300
    """
    small, exponent = _small(y)
    return float(np.ldexp(small.std(), exponent))


def _standardised(y: Floats) -> Floats:
    small, _ = _small(y)
    return (small - small.mean()) / small.std()


def _small(y: Floats) -> tuple[Floats, int]:
    """Return y minus its minimum, scaled by a power of two to avoid overflow, and the exponent."""
    small, exponent = by_power_of_two(y)
    return small - small.min(), exponent


def _run(
    X: Any, rows: NDArray[np.integer], target: NDArray[np.int64] | RegressionTarget, **settings: Any
) -> Elimination:
    n_samples, n_features = X.shape
    by_kernel = n_samples <= n_features
    data = centred(X, rows, order="F" if by_kernel else "C")
    eliminator = Eliminator(data, target, by_kernel=by_kernel, **settings)
    done = False
    while not done:
        done = eliminator.run()
        report(n_features if done else n_features - eliminator.left, n_features)
    if not eliminator.converged:
        _warn()
    return Elimination(*eliminator.result(), eliminator.changes)


def squared_weights(X: Floats, offsets: NDArray[np.int64], *, C: float, tol: float) -> Floats:
    """Fit an SVM to each pair of classes, and sum the squared weights of each feature.

    ``X`` has centred samples, grouped by class, and may be overwritten.

    Examples
    --------
    >>> X = np.array([[-2.0, 1], [-1, -1], [1, -1], [2, 1]])
    >>> squared_weights(X, np.array([0, 2, 4]), C=1.0, tol=1e-9).round(3)
    array([1., 0.])
    """
    n_samples, n_features = X.shape
    by_kernel = n_samples <= n_features
    eliminator = Eliminator(X, offsets, C=C, tol=tol, step=1, keep=n_features, by_kernel=by_kernel)
    while not eliminator.run():
        pass
    if not eliminator.converged:
        _warn()
    return eliminator.result()[1]


def _warn() -> None:
    from sklearn.exceptions import ConvergenceWarning

    warnings.warn(
        "An SVM did not converge. Standardise the features.",
        ConvergenceWarning,
        stacklevel=4,
    )
