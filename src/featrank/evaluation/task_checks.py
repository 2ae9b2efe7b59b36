"""Whether the model and the scorer of a protocol are for its task, before the first trial."""

from __future__ import annotations

from typing import Any

from featrank.evaluation.regression_metrics import QUANTITY_SCORERS
from featrank.exceptions import UsageError, unknown_name

# Where scikit-learn has what it scores quantities by.
OF_QUANTITIES = "sklearn.metrics._regression"


def require_task(classifier: Any, scorer: Any, *, quantity: bool) -> None:
    """Refuse a model or the name of a scorer that is for the other kind of target.

    Models that do not say what they are for, and scorers that are functions, are taken as they are.
    """
    if classifier is not None:
        _require_model(classifier, quantity)
    if isinstance(scorer, str):
        _require_scorer(scorer, quantity)


def _require_model(model: Any, quantity: bool) -> None:
    if isinstance(model, type):
        name = model.__name__
        raise UsageError(f"The classifier {name} is a class. Pass one of its kind: {name}().")
    told = _kinds(model)
    if told == {"regressor"} and not quantity:
        raise UsageError(
            f"{model!r} is a regressor, and the target names classes. Give a classifier, such as "
            "LogisticRegression(), leave it out for a linear SVM, or say that the target is a "
            'quantity: task="regression".'
        )
    if told == {"classifier"} and quantity:
        raise UsageError(
            f"{model!r} is a classifier, and the target is a quantity. Give a regressor, such as "
            "SVR(), or leave it out for a ridge regression; if the target names classes, leave out "
            'task="regression".'
        )


def _kinds(model: Any) -> set[str]:
    """Return what an estimator says that it is; nothing if it says nothing."""
    from sklearn.base import is_classifier, is_regressor

    asked = {"classifier": is_classifier, "regressor": is_regressor}
    try:
        return {kind for kind, holds in asked.items() if holds(model)}
    # Models of other packages need not have scikit-learn's tags.
    except (AttributeError, TypeError):
        return set()


def _require_scorer(name: str, quantity: bool) -> None:
    if scores_quantities(name) and not quantity:
        raise UsageError(
            f"The scorer {name!r} is for quantities, and the target names classes. Say "
            'task="regression" (--task regression), or leave it out.'
        )
    if quantity and not scores_quantities(name):
        raise UsageError(
            f"The scorer {name!r} is for classes, and the target is a quantity. Give one for "
            "quantities, such as 'r2', 'spearman' or 'neg_mean_absolute_error', or leave it out; "
            'if the target names classes, leave out task="regression".'
        )


def scores_quantities(name: str) -> bool:
    """Whether a scorer is for quantities, by its name here or in scikit-learn.

    Examples
    --------
    >>> [scores_quantities(name) for name in ("spearman", "neg_max_error", "roc_auc")]
    [True, True, False]
    """
    if name in QUANTITY_SCORERS:
        return True
    from sklearn.metrics import get_scorer, get_scorer_names

    if name not in get_scorer_names():
        raise UsageError(unknown_name("scorer", name, [*QUANTITY_SCORERS, *get_scorer_names()]))
    return getattr(get_scorer(name)._score_func, "__module__", "") == OF_QUANTITIES
