"""Choose a parameter's value by cross-validation, with the one-standard-error rule."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats

Fold = tuple[NDArray[np.intp], NDArray[np.intp]]

# AUC and R² values that differ by at most this count as equal.
SLACK = 0.01
# Metrics: name among facts → name in sentences.
METRICS = {"auc": "AUC", "r2": "R²"}
# Digits of a mean score, so that rounding errors do not decide between equal ones.
DIGITS = 9


def stratified_folds(
    y: NDArray[np.integer], folds: int, seed: Any, groups: NDArray[Any] | None = None
) -> list[Fold]:
    """Return training and held-out rows of stratified folds. Groups stay together.

    If a class has fewer members than ``folds``, or there are fewer groups, there are fewer folds,
    but at least two.
    """
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

    smallest = int(np.bincount(y)[np.unique(y)].min())
    if groups is not None:
        smallest = min(smallest, len(np.unique(groups)))
    kind = StratifiedKFold if groups is None else StratifiedGroupKFold
    cut = kind(max(2, min(folds, smallest)), shuffle=True, random_state=seed)
    return list(cut.split(y[:, None], y, groups))


def at_best_setting(scores: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """Return each candidate's scores for its best setting, and the index of that setting.

    ``scores`` has shape (folds, …, candidates, settings) and may contain NaN. Ties go to the first
    setting.
    """
    best = _best(mean_of_known(scores))
    return np.take_along_axis(scores, best[np.newaxis, ..., np.newaxis], axis=-1)[..., 0], best


def last_within_one_error(scores: Floats, least: float = 0.0) -> int:
    """Return the last candidate that is not significantly worse than the best one.

    ``scores`` has shape (folds, candidates), with candidates in ascending order of preference. A
    candidate is not significantly worse than the best one if their means differ by at most one
    standard error of the difference. The difference is taken fold by fold, as all candidates share
    the same easy and hard folds. Differences of up to ``least`` are ignored, as standard errors are
    too small if all folds are nearly perfect. The original rule uses the standard error of the best
    mean [1]_.

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

    Candidates without a score are excluded, unless no candidate has one.
    """
    mean = mean_of_known(scores)
    if np.isnan(mean).all():
        return np.ones(len(mean), dtype=bool)
    behind = scores[:, [_best(mean)]] - scores
    return (mean_of_known(behind) - np.maximum(standard_error(behind), least)).round(DIGITS) <= 0


def choice(
    name: str, values: Floats, scores: Floats, chosen: float, metric: str = "auc"
) -> dict[str, Any]:
    """Return the chosen value and its score, the best value, and the number of ties.

    ``scores`` has shape (folds, values) and may contain NaN. ``metric`` is one of ``METRICS``.
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
        "tied": int(within_one_error(scores, SLACK).sum()),
        "tried": len(values),
    }


def choice_sentence(name: str, facts: dict[str, Any], meaning: str = "") -> str:
    """Return sentences on a choice: its score, its value, and how clear it was.

    Examples
    --------
    >>> scores = np.array([[0.6, 0.9, 0.8], [0.6, 0.8, 0.8]])
    >>> choice_sentence("alpha", choice("alpha", np.array([0.0, 0.5, 1.0]), scores, 1.0))
    'Cross-validated AUC of the top features: 0.800 ± 0.000 (2 folds). featrank used alpha = 1. 2 of
    3 values of alpha performed equally well.'
    """
    metric = next(metric for metric in METRICS if metric in facts)
    many, tried = facts["tied"], facts["tried"]
    ties = f"{many} of {tried} values of {name}" if many > 1 else f"No other value of {name}"
    return (
        f"Cross-validated {METRICS[metric]} of the top features: {facts[metric]:.3f} ± "
        f"{facts['standard_error']:.3f} ({facts['folds']} folds). featrank used {name} = "
        f"{facts[name]:g}{meaning}. {ties} performed equally well."
    )


def _best(mean: Floats) -> NDArray[np.intp]:
    """Return the index of the largest mean along the last axis, ignoring NaN."""
    return np.where(np.isnan(mean), -np.inf, mean).round(DIGITS).argmax(axis=-1)


def standard_error(scores: Floats) -> Floats:
    """Return the standard error of the mean over the first axis, or 0 if it is not defined."""
    known = ~np.isnan(scores)
    count = known.sum(axis=0)
    squares = np.where(known, scores - mean_of_known(scores), 0.0) ** 2
    return np.sqrt(squares.sum(axis=0) / np.maximum(count - 1, 1) / np.maximum(count, 1))


def mean_of_known(scores: Floats) -> Floats:
    """Return the mean over the first axis, ignoring NaN."""
    known = ~np.isnan(scores)
    total = np.where(known, scores, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return np.where(known.any(axis=0), total, np.nan)
