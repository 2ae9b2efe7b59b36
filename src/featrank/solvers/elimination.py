"""Recursive elimination: the features of least weight leave a support vector machine."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats, Groups
from featrank.kernels.svm import Eliminator
from featrank.progress import report

from .centring import centred


class Elimination(NamedTuple):
    """How features left.

    ``order`` holds them from the worst to the best, ``criterion`` the sum of squared weights of
    each when it was judged last, ``changes`` counts those of the sets of free support vectors.
    """

    order: NDArray[np.int64]
    criterion: Floats
    changes: int


def eliminate(X: Any, groups: Groups, *, C: float, tol: float, step: int, keep: int) -> Elimination:
    """Fit a machine to each pair of classes, let features leave, and so on; tell the progress.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The samples.
    groups : Groups
        Their classes.
    C, tol : float
        Cost of a violated margin, and the largest violation of the optimality conditions.
    step, keep : int
        How many features leave after each fit, and how many stay.

    Examples
    --------
    >>> X = np.array([[0.0, 3, 0], [1, 2, 1], [4, 3, 0], [5, 1, 1]])
    >>> groups = Groups.of(np.array([0, 0, 1, 1]), 2)
    >>> eliminate(X, groups, C=1.0, tol=1e-6, step=1, keep=1).order
    array([2, 1, 0])
    """
    n_samples, n_features = X.shape
    by_kernel = n_samples <= n_features
    eliminator = Eliminator(
        centred(X, groups.order, order="F" if by_kernel else "C"),
        groups.offsets,
        C=C,
        tol=tol,
        step=step,
        keep=keep,
        by_kernel=by_kernel,
    )
    done = False
    while not done:
        done = eliminator.run()
        report(n_features if done else n_features - eliminator.left, n_features)
    if not eliminator.converged:
        _warn()
    return Elimination(*eliminator.result(), eliminator.changes)


def _warn() -> None:
    from sklearn.exceptions import ConvergenceWarning

    warnings.warn(
        "A support vector machine of SVMRFE did not reach its tolerance. Standardise the "
        "features, or raise tol or lower C.",
        ConvergenceWarning,
        stacklevel=3,
    )
