"""Scores of decisions against classes, one against the rest where there are several."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats

# Decisions, one row per setting, and a mask of the samples of the class.
Against = tuple[Floats, NDArray[np.bool_]]


@dataclass(frozen=True)
class DecisionScorer:
    """A scorer of decision values, so that several metrics share one fit.

    For more than two classes, a metric is the mean over classes of one against the rest.

    Attributes
    ----------
    name : str
        Its name in results.
    metrics : mapping
        Column of the results → function of decisions (settings × samples) and an indicator, one
        value per setting. Tuning uses the column "score".
    """

    name: str
    metrics: Mapping[str, Callable[[Floats, NDArray[np.bool_]], Floats]]

    def __str__(self) -> str:
        return self.name

    def __call__(self, estimator: Any, X: Any, y: Any) -> float:
        """Return the score of a fitted classifier, as scikit-learn's scorers do."""
        return self.verdict(one_against_rest(estimator, X, y))["score"]

    def scores(self, each: list[Against], column: str = "score") -> Floats:
        """Return one metric for each setting, given the decisions on each class."""
        return _mean(np.array([self.metrics[column](*against) for against in each]))

    def verdict(self, each: list[Against]) -> dict[str, float]:
        """Return every metric of a single setting."""
        return {column: float(self.scores(each, column)[0]) for column in self.metrics}


def auc(decisions: Floats, positive: NDArray[np.bool_]) -> Floats:
    """Return the area under the ROC curve of each row of decisions, or NaN for a single class.

    Examples
    --------
    >>> auc(np.array([[0.1, 0.4, 0.35, 0.8]]), np.array([False, False, True, True]))
    array([0.75])
    """
    from scipy.stats import rankdata

    count = int(positive.sum())
    pairs = count * (len(positive) - count)
    if pairs == 0:
        return np.full(len(decisions), np.nan)
    ranks = rankdata(decisions, axis=1)[:, positive].sum(axis=1)
    return np.asarray((ranks - count * (count + 1) / 2) / pairs)


def one_against_rest(estimator: Any, X: Any, y: Any) -> list[Against]:
    """Return the decisions of a fitted classifier per class. For two classes, of the second."""
    found = getattr(estimator, "decision_function", None) or estimator.predict_proba
    decisions = np.asarray(found(X), dtype=np.float64)
    classes = estimator.classes_
    if len(classes) == 2:
        column = decisions if decisions.ndim == 1 else decisions[:, 1]
        return [(column[None, :], np.asarray(y) == classes[1])]
    return [(row[None, :], y == label) for row, label in zip(decisions.T, classes, strict=True)]


def _mean(each: Floats) -> Floats:
    """Return the mean over classes, without classes that are missing in the scored rows."""
    known = ~np.isnan(each)
    counts = known.sum(axis=0)
    sums = np.where(known, each, 0.0).sum(axis=0)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


auc_scorer = DecisionScorer("ROC AUC", {"score": auc})
