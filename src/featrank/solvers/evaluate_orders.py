"""Linear models that evaluate the top features of a ranking, and the rows they use."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from featrank.solvers.linear_svm import HingeSVM, LinearSVM, NewtonSVM
from featrank.solvers.one_standard_error import Fold
from featrank.solvers.ridge import RidgeRegression

# C of the SVMs, from strong to weak regularisation.
COSTS = (1e-4, 1e-2, 1.0)
# Penalties of the ridge regressions, for standardised features.
PENALTIES = (10.0, 0.3, 0.01)
# With more training rows than this, the squared hinge loss is much faster.
FEW_ROWS = 200
# More rows would not improve the comparison of rankings.
TRAINING_ROWS, OTHER_ROWS = 1000, 4000
FEW_OF_A_CLASS = 50


def rows_to_evaluate(y: NDArray[np.integer], fold: Fold) -> Fold:
    """Return training and held-out rows of a fold, subsampled if there are many."""
    return _some(fold[0], y, TRAINING_ROWS), _some(fold[1], y, OTHER_ROWS)


def evaluation_model(n_train: int, *, regression: bool) -> LinearSVM | RidgeRegression:
    """Return linear SVMs scored by AUC, or ridge regressions scored by R²."""
    if regression:
        return RidgeRegression(PENALTIES)
    return (HingeSVM if n_train <= FEW_ROWS else NewtonSVM)(COSTS)


def _some(rows: NDArray[np.intp], y: NDArray[np.integer], most: int) -> NDArray[np.intp]:
    """Return about ``most`` of the rows, evenly spaced within each class.

    Classes keep their proportions, but a small class keeps at least FEW_OF_A_CLASS rows if it has
    them.
    """
    if len(rows) <= most:
        return rows
    taken = []
    for label in np.unique(y[rows]):
        members = rows[y[rows] == label]
        wanted = max(most * len(members) // len(rows), FEW_OF_A_CLASS)
        places = np.linspace(0, len(members) - 1, min(wanted, len(members)))
        taken.append(members[places.astype(np.intp)])
    return np.sort(np.concatenate(taken))
