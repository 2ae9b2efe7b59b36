"""A selector that chooses the number of features by cross-validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_regressor
from sklearn.feature_selection import SelectorMixin
from sklearn.metrics import check_scoring
from sklearn.model_selection import ParameterGrid, check_cv
from sklearn.utils import Tags, check_consistent_length, get_tags
from sklearn.utils.validation import check_is_fitted, validate_data

from featrank._utils.sklearn import HasMethods, Interval, StrOptions, fit_context
from featrank._utils.warn import warn_user
from featrank.base.ranker import Floats
from featrank.base.tuning import score_folds
from featrank.exceptions import DataError, UsageError
from featrank.solvers.one_standard_error import standard_error
from featrank.values.classes import label_array
from featrank.values.containers import as_matrix, as_numbers
from featrank.values.numbers import LARGEST


class NFeaturesCV(SelectorMixin, MetaEstimatorMixin, BaseEstimator):
    """Select the top k features of a ranking, with k chosen by cross-validation.

    Each fold ranks its own training rows once and evaluates every k. The chosen k is the smallest
    whose mean score is within one standard error of the best, or the best itself.

    Parameters
    ----------
    ranker : Ranker
        Ranks the features.
    estimator : scikit-learn estimator
        Evaluates the top k features; for instance a pipeline with a scaler.
    ks : sequence of int or None, default=None
        Numbers of features to try. None tries 1, 2, 5, 10, 20, 50, … and all.
    cv : int, splitter or iterable, default=5
        As in scikit-learn. A number stratifies the folds by class, and cuts them in the order of
        the rows for regression (a ranker with ``task="regression"``).
    scoring : str, callable or None, default=None
        As in scikit-learn; None uses the estimator's own score.
    rule : {"one-standard-error", "best"}, default="one-standard-error"
        How to choose k. The standard error is that of the mean score at the best k.
    param_grid : mapping or None, default=None
        Parameters of the ranker to tune as well. Those with the best mean score at any k are used
        (the first ones in a tie), then the rule chooses k on their curve.

    Attributes
    ----------
    n_features_ : int
        The chosen number of features.
    curve_ : dict of ndarrays
        ``"k"``, and the ``"mean"`` and ``"standard_error"`` of the score over the folds.
    best_params_ : dict
        The chosen parameters of the ranker.
    ranker_ : Ranker
        The ranker, fitted to all rows.
    support_ : ndarray of shape (n_features,)
        True for the selected features.

    Examples
    --------
    >>> from featrank import FisherScore
    >>> from featrank.evaluation import NFeaturesCV
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), LogisticRegression())
    >>> NFeaturesCV(FisherScore(), model, scoring="roc_auc").fit(X, y).n_features_
    20
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "ranker": [HasMethods(["fit", "rank_candidates"])],
        "estimator": [HasMethods(["fit"])],
        "ks": ["array-like", None],
        "cv": ["cv_object", Interval(Integral, 2, None, closed="left")],
        "scoring": [str, callable, None],
        "rule": [StrOptions({"one-standard-error", "best"})],
        "param_grid": [Mapping, None],
    }

    def __init__(
        self,
        ranker: Any,
        estimator: Any,
        *,
        ks: Sequence[int] | None = None,
        cv: Any = 5,
        scoring: Any = None,
        rule: str = "one-standard-error",
        param_grid: Mapping[str, Sequence[Any]] | None = None,
    ):
        self.ranker = ranker
        self.estimator = estimator
        self.ks = ks
        self.cv = cv
        self.scoring = scoring
        self.rule = rule
        self.param_grid = param_grid

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any, groups: Any = None) -> NFeaturesCV:
        """Choose the number of features, then rank all rows.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            Class labels, or numbers for regression.
        groups : array-like of shape (n_samples,), optional
            Passed to the splitter.

        Returns
        -------
        self : NFeaturesCV
            The fitted selector.
        """
        if y is None:
            raise DataError(
                "NFeaturesCV requires y to be passed, but the target y is None: it evaluates "
                "features by how well the estimator predicts y."
            )
        X = validate_data(self, as_numbers(X), accept_sparse="csr", ensure_all_finite=False)
        y = np.asarray(y)
        check_consistent_length(X, y)
        ks = self._counts(X.shape[1])
        candidates = list(ParameterGrid(dict(self.param_grid or {})))
        scores = _known(self._scores(X, y, groups, ks, candidates))
        best = int(np.argmax(scores.mean(axis=2).max(axis=1).round(12)))
        self._choose(ks, scores[best])
        self.best_params_ = candidates[best]
        self.ranker_ = clone(self.ranker).set_params(**self.best_params_).fit(X, y)
        self.support_ = np.zeros(X.shape[1], dtype=bool)
        self.support_[self.ranker_.order_[: self.n_features_]] = True
        return self

    def transform(self, X: Any) -> Any:
        """Reduce X to the selected features, in the order of the input's columns."""
        return super().transform(as_matrix(X))

    def _counts(self, n_features: int) -> NDArray[np.intp]:
        if self.ks is None:
            steps = [base * 10**power for power in range(9) for base in (1, 2, 5)]
            return np.array([*(k for k in steps if k < n_features), n_features])
        ks = np.unique(np.asarray(self.ks, dtype=np.intp))
        if len(ks) == 0 or ks[0] < 1 or ks[-1] > n_features:
            raise UsageError(
                f"ks must contain numbers from 1 to {n_features}, the number of features, got "
                f"{ks.tolist()}."
            )
        return ks

    def _scores(
        self, X: Any, y: Any, groups: Any, ks: NDArray[np.intp], candidates: list[dict[str, Any]]
    ) -> Floats:
        """Return the scores by candidate, k and fold."""
        scorer = check_scoring(self.estimator, self.scoring)
        cv = check_cv(self.cv, y, classifier=not self._is_regression())
        splits = list(cv.split(X, y, groups))
        self._require_variety(y, [train for train, _ in splits])

        @lru_cache(maxsize=1)
        def fold_data(fold: int) -> list[tuple[Any, NDArray[Any]]]:
            return [(X[rows], y[rows]) for rows in splits[fold]]

        def evaluate(fold: int, top: NDArray[np.integer]) -> float:
            (train, train_y), (rest, rest_y) = fold_data(fold)
            columns = np.sort(top)
            model = clone(self.estimator).fit(train[:, columns], train_y)
            return float(scorer(model, rest[:, columns], rest_y))

        scores = score_folds(
            len(splits),
            lambda fold: self.ranker.rank_candidates(*fold_data(fold)[0], candidates),
            lambda _: evaluate,
            ks.tolist(),
        )
        return scores.transpose(2, 1, 0)

    def _require_variety(self, y: NDArray[Any], folds: Sequence[NDArray[np.integer]]) -> None:
        """Reject a target that cannot be scored, or is constant in the training rows of a fold."""
        if self._is_regression():
            _require_squares(y)
        if not getattr(self.ranker, "supervised", True):
            return
        labels = label_array(y)
        if len(set(labels.tolist())) < 2:
            return  # the ranker raises the error
        for number, train in enumerate(folds, start=1):
            if len(values := set(labels[train].tolist())) == 1:
                place = f"fold {number} of {len(folds)}"
                raise _one_value(place, *values, is_regression=self._is_regression())

    def _is_regression(self) -> bool:
        """Whether the target is numeric, so that folds are not stratified by class."""
        if getattr(self.ranker, "supervised", True):
            return bool(getattr(self.ranker, "_regresses", False))
        return is_regressor(self.estimator)

    def _choose(self, ks: NDArray[np.intp], scores: Floats) -> None:
        mean, error = scores.mean(axis=1), standard_error(scores.T)
        best = int(np.argmax(mean.round(12)))
        slack = error[best] if self.rule == "one-standard-error" else 0.0
        self.curve_ = {"k": ks, "mean": mean, "standard_error": error}
        self.n_features_ = int(ks[np.flatnonzero(mean >= mean[best] - slack - 1e-12)[0]])

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        # The ranker can be anything here, e.g. when only the parameters are shown.
        if hasattr(self.ranker, "__sklearn_tags__") and not isinstance(self.ranker, type):
            inner = get_tags(self.ranker).input_tags
            tags.input_tags.sparse, tags.input_tags.allow_nan = inner.sparse, inner.allow_nan
        return tags


