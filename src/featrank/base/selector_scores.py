"""Scores of the features from a fitted selector of another package."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import MethodError

Floats = NDArray[np.float64]

# Attributes of fitted estimators with one number per feature. ``scores_`` comes after the model
# attributes, as some models store scores of settings or iterations under that name.
VALUES = ("feature_importances_", "coef_", "scores_", "variances_")


def name_of_selector(selector: Any) -> str:
    """Return the name of a function, or of the object's class.

    Examples
    --------
    >>> from sklearn.feature_selection import SelectKBest, f_classif
    >>> name_of_selector(SelectKBest()), name_of_selector(f_classif)
    ('SelectKBest', 'f_classif')
    """
    return str(getattr(selector, "__name__", None) or type(selector).__name__)


def scores_of(fitted: Any, n_features: int) -> Floats:
    """Return one score per feature. Higher is better, and tied features have equal scores."""
    from sklearn.pipeline import Pipeline

    if hasattr(fitted, "best_estimator_"):  # a parameter search
        return scores_of(fitted.best_estimator_, n_features)
    if isinstance(fitted, Pipeline):
        return _scores_of_pipeline(fitted, n_features)
    ranks = _as_floats(getattr(fitted, "ranking_", None))
    if ranks is not None and ranks.shape == (n_features,):
        return _levels(-ranks, _within_ranks(fitted, n_features))
    scores = _importances(fitted, n_features)
    if scores is None:
        raise MethodError(_no_scores_message(fitted, n_features))
    return nan_is_worst(scores)


def has_ranks_only(fitted: Any) -> bool:
    """Whether a selector has a ``ranking_``, so that its scores only encode an order."""
    from sklearn.pipeline import Pipeline

    if hasattr(fitted, "best_estimator_"):
        return has_ranks_only(fitted.best_estimator_)
    if isinstance(fitted, Pipeline):
        return has_ranks_only(fitted.steps[-1][1])
    return getattr(fitted, "ranking_", None) is not None


def nan_is_worst(scores: Floats) -> Floats:
    """Replace NaN by a number below all other scores.

    Examples
    --------
    >>> nan_is_worst(np.array([3.0, np.nan, 2.0, np.inf]))
    array([ 3.,  1.,  2., inf])
    """
    finite = scores[np.isfinite(scores)]
    least = finite.min() if len(finite) else 0.0
    return np.where(np.isnan(scores), min(least - 1, np.nextafter(least, -np.inf)), scores)


def _scores_of_pipeline(fitted: Any, n_features: int) -> Floats:
    """Return the scores of the last step. Features dropped by earlier steps come last."""
    columns = _columns_kept(fitted[:-1], n_features)
    scores = np.full(n_features, np.nan)
    scores[columns] = scores_of(fitted.steps[-1][1], len(columns))
    return nan_is_worst(scores)


def _columns_kept(steps: Any, n_features: int) -> list[int]:
    places = {f"x{j}": j for j in range(n_features)}
    try:
        kept = steps.get_feature_names_out(list(places)) if len(steps) else list(places)
        return [places[name] for name in kept]
    except (AttributeError, KeyError, ValueError) as error:
        raise MethodError(
            f"The steps {list(steps.named_steps)} of the pipeline create new features, so the "
            "original ones cannot be ranked. All steps before the last must keep or drop features. "
            'If a FunctionTransformer keeps them, set `feature_names_out="one-to-one"`.'
        ) from error


def _within_ranks(fitted: Any, n_features: int) -> Floats:
    """Return what breaks ties of ``ranking_``, or zeros if the selector has nothing."""
    finer = np.zeros(n_features)
    history = _as_floats(getattr(fitted, "importance_history_", None))
    if history is not None and history.ndim == 2 and history.shape[1] == n_features:
        return nan_is_worst(_medians(history[1:]))  # Boruta's history starts with a row of zeros
    support = np.asarray(getattr(fitted, "support_", ()))
    if hasattr(fitted, "estimator_") and support.shape == (n_features,):
        chosen = np.flatnonzero(support)
        known = _importances(
            fitted, len(chosen)
        )  # its model was fitted to the selected features only
        finer[chosen] = 0.0 if known is None else nan_is_worst(known)
        return finer
    own = _importances(fitted, n_features)
    return finer if own is None else nan_is_worst(own)


def _medians(history: Floats) -> Floats:
    """Return the median of each column, ignoring NaN."""
    medians = np.full(history.shape[1], np.nan)
    known = ~np.isnan(history).all(axis=0) if len(history) else np.zeros(len(medians), dtype=bool)
    medians[known] = np.nanmedian(history[:, known], axis=0)
    return medians


def _importances(fitted: Any, n_features: int) -> Floats | None:
    """Return one number per feature from a selector or from its model."""
    norm = getattr(fitted, "norm_order", 2)
    each = (_one_each(values, n_features, norm) for values in [*_own(fitted), *_of_model(fitted)])
    return next((found for found in each if found is not None), None)


def _own(estimator: Any) -> list[Floats | None]:
    found = {name: _as_floats(getattr(estimator, name, None)) for name in VALUES}
    return [_magnitudes(values) if name == "coef_" else values for name, values in found.items()]


def _of_model(fitted: Any) -> list[Floats | None]:
    """Return the importances of the model in a selector, by its ``importance_getter``."""
    model, getter = getattr(fitted, "estimator_", None), getattr(fitted, "importance_getter", None)
    if model is None or getter in (None, "auto"):
        return _own(model)
    found = getter(model) if callable(getter) else attrgetter(getter)(model)
    return [_magnitudes(_as_floats(found))]


def _magnitudes(values: Floats | None) -> Floats | None:
    return None if values is None else np.abs(values)


def _one_each(values: Floats | None, n_features: int, norm: float) -> Floats | None:
    """Return one number per feature, the norm of several rows, or None for another shape."""
    if values is None or values.ndim not in (1, 2) or values.shape[-1] != n_features:
        return None
    return values if values.ndim == 1 else _as_floats(np.linalg.norm(values, norm, axis=0))


def _as_floats(values: Any) -> Floats | None:
    try:
        dense = values.toarray() if hasattr(values, "toarray") else values
        return None if dense is None else np.asarray(dense, dtype=np.float64)
    except (TypeError, ValueError):
        return None


def _levels(first: Floats, second: Floats) -> Floats:
    """Return 1, 2, … from worst to best, by the first vector, then by the second.

    Examples
    --------
    >>> _levels(np.array([-1.0, -2.0, -1.0, -2.0]), np.array([5.0, 0.0, 6.0, 0.0]))
    array([2., 1., 3., 1.])
    """
    pairs = np.column_stack([nan_is_worst(first), second])
    places = np.unique(pairs, axis=0, return_inverse=True)[1].ravel()
    return (places + 1).astype(np.float64)


def _no_scores_message(fitted: Any, n_features: int) -> str:
    return (
        f"{name_of_selector(fitted)} does not rank features: after the fit, it has neither "
        f"ranking_ nor {', '.join(VALUES[:2])} or {VALUES[2]} with a value for each of the "
        f"{n_features} features. Pass a selector with one of these attributes, or a function (X, "
        "y) that returns one score per feature."
    )
