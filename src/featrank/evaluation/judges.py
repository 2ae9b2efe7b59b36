"""Who judges a ranking: a classifier trained on the first k features and scored on other rows."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from featrank.base import Floats
from featrank.solvers.linear_svm import (
    HINGE_ROWS,
    NEWTON_COLUMNS,
    HingeSVM,
    NewtonSVM,
    Part,
)
from featrank.solvers.scoring import DecisionScorer, auc_scorer, one_against_rest
from featrank.statistics.metrics import average_precision, average_precision_11


def precision(decisions: Floats, positive: NDArray[np.bool_]) -> Floats:
    """Return the average precision of each row of decisions; NaN without positives."""
    return np.array([average_precision(positive, row) for row in decisions])


def precision_11(decisions: Floats, positive: NDArray[np.bool_]) -> Floats:
    """Return the 11-point average precision of each row of decisions; NaN without positives."""
    return np.array([average_precision_11(positive, row) for row in decisions])


average_precision_scorer = DecisionScorer(
    "average precision", {"score": precision, "score_11": precision_11}
)


class Judge(Protocol):
    """Scores of the first k features of a ranking, for each setting of the classifier."""

    settings: tuple[dict[str, Any], ...]
    scorer: Any

    def scores(self, part: Part, columns: NDArray[np.integer], settings: Any) -> Floats:
        """Return one score a setting."""

    def verdict(self, part: Part, columns: NDArray[np.integer], setting: Any) -> dict[str, float]:
        """Return the columns of the results for one setting, "score" among them."""


class ClassifierJudge:
    """Any scikit-learn classifier and any scorer."""

    def __init__(self, classifier: Any, C: tuple[float, ...], scorer: Any, seed: int):
        from sklearn.metrics import get_scorer

        self.classifier = classifier
        self.scorer = get_scorer(scorer) if isinstance(scorer, str) else scorer or auc_scorer
        known = classifier.get_params()
        self.settings = tuple({"C": value} for value in C) if "C" in known else ({},)
        self.fixed = {"random_state": seed} if known.get("random_state", 0) is None else {}

    def scores(self, part: Part, columns: NDArray[np.integer], settings: Any) -> Floats:
        """Return one score a setting."""
        train, rest = part.scaled(columns)
        values = np.empty(len(settings))
        for number, setting in enumerate(settings):
            model = self._fitted(train, part.train_y, setting)
            values[number] = self.scorer(model, rest, part.rest_y)
        return values

    def verdict(self, part: Part, columns: NDArray[np.integer], setting: Any) -> dict[str, float]:
        """Return the score of one setting, and whatever else the scorer reads from decisions."""
        train, rest = part.scaled(columns)
        model = self._fitted(train, part.train_y, setting)
        if isinstance(self.scorer, DecisionScorer):
            return self.scorer.verdict(one_against_rest(model, rest, part.rest_y))
        return {"score": float(self.scorer(model, rest, part.rest_y))}

    def _fitted(self, X: Floats, y: NDArray[np.intp], setting: Any) -> Any:
        from sklearn.base import clone

        return clone(self.classifier).set_params(**setting, **self.fixed).fit(X, y)


def judge_for(protocol: Any, n_train: int, seed: int) -> Judge:
    """Return the judge of a protocol; a linear SVM is solved by what suits the rows."""
    from sklearn.svm import SVC, LinearSVC

    classifier, few = protocol.classifier, n_train <= HINGE_ROWS
    scorer = auc_scorer if protocol.scorer is None else protocol.scorer
    if classifier is None and isinstance(scorer, DecisionScorer):
        if few:
            return HingeSVM(protocol.C, scorer)
        if protocol.ks[-1] <= NEWTON_COLUMNS:
            return NewtonSVM(protocol.C, scorer)
    if classifier is None:
        plain = SVC(kernel="linear", decision_function_shape="ovr")
        classifier = plain if few else LinearSVC(dual=False)
    return ClassifierJudge(classifier, protocol.C, scorer, seed)
