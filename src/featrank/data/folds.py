"""Cross-validation folds of class codes and of regression targets."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_consistent_length, check_random_state

from featrank.data.protocol import Fold, Relabelled, View
from featrank.kernels import Floats
from featrank.solvers.one_standard_error import stratified_folds
from featrank.summaries.regression import strata_of
from featrank.values.classes import group_codes

N_FOLDS = 5
# Rows in each stratum of a regression target, at least.
ROWS_PER_STRATUM = 2


def class_folds(
    codes: NDArray[np.intp],
    weights: Floats | None,
    groups: Any,
    random_state: Any,
    least_classes: int = 2,
) -> list[Fold]:
    """Return folds with every class in their training rows; none if a class has a single row."""
    counted = np.arange(len(codes)) if weights is None else np.flatnonzero(weights)
    y = codes[counted]
    if np.bincount(y)[np.unique(y)].min() < 2:
        return []
    if groups is not None:
        check_consistent_length(codes, groups)
        groups = group_codes(groups)[counted]
        if groups.min() == groups.max():
            return []
    seed = check_random_state(random_state).randint(2**31)
    folds = [(counted[a], counted[b]) for a, b in stratified_folds(y, N_FOLDS, seed, groups)]
    n_classes = len(np.unique(y))
    usable = [fold for fold in folds if _is_usable(codes, fold, n_classes, least_classes)]
    return usable if len(usable) > 1 else []


def _is_usable(codes: NDArray[np.intp], fold: Fold, n_classes: int, least: int) -> bool:
    """Whether the training rows have all classes and the held-out rows enough."""
    train, test = (len(np.unique(codes[rows])) for rows in fold)
    return train == n_classes and test >= least


def strata_of_target(y: Floats, weights: Floats | None) -> NDArray[np.intp]:
    """Return strata of a regression target, so that its values are similar in all folds."""
    rows = slice(None) if weights is None else weights > 0
    strata = np.zeros(len(y), dtype=np.intp)
    strata[rows] = strata_of(y[rows], ROWS_PER_STRATUM)
    return strata


def numeric_folds(
    y: Floats, strata: NDArray[np.intp], weights: Floats | None, groups: Any, random_state: Any
) -> list[Fold]:
    """Return folds in which a regression target varies on both sides; none if fewer than two."""
    folds = class_folds(strata, weights, groups, random_state, least_classes=1)
    varying = [fold for fold in folds if all(y[rows].min() < y[rows].max() for rows in fold)]
    return varying if len(varying) > 1 else []


def masked_target(y: NDArray[Any], view: View | None) -> NDArray[Any]:
    """Return the target of a view; other rows than a fold's training rows get -1, or NaN."""
    if view is None:
        return y
    if isinstance(view, Relabelled):
        relabelled = np.empty_like(y)
        relabelled[view.rows] = masked_target(y, view.fold)
        return relabelled
    masked = np.full(len(y), np.nan if y.dtype.kind == "f" else -1)
    masked[view[0]] = y[view[0]]
    return masked
