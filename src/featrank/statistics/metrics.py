"""Metrics for classification and regression.

Tied scores share one threshold, so no metric depends on the order of the rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError

__all__ = [
    "average_precision",
    "average_precision_11",
    "average_precisions",
    "mean_average_precision",
    "r2",
    "roc_auc",
    "spearman",
]

Floats = NDArray[np.float64]


def roc_auc(y: Any, scores: Any, *, classes: Any = None) -> float:
    """Return the area under the ROC curve, or the one-vs-rest mean for several classes.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels.
    scores : array-like of shape (n_samples,) or (n_samples, n_classes)
        For two classes, one score per sample, higher for the second class in sorted order, or two
        columns with the scores of that class in the second. Otherwise one column per class.
    classes : array-like or None, default=None
        The classes of the columns, sorted. By default those in y. A class with no member in y, or
        with all rows, has no AUC and is omitted from the mean.

    Examples
    --------
    >>> from featrank.statistics import roc_auc
    >>> roc_auc(["no", "no", "yes", "yes"], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    labels, table = np.asarray(y), np.asarray(scores, dtype=np.float64)
    known = np.unique(labels) if classes is None else np.asarray(classes)
    _require_scores(table, len(labels))
    if len(known) < 2:
        raise DataError(f"ROC AUC compares at least two classes, got {known.tolist()}.")
    if len(known) == 2:
        table = table[:, None] if table.ndim == 1 else table[:, 1:]
        known = known[1:]
    if table.ndim != 2 or table.shape[1] != len(known):
        raise DataError(
            f"scores of shape {table.shape} do not fit {len(known)} classes. Expected one "
            "column per class, as decision_function and predict_proba return them."
        )
    areas = [_area(labels == label, table[:, j]) for j, label in enumerate(known)]
    return _mean_of_defined(np.array(areas), "ROC AUC")


def average_precision(y: Any, scores: Any) -> float:
    r"""Return the usual average precision, :math:`\sum_i (R_i - R_{i-1}) P_i`.

    P and R are precision and recall at each distinct score. NaN without positives.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        True or 1 for positives.
    scores : array-like of shape (n_samples,)
        Higher for positives.

    Examples
    --------
    >>> from featrank.statistics import average_precision
    >>> average_precision([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.8333
    """
    hits, drawn, positives = _curve(y, scores)
    if positives == 0:
        return float("nan")
    return float((np.diff(hits, prepend=0) / positives) @ (hits / drawn))


def average_precision_11(y: Any, scores: Any) -> float:
    r"""Return the 11-point average precision of the PASCAL VOC 2007 challenge.

    The mean, over the recalls 0, 0.1, …, 1, of the largest precision at that recall or above
    [1]_. NaN without positives. Parameters are those of :func:`average_precision`.

    References
    ----------
    .. [1] M. Everingham, L. Van Gool, C. K. I. Williams, J. Winn, A. Zisserman, "The PASCAL
       visual object classes (VOC) challenge", International Journal of Computer Vision 88
       (2010).

    Examples
    --------
    >>> from featrank.statistics import average_precision_11
    >>> average_precision_11([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.8485
    """
    hits, drawn, positives = _curve(y, scores)
    if positives == 0:
        return float("nan")
    best = np.maximum.accumulate((hits / drawn)[::-1])[::-1]
    # Recall ≥ t/10 in whole numbers, where 3/10 ≥ 0.3 holds.
    return float(best[np.searchsorted(10 * hits, np.arange(11) * positives, side="left")].mean())


def average_precisions(Y: Any, scores: Any, *, eleven_point: bool = False) -> Floats:
    """Return the average precision of every class, NaN for one without positives.

    Parameters
    ----------
    Y : array-like of shape (n_samples, n_classes)
        Indicator matrix: 1 where a sample has a label.
    scores : array-like of shape (n_samples, n_classes)
        Higher for samples that have the label.
    eleven_point : bool, default=False
        Whether to use the 11-point precision of VOC 2007.
    """
    labels, table = np.asarray(Y), np.asarray(scores, dtype=np.float64)
    if labels.ndim != 2 or labels.shape != table.shape:
        raise DataError(
            "Y and scores must both be samples × classes, got shapes "
            f"{labels.shape} and {table.shape}."
        )
    of = average_precision_11 if eleven_point else average_precision
    return np.array([of(labels[:, j], table[:, j]) for j in range(labels.shape[1])])


def mean_average_precision(Y: Any, scores: Any, *, eleven_point: bool = False) -> float:
    """Return mAP: the mean average precision over the classes that have positives.

    Parameters are those of :func:`average_precisions`.

    Examples
    --------
    >>> from featrank.statistics import mean_average_precision
    >>> Y = [[1, 0], [0, 1], [1, 1]]
    >>> mean_average_precision(Y, [[0.9, 0.2], [0.4, 0.1], [0.3, 0.8]])
    0.8333
    """
    return _mean_of_defined(average_precisions(Y, scores, eleven_point=eleven_point), "mAP")


def r2(y: Any, predicted: Any) -> float:
    r"""Return the share of the target's variance that predictions explain.

    .. math:: R^2 = 1 - \frac{\sum_t (y_t - \hat y_t)^2}{\sum_t (y_t - \bar y)^2}

    1 is a perfect prediction, 0 is no better than the mean of y, and worse predictions are
    negative. NaN for a constant y.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        The target.
    predicted : array-like of shape (n_samples,)
        The predictions.

    Examples
    --------
    >>> from featrank.statistics import r2
    >>> r2([1.0, 2.0, 3.0, 4.0], [1.5, 2.0, 3.0, 4.5])
    0.9
    """
    from featrank.solvers.ridge import r_squared

    true, values = _target_and_predictions(y, predicted)
    return float(r_squared(values[np.newaxis], true)[0])


def spearman(y: Any, predicted: Any) -> float:
    """Return Spearman's ρ: Pearson's correlation of the ranks, equal values sharing one.

    Only the order matters: 1 is perfect, 0 is no better than guessing. It is 0 for constant
    predictions and NaN for a constant y. Parameters are those of :func:`r2`.

    Examples
    --------
    >>> from featrank.statistics import spearman
    >>> spearman([1.0, 2.0, 3.0, 40.0], [0.1, 0.3, 0.2, 0.9])
    0.8
    """
    from scipy.stats import rankdata

    true, values = _target_and_predictions(y, predicted)
    first, second = (rankdata(each) - (len(true) + 1) / 2 for each in (true, values))
    spread = np.sqrt((first @ first) * (second @ second))
    if not np.any(first):
        return float("nan")
    return float(np.clip(first @ second / spread, -1.0, 1.0)) if spread else 0.0


def _area(positive: NDArray[np.bool_], scores: Floats) -> float:
    """Return the share of pairs that are in order, ties counting half (Mann-Whitney)."""
    from scipy.stats import rankdata

    n_positive = int(positive.sum())
    n_negative = len(positive) - n_positive
    if n_positive == 0 or n_negative == 0:
        return float("nan")
    above = rankdata(scores)[positive].sum() - n_positive * (n_positive + 1) / 2
    return float(above / (n_positive * n_negative))


def _curve(y: Any, scores: Any) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Return positives found and samples drawn at each distinct score, and all positives."""
    positive, values = _indicator(y), np.asarray(scores, dtype=np.float64)
    if values.ndim != 1:
        raise DataError(f"scores must have one dimension, got shape {values.shape}.")
    _require_scores(values, len(positive))
    order = np.argsort(-values, kind="stable")
    last = np.flatnonzero(np.diff(values[order], append=-np.inf))
    return np.cumsum(positive[order])[last], last + 1, int(positive.sum())


def _indicator(y: Any) -> NDArray[np.int64]:
    labels = np.asarray(y)
    if labels.ndim != 1 or not np.isin(labels, (0, 1)).all():
        raise DataError("y must be an indicator in one dimension: 1 for positives, 0 for others.")
    return labels.astype(np.int64)


def _target_and_predictions(y: Any, predicted: Any) -> tuple[Floats, Floats]:
    true, values = (np.asarray(each, dtype=np.float64) for each in (y, predicted))
    if true.ndim != 1 or true.shape != values.shape or not len(true):
        raise DataError(
            "y and the predictions must both have one number per sample, got shapes "
            f"{true.shape} and {values.shape}."
        )
    if not (np.isfinite(true).all() and np.isfinite(values).all()):
        raise DataError("y or what is predicted contains NaN or infinity.")
    return true, values


def _require_scores(scores: Floats, n_samples: int) -> None:
    if n_samples == 0 or scores.ndim == 0 or len(scores) != n_samples:
        raise DataError(f"y has {n_samples} labels, scores have shape {scores.shape}.")
    if not np.isfinite(scores).all():
        raise DataError("scores contain NaN or infinity, which cannot be put in order.")


def _mean_of_defined(values: Floats, name: str) -> float:
    defined = values[~np.isnan(values)]
    if len(defined) == 0:
        raise DataError(f"{name} is not defined: no class has both members and others in y.")
    return float(defined.mean())
