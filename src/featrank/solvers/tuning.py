"""How a parameter's value is chosen by cross-validation inside the rows at hand."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats

Fold = tuple[NDArray[np.intp], NDArray[np.intp]]

# Digits of a mean score: rounding alone must not decide between equal ones.
DIGITS = 9


def stratified_folds(
    y: NDArray[np.integer], folds: int, seed: Any, groups: NDArray[Any] | None = None
) -> list[Fold]:
    """Return training and other rows of each fold, by class; rows of a group stay together.

    A class with fewer members than ``folds`` makes them fewer, but there are two at least.
    """
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

    smallest = int(np.bincount(y)[np.unique(y)].min())
    kind = StratifiedKFold if groups is None else StratifiedGroupKFold
    cut = kind(max(2, min(folds, smallest)), shuffle=True, random_state=seed)
    return list(cut.split(y[:, None], y, groups))


def at_best_setting(scores: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """Return each candidate's scores under its best setting, and which setting that is.

    ``scores`` are of shape (folds, …, candidates, settings), NaN where there is none. Of equally
    good settings the first is taken.
    """
    best = mean_of_known(scores).round(DIGITS).argmax(axis=-1)
    own = np.take_along_axis(scores, best[np.newaxis, ..., np.newaxis], axis=-1)
    return own[..., 0], best


def last_within_one_error(scores: Floats) -> int:
    """Return the last candidate that cannot be told from the best one.

    ``scores`` are of shape (folds, candidates), the candidates in ascending order of preference:
    the last whose mean is within one standard error of the largest mean is taken [1]_.

    References
    ----------
    .. [1] L. Breiman, J. Friedman, R. Olshen and C. Stone, "Classification and regression
       trees" (1984), section 3.4.3.

    Examples
    --------
    >>> last_within_one_error(np.array([[0.6, 0.9, 0.8, 0.7], [0.6, 0.7, 0.8, 0.6]]))
    2
    """
    mean = mean_of_known(scores)
    best = int(np.argmax(mean.round(DIGITS)))
    limit = mean[best] - standard_error(scores[:, best])
    return int(np.flatnonzero(mean.round(DIGITS) >= limit.round(DIGITS))[-1])


def standard_error(scores: Floats) -> np.float64:
    """Return the standard error of the mean of scores; 0 where fewer than two are known."""
    known = scores[~np.isnan(scores)]
    return np.float64(known.std(ddof=1) / np.sqrt(len(known)) if len(known) > 1 else 0.0)


def mean_of_known(scores: Floats) -> Floats:
    """Return the mean over the first axis of what is not NaN; 0 where nothing is known."""
    known = ~np.isnan(scores)
    return np.where(known, scores, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
