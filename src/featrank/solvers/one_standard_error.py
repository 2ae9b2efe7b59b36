"""How a parameter's value is chosen by cross-validation inside the rows at hand."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats

Fold = tuple[NDArray[np.intp], NDArray[np.intp]]

# Areas under the curve, and other shares, that differ by no more than this count as equal.
ALIKE = 0.01
# What a choice is made by: its name among facts, and in sentences.
METRICS = {"auc": "AUC", "r2": "R²"}
# Digits of a mean score: rounding alone must not decide between equal ones.
DIGITS = 9


def stratified_folds(
    y: NDArray[np.integer], folds: int, seed: Any, groups: NDArray[Any] | None = None
) -> list[Fold]:
    """Return training and other rows of each fold, by class; rows of a group stay together.

    A class with fewer members than ``folds``, or fewer groups, makes them fewer, but there are two
    at least.
    """
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

    smallest = int(np.bincount(y)[np.unique(y)].min())
    if groups is not None:
        smallest = min(smallest, len(np.unique(groups)))
    kind = StratifiedKFold if groups is None else StratifiedGroupKFold
    cut = kind(max(2, min(folds, smallest)), shuffle=True, random_state=seed)
    return list(cut.split(y[:, None], y, groups))


def at_best_setting(scores: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """Return each candidate's scores under its best setting, and which setting that is.

    ``scores`` are of shape (folds, …, candidates, settings), NaN where there is none. Of equally
    good settings the first is taken.
    """
    best = _best(mean_of_known(scores))
    return np.take_along_axis(scores, best[np.newaxis, ..., np.newaxis], axis=-1)[..., 0], best


def last_within_one_error(scores: Floats, least: float = 0.0) -> int:
    """Return the last candidate that is not significantly worse than the best one.

    ``scores`` are of shape (folds, candidates), the candidates in ascending order of preference. A
    candidate is not significantly worse than the one of largest mean if their means differ by at
    most one standard error of the difference, which is taken fold by fold: all candidates meet the
    same easy and hard folds. Differences of up to ``least`` count as none: where all folds are
    nearly perfect, errors are too small to be believed. The rule with the error of the best mean
    alone is that of [1]_.

    References
    ----------
    .. [1] L. Breiman, J. Friedman, R. Olshen and C. Stone, "Classification and regression
       trees" (1984), section 3.4.3.

    Examples
    --------
    >>> last_within_one_error(np.array([[0.6, 0.9, 0.8, 0.7], [0.6, 0.7, 0.8, 0.6]]))
    2
    """
    return int(np.flatnonzero(within_one_error(scores, least))[-1])


def within_one_error(scores: Floats, least: float = 0.0) -> NDArray[np.bool_]:
    """Return a mask of the candidates that are not significantly worse than the best one.

    One without a score is not among them, unless none has any.
    """
    mean = mean_of_known(scores)
    if np.isnan(mean).all():
        return np.ones(len(mean), dtype=bool)
    behind = scores[:, [_best(mean)]] - scores
    return (mean_of_known(behind) - np.maximum(standard_error(behind), least)).round(DIGITS) <= 0


def choice(
    name: str, values: Floats, scores: Floats, chosen: float, metric: str = "auc"
) -> dict[str, Any]:
    """Return what was chosen by a metric, the best of what was tried, and how many come near it.

    ``scores`` are of shape (folds, values), and known of some
    folds; ``metric`` is one of ``METRICS``.
    """
    mean = mean_of_known(scores)
    best, own = int(_best(mean)), int(np.flatnonzero(values == chosen)[0])
    return {
        name: float(values[own]),
        metric: float(mean[own]),
        "standard_error": float(standard_error(scores[:, own])),
        "folds": int((~np.isnan(scores).all(axis=1)).sum()),
        f"best_{name}": float(values[best]),
        f"best_{metric}": float(mean[best]),
        "alike": int(within_one_error(scores, ALIKE).sum()),
        "tried": len(values),
    }


def choice_sentence(name: str, facts: dict[str, Any]) -> str:
    """Return a sentence on a choice: what, by what, how clear.

    Examples
    --------
    >>> scores = np.array([[0.6, 0.9, 0.8], [0.6, 0.8, 0.8]])
    >>> choice_sentence("alpha", choice("alpha", np.array([0.0, 0.5, 1.0]), scores, 1.0))
    'alpha = 1, chosen by 2-fold cross-validation: AUC 0.800 ± 0.000 (best 0.850 at 0.5; 2 of 3
    values are alike).'
    """
    many, tried = facts["alike"], facts["tried"]
    metric = next(metric for metric in METRICS if metric in facts)
    own, best = facts[metric], facts[f"best_{metric}"]
    ties = f"{many} of {tried} values are alike" if many > 1 else f"none of {tried} comes near it"
    is_best = round(own, DIGITS) == round(best, DIGITS)
    margin = "the best" if is_best else f"best {best:.3f} at {facts[f'best_{name}']:g}"
    return (
        f"{name} = {facts[name]:g}, chosen by {facts['folds']}-fold cross-validation: "
        f"{METRICS[metric]} {own:.3f} ± {facts['standard_error']:.3f} ({margin}; {ties})."
    )


def _best(mean: Floats) -> NDArray[np.intp]:
    """Return the place of the largest mean along the last axis; NaN is none."""
    return np.where(np.isnan(mean), -np.inf, mean).round(DIGITS).argmax(axis=-1)


def standard_error(scores: Floats) -> Floats:
    """Return the standard error of the mean over the first axis; 0 where it cannot be known."""
    known = ~np.isnan(scores)
    count = known.sum(axis=0)
    squares = np.where(known, scores - mean_of_known(scores), 0.0) ** 2
    return np.sqrt(squares.sum(axis=0) / np.maximum(count - 1, 1) / np.maximum(count, 1))


def mean_of_known(scores: Floats) -> Floats:
    """Return the mean over the first axis of what is not NaN; NaN where nothing is known."""
    known = ~np.isnan(scores)
    total = np.where(known, scores, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return np.where(known.any(axis=0), total, np.nan)
