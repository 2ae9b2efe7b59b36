"""SelectorRanker: selectors of other packages, and functions, used as rankers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from featrank import kernels
from featrank._utils.sklearn import Interval, StrOptions
from featrank.base.ranker import TASKS, Floats, Ranker
from featrank.base.selector_scores import (
    has_ranks_only,
    name_of_selector,
    nan_is_worst,
    scores_of,
)
from featrank.base.shown_values import SCORE, ShownValues
from featrank.exceptions import MethodError, UsageError

# Other packages accept only 31-bit seeds.
SEEDS = 2**31


class SelectorRanker(Ranker):
    """Rank features by a selector or model of another package, or by a function.

    ``compare`` wraps everything that is neither a method name nor a ranker in this class. Each fit
    uses a new clone and a copy of the rows. Features are ordered by the first attribute below
    that the fitted selector has:

    - ``ranking_``, where 1 is best (``RFE``, ``RFECV``, ``BorutaPy``). Ties are broken by the model
      that ``RFE`` fits to the selected features, or by Boruta's median importance.
    - ``feature_importances_``, or the absolute values of ``coef_`` (the norm, if there are several
      rows), of the selector or of the model in it (``SelectFromModel``).
    - ``scores_`` (``SelectKBest``) or ``variances_``, where higher is better and NaN is worst.

    In a pipeline, the last step does the ranking, and features dropped by earlier steps come last.
    A parameter search is ranked by its best estimator. The number of features that the selector
    itself selects has no effect. Scores from a ``ranking_`` are 1, 2, … from the worst feature to
    the best. Tied features are ordered at random, by ``random_state``, not by column.

    Parameters
    ----------
    selector : estimator or callable
        An estimator with ``fit(X, y)``, or a function ``(X, y)`` that returns one score per
        feature, where higher is better. It may return a pair of scores and p-values, like
        scikit-learn's score functions. Class labels are passed as codes 0, 1, …, a regression
        target unchanged.
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    n_jobs : int or None, default=None
        Value for every ``n_jobs`` parameter in the selector. None leaves them unchanged.
    random_state : int or None, default=None
        Seed for every ``random_state`` parameter in the selector that is None, for NumPy's and
        Python's global generators during the fit, and for the order of tied features.
    task : {"classification", "regression"}, default="classification"
        Whether the target holds class labels or numbers. The selector must support it.

    Attributes
    ----------
    selector_ : estimator or callable
        The fitted clone, or the function.

    Examples
    --------
    >>> from featrank import SelectorRanker
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.feature_selection import SelectKBest
    >>> X, y = load_iris(return_X_y=True)
    >>> SelectorRanker(SelectKBest(k=1)).fit(X, y).ranking_
    array([3, 4, 1, 2])
    >>> SelectorRanker(lambda X, y: X.std(axis=0)).fit(X, y).ranking_
    array([2, 4, 1, 3])
    """

    stochastic = True
    tasks = TASKS
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **Ranker._parameter_constraints,
        "n_jobs": [None, Integral],
        "random_state": [None, Interval(Integral, 0, None, closed="left")],
        "task": [StrOptions(set(TASKS))],
    }

    def __init__(
        self,
        selector: Any = None,
        n_features_to_select: int | float | None = None,
        *,
        n_jobs: int | None = None,
        random_state: int | None = None,
        task: str = "classification",
    ):
        self.selector = selector
        self.n_features_to_select = n_features_to_select
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.task = task

    def shown_values(self) -> ShownValues:
        """Return the scores, or nothing if the selector only has a ``ranking_``."""
        ranks_only = has_ranks_only(self.selector_)
        return ShownValues(self.scores_, "" if ranks_only else SCORE, comparable=not ranks_only)

    def _score(self, X: Any, y: NDArray[Any] | None) -> Floats:
        require_selector(self.selector)
        self.selector_ = self._settled(clone(self.selector, safe=False))
        # A copy, as a selector may modify its rows in place.
        rows, labels = np.array(X), np.array(y)
        with _seeded(self.random_state):
            if not hasattr(self.selector_, "fit"):
                return _scores_of_result(self.selector_(rows, labels))
            self.selector_.fit(rows, labels)
        return scores_of(self.selector_, rows.shape[1])

    def _settled(self, selector: Any) -> Any:
        """Return the selector with threads and seeds set, also in nested estimators."""
        fixed: dict[str, int] = {}
        for path, value in _parameters(selector).items():
            name = path.rpartition("__")[2]
            if name == "n_jobs" and self.n_jobs is not None:
                fixed[path] = self.n_jobs
            if name == "random_state" and value is None and self.random_state is not None:
                fixed[path] = self.random_state % SEEDS
        return selector.set_params(**fixed) if fixed else selector

    def _checked_scores(self, scores: Any) -> Floats:
        try:
            return super()._checked_scores(scores)
        except MethodError as error:
            own = f"{type(self).__name__}._score"
            named = str(error).replace(own, name_of_selector(self.selector))
            raise MethodError(named) from None

    def _ranked(self, scores: Floats) -> Ranker:
        super()._ranked(scores)
        chance = np.random.default_rng(self.random_state).permutation(len(self.scores_))
        self.order_ = np.lexsort((chance, -self.scores_)).astype(np.int64)
        self.ranking_ = kernels.places(self.order_)
        self.support_ = self.ranking_ <= self._n_selected
        return self


def require_selector(selector: Any) -> None:
    """Raise an error for objects that cannot be fitted or called, and for frozen estimators."""
    from sklearn.frozen import FrozenEstimator

    if isinstance(selector, type):
        raise UsageError(
            f"{selector.__name__} is a class. Pass an instance: `{selector.__name__}()`."
        )
    if not hasattr(selector, "fit") and not callable(selector):
        raise UsageError(
            f"{selector!r} cannot rank features. Pass the name of a method, a ranker, an estimator "
            "with fit(X, y), or a function (X, y) that returns one score per feature."
        )
    if any(isinstance(v, FrozenEstimator) for v in (selector, *_parameters(selector).values())):
        raise UsageError(
            f"{name_of_selector(selector)} contains a FrozenEstimator, which may have been fitted "
            "to test rows. Pass the estimator itself, so that each split refits it."
        )


def as_ranker(given: Any) -> Ranker:
    """Return a ranker, a method by its name, or a ranker made of a selector or a function."""
    from featrank.base.registry import method

    if isinstance(given, str):
        return method(given)()
    ranker = given if isinstance(given, Ranker) else SelectorRanker(given)
    if isinstance(ranker, SelectorRanker):
        require_selector(ranker.selector)
    return ranker


def _parameters(selector: Any) -> dict[str, Any]:
    """Return the parameters of an estimator and its nested estimators, if it has any."""
    return selector.get_params(deep=True) if hasattr(selector, "get_params") else {}


def _scores_of_result(result: Any) -> Any:
    # Scores and p-values, as scikit-learn returns them: NaN for constants.
    if isinstance(result, tuple) and len(result) == 2:
        return nan_is_worst(np.asarray(result[0], dtype=np.float64))
    return result


@contextmanager
def _seeded(seed: int | None) -> Iterator[None]:
    """Seed the global generators, for code without a random_state, and restore them."""
    if seed is None:
        yield
        return
    before, before_in_numpy = random.getstate(), np.random.get_state()  # noqa: NPY002
    random.seed(seed)
    np.random.seed(seed % SEEDS)  # noqa: NPY002
    try:
        yield
    finally:
        random.setstate(before)
        np.random.set_state(before_in_numpy)  # noqa: NPY002
