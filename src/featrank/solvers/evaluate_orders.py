"""How good rankings are inside the rows at hand: the best features' linear model on other rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats
from featrank.solvers.linear_svm import HingeSVM, LinearSVM, NewtonSVM, part_of
from featrank.solvers.one_standard_error import Fold
from featrank.solvers.preprocessing import Treatment
from featrank.solvers.ridge import RidgeRegression

# C of the SVMs: from a machine that weighs all rows alike to one that leaves none in doubt.
COSTS = (1e-4, 1e-2, 1.0)
# Penalties of ridge regressions, in units of what standardised features weigh.
PENALTIES = (10.0, 0.3, 0.01)
# Beyond so many training rows the squared hinge loss is faster by far.
FEW_ROWS = 200
# A judge needs no more rows than these to tell rankings apart, however many there are.
TRAINING_ROWS, OTHER_ROWS = 1000, 4000
FEW_OF_A_CLASS = 50
MOST_FEATURES = 200


def judged(
    X: Any,
    y: NDArray[Any],
    fold: Fold,
    orders: NDArray[np.integer],
    ks: Sequence[int],
    strata: NDArray[np.integer] | None = None,
) -> Floats:
    """Return the AUC of the first k features of each order, by k, order and C.

    ``orders`` hold as many features as the largest k. SVMs are trained on the fold's training
    rows and scored on its others, on some of them where there are many. With ``strata``, classes
    of rows that are alike, y is a quantity: there it is R² of ridge regressions, by k, order and
    penalty.
    """
    train, rest = rows_to_judge(y if strata is None else strata, fold)
    rows, columns = np.concatenate([train, rest]), np.unique(orders)
    values = X[:, columns][rows] if len(rows) == X.shape[0] else X[rows][:, columns]
    values = values if isinstance(values, np.ndarray) else values.toarray()
    return judged_values(
        values, y[rows], len(train), columns, orders, ks, quantity=strata is not None
    )


def rows_to_judge(y: NDArray[np.integer], fold: Fold) -> Fold:
    """Return training and other rows of a fold, some of them where there are many."""
    return _some(fold[0], y, TRAINING_ROWS), _some(fold[1], y, OTHER_ROWS)


def judged_values(
    values: NDArray[Any],
    y: NDArray[Any],
    n_train: int,
    columns: NDArray[np.integer],
    orders: NDArray[np.integer],
    ks: Sequence[int],
    *,
    quantity: bool = False,
) -> Floats:
    """Do the same with the values of some rows, the training rows first, and columns."""
    train, rest = np.arange(n_train), np.arange(n_train, len(y))
    part = part_of(values.astype(np.float64, copy=False), y, train, rest, Treatment())
    judge = _judge(n_train, quantity)
    known: dict[bytes, Floats] = {}
    scores = np.empty((len(ks), len(orders), len(judge.settings)))
    for place, k in enumerate(ks):
        for number, order in enumerate(np.searchsorted(columns, orders[:, :k])):
            chosen = np.sort(order)
            key = chosen.tobytes()
            if key not in known:
                known[key] = judge.scores(part, chosen, judge.settings)
            scores[place, number] = known[key]
    return scores


def _judge(n_train: int, quantity: bool) -> LinearSVM | RidgeRegression:
    if quantity:
        return RidgeRegression(PENALTIES)
    return (HingeSVM if n_train <= FEW_ROWS else NewtonSVM)(COSTS)


def _some(rows: NDArray[np.intp], y: NDArray[np.integer], most: int) -> NDArray[np.intp]:
    """Return about so many of the rows, spread evenly over those of each class.

    Classes keep their shares, but of a small one FEW_OF_A_CLASS are taken where it has them.
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
