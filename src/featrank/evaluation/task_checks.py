"""Check that the model and the scorer of a protocol match its task."""

from __future__ import annotations

from typing import Any

from sklearn.base import is_classifier, is_regressor
from sklearn.metrics import get_scorer, get_scorer_names

from featrank.evaluation.regression_metrics import REGRESSION_SCORERS
from featrank.exceptions import UsageError, unknown_name

# The module of scikit-learn's metrics for regression.
REGRESSION_METRICS = "sklearn.metrics._regression"


def require_task(estimator: Any, scorer: Any, *, is_regression: bool) -> None:
    """Reject a model, or the name of a scorer, for the other task.

    Models without scikit-learn's tags, and scorers that are functions, are accepted.
    """
    if estimator is not None:
        _require_model(estimator, is_regression)
    if isinstance(scorer, str):
        _require_scorer(scorer, is_regression)


def _require_model(model: Any, is_regression: bool) -> None:
    if isinstance(model, type):
        name = model.__name__
        raise UsageError(f"The estimator {name} is a class. Pass an instance: `{name}()`.")
    kinds = _kinds(model)
    if kinds == {"regressor"} and not is_regression:
        raise UsageError(
            f"{model!r} is a regressor, and the task is classification. Pass a classifier, e.g. "
            'LogisticRegression(), or use `task="regression"`.'
        )
    if kinds == {"classifier"} and is_regression:
        raise UsageError(
            f"{model!r} is a classifier, and the task is regression. Pass a regressor, e.g. SVR(), "
            'or use `task="classification"`.'
        )


def _kinds(model: Any) -> set[str]:
    """Return the kinds of an estimator by its tags; empty without tags."""
    asked = {"classifier": is_classifier, "regressor": is_regressor}
    try:
        return {kind for kind, holds in asked.items() if holds(model)}
    # Models of other packages need not have scikit-learn's tags.
    except (AttributeError, TypeError):
        return set()


def _require_scorer(name: str, is_regression: bool) -> None:
    if is_regression_scorer(name) and not is_regression:
        raise UsageError(
            f"The scorer {name!r} is for regression, and the task is classification. Use "
            '`task="regression"` or another scorer.'
        )
    if is_regression and not is_regression_scorer(name):
        raise UsageError(
            f"The scorer {name!r} is for classification, and the task is regression. Use 'r2', "
            "'spearman' or 'neg_mean_absolute_error'."
        )


def is_regression_scorer(name: str) -> bool:
    """Whether a scorer is for regression, by its name here or in scikit-learn.

    Examples
    --------
    >>> [is_regression_scorer(name) for name in ("spearman", "neg_max_error", "roc_auc")]
    [True, True, False]
    """
    if name in REGRESSION_SCORERS:
        return True
    if name not in get_scorer_names():
        raise UsageError(unknown_name("scorer", name, [*REGRESSION_SCORERS, *get_scorer_names()]))
    return getattr(get_scorer(name)._score_func, "__module__", "") == REGRESSION_METRICS