def _one_value(place: str, value: Any, *, is_regression: bool) -> DataError:
    """Return the error for a fold whose training rows have a constant target."""
    splitter = "KFold" if is_regression else "StratifiedKFold"
    return DataError(
        f"The training rows of {place} have one value of the target only ({value!s}), and nothing "
        "can be ranked for it. Ask for fewer folds (cv=2, for instance), or for another splitter, "
        f"such as cv={splitter}(3, shuffle=True, random_state=0)."
    )


def _require_squares(y: NDArray[Any]) -> None:
    """Reject a numeric target whose squares overflow or vanish in scikit-learn's scorers."""
    if y.dtype.kind not in "biuf" or not np.isfinite(y).all():
        return  # the ranker raises the error
    values = y.astype(np.float64)
    if np.abs(values).max() > LARGEST or 0 < np.ptp(values) < 1 / LARGEST:
        raise DataError(
            f"y ranges from {values.min():.3g} to {values.max():.3g}, and the squares of such "
            "numbers overflow or vanish. Multiply or divide the target by a constant."
        )


def _known(scores: Floats) -> Floats:
    """Return the scores of the folds without NaN; raise an error if there are none."""
    known = np.asarray(~np.isnan(scores).any(axis=(0, 1)))
    if not known.any():
        raise DataError(
            "The score is NaN in every fold. R², for example, is not defined for a single row. Use "
            "fewer folds, e.g. `cv=5`."
        )
    if not known.all():
        warn_user(
            f"The score is NaN in {(~known).sum()} of {len(known)} folds, which are ignored. R², "
            "for example, is not defined for a single row. Use fewer folds, e.g. `cv=5`."
        )
    return scores[:, :, known]
