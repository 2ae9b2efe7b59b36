"""Evaluation models: trained on the top k features and scored on other rows."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.metrics import get_scorer
from sklearn.svm import SVC, LinearSVC

from featrank.base.ranker import Floats
from featrank.evaluation.regression_metrics import RegressionScorer, scorer_of
from featrank.solvers.linear_svm import HINGE_ROWS, NEWTON_COLUMNS, HingeSVM, NewtonSVM, Part
from featrank.solvers.ridge import RidgeRegression
from featrank.solvers.scoring import Against, DecisionScorer, auc_scorer, one_against_rest
from featrank.statistics.metrics import average_precision, average_precision_11
from featrank.statistics.roc import POINTS, roc_points


def _of_rows(metric: Any, decisions: Floats, positive: NDArray[np.bool_]) -> Floats:
    """Return a metric of each row of decisions."""
    return np.array([metric(positive, row) for row in decisions])


_PRECISIONS = {"score": average_precision, "score_11": average_precision_11}
average_precision_scorer = DecisionScorer(
    "average precision", {name: partial(_of_rows, metric) for name, metric in _PRECISIONS.items()}
)


# The columns of the results, including "score", and the decisions for each class if available.
Verdict = tuple[dict[str, float], list[Against] | None]


class SklearnModel:
    """Any scikit-learn classifier or regressor with any scorer."""

    def __init__(self, classifier: Any, C: tuple[float, ...], scorer: Any, seed: int):
        self.classifier = classifier
        self.scorer = get_scorer(scorer) if isinstance(scorer, str) else scorer or auc_scorer
        known = classifier.get_params()
        self.settings = tuple({"C": value} for value in C) if "C" in known else ({},)
        self.fixed = {"random_state": seed} if known.get("random_state", 0) is None else {}

    def scores(self, part: Part, columns: NDArray[np.integer], settings: Any) -> Floats:
        """Return one score per setting."""
        train, rest = part.scaled(columns)
        models = (self._fitted(train, part.train_y, setting) for setting in settings)
        return np.array([self.scorer(model, rest, part.rest_y) for model in models], np.float64)

    def verdict(self, part: Part, columns: NDArray[np.integer], setting: Any) -> Verdict:
        """Return all scores of one setting, and the decisions if available."""
        train, rest = part.scaled(columns)
        model = self._fitted(train, part.train_y, setting)
        if isinstance(self.scorer, DecisionScorer):
            each = one_against_rest(model, rest, part.rest_y)
            return self.scorer.verdict(each), each
        score = float(self.scorer(model, rest, part.rest_y))
        return {"score": score}, _decisions_if_any(model, rest, part.rest_y)

    def _fitted(self, X: Floats, y: NDArray[np.intp], setting: Any) -> Any:
        return clone(self.classifier).set_params(**setting, **self.fixed).fit(X, y)


class RidgeModel(RidgeRegression):
    """Ridge regressions for all penalties, scored by their predictions."""

    def verdict(self, part: Part, columns: NDArray[np.integer], setting: Any) -> Verdict:
        """Return the score of one setting, without decisions."""
        return {"score": float(self.scores(part, columns, (setting,))[0])}, None


class SklearnRidge(SklearnModel):
    """The same regressions fitted one by one, for scorers that need a fitted model."""

    def __init__(self, penalties: tuple[float, ...], scorer: Any, seed: int):
        super().__init__(Ridge(), (), scorer, seed)
        self.settings = tuple({"penalty": value} for value in penalties)

    def _fitted(self, X: Floats, y: NDArray[Any], setting: Any) -> Any:
        # scikit-learn adds the penalty to the sum of the errors, not to their mean.
        return super()._fitted(X, y, {"alpha": len(y) * setting["penalty"]})


def _decisions_if_any(model: Any, rest: Floats, y: NDArray[np.intp]) -> list[Against] | None:
    """Return the decisions of a classifier whose score does not use them."""
    try:
        each = one_against_rest(model, rest, y)
    # It may have none, or none of the right shape. The score does not need them.
    except Exception:
        return None
    return each if all(np.isfinite(decisions).all() for decisions, _ in each) else None


def mean_roc(each: list[Against]) -> Floats:
    """Return the mean ROC curve of the classes that have one, on the fixed grid."""
    curves = np.array([roc_points(positive, decisions[0]) for decisions, positive in each])
    known = curves[~np.isnan(curves[:, 0])]
    return np.asarray(known.mean(axis=0)) if len(known) else np.full(POINTS, np.nan)


EvaluationModel = HingeSVM | NewtonSVM | SklearnModel | RidgeModel


def evaluation_model(protocol: Any, n_train: int, seed: int) -> EvaluationModel:
    """Return the model of a protocol; the solver of a linear SVM depends on the rows."""
    if protocol.is_regression:
        return _regression_model(protocol, seed)
    classifier, few = protocol.estimator, n_train <= HINGE_ROWS
    scorer = auc_scorer if protocol.scoring is None else protocol.scoring
    if classifier is None and isinstance(scorer, DecisionScorer):
        if few:
            return HingeSVM(protocol.C, scorer)
        if protocol.feature_counts[-1] <= NEWTON_COLUMNS:
            return NewtonSVM(protocol.C, scorer)
    if classifier is None:
        plain = SVC(kernel="linear", decision_function_shape="ovr")
        classifier = plain if few else LinearSVC(dual=False)
    return SklearnModel(classifier, protocol.C, scorer, seed)


def _regression_model(protocol: Any, seed: int) -> EvaluationModel:
    scorer = scorer_of("r2" if protocol.scoring is None else protocol.scoring)
    if protocol.estimator is not None:
        return SklearnModel(protocol.estimator, protocol.C, scorer, seed)
    if isinstance(scorer, RegressionScorer):
        return RidgeModel(protocol.penalties, scorer.metric)
    return SklearnRidge(protocol.penalties, scorer, seed)
