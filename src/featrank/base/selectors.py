"""SelectorRanker: selectors of other packages, and functions, behind the contract of a ranker."""

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
from featrank.base.selector_scores import name_of_selector, nan_is_worst, scores_of
from featrank.exceptions import MethodError, UsageError

# Other packages take seeds of 31 bits only.
SEEDS = 2**31


class SelectorRanker(Ranker):
    """Rank features by a selector or model of another package, or by a function.

    ``compare`` makes one of whatever it is given that is neither a name nor a ranker. Each fit
    is that of a fresh clone, on a copy of the rows. The order of the features comes from what
    the fitted selector has, the first of

    - ``ranking_``, 1 is best (``RFE``, ``RFECV``, ``BorutaPy``). Features of equal rank go by the
      model that ``RFE`` fits to the selected ones, or by Boruta's median importance;
    - ``feature_importances_``, or the absolute values of ``coef_``, for several rows their norm;
      its own, or those of the model in it (``SelectFromModel``);
    - ``scores_`` (``SelectKBest``) or ``variances_``, higher is better; NaN is worst.

    Of a pipeline it is the last step that ranks, and what a step before it drops comes last; of
    a search it is the best estimator. How many features the selector itself selects does not
    matter. Scores of a ``ranking_`` are 1, 2, … from the worst feature to the best. Features
    that it does not tell apart, and others of equal score, are ordered at random by
    ``random_state``, and not by their columns.

    Parameters
    ----------
    selector : estimator or callable
        An estimator with ``fit(X, y)``, or a function ``(X, y)`` that returns one score a
        feature, higher is better. Of a pair, as scikit-learn's score functions return it, the
        first counts. Labels come as codes 0, 1, …, a quantity as it is.
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    n_jobs : int or None, default=None
        Threads for whatever in the selector has an ``n_jobs``; None leaves it as it is.
    random_state : int or None, default=None
        Seed for whatever in the selector has a ``random_state`` of None, for NumPy's and
        Python's global generators while it is fitted, and for the order of equal features.
    task : {"classification", "regression"}, default="classification"
        Whether the target names classes or is a quantity, which the selector must be made for.

    Attributes
    ----------
    selector_ : estimator or callable
        The fitted clone; a function as it is.

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

    def _score(self, X: Any, y: NDArray[Any] | None) -> Floats:
        require_selector(self.selector)
        self.selector_ = self._settled(clone(self.selector, safe=False))
        # A copy: what a selector does to its rows must not reach those of the others.
        rows, labels = np.array(X), np.array(y)
        with _seeded(self.random_state):
            if not hasattr(self.selector_, "fit"):
                return _of_function(self.selector_(rows, labels))
            self.selector_.fit(rows, labels)
        return scores_of(self.selector_, rows.shape[1])

    def _settled(self, selector: Any) -> Any:
        """Return the selector with threads and seeds set, in what it is made of too."""
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
    """Refuse what cannot be fitted or called, and what was fitted before and would stay so."""
    from sklearn.frozen import FrozenEstimator

    if isinstance(selector, type):
        raise UsageError(
            f"{selector.__name__} is a class. Pass an object of it: {selector.__name__}(...)."
        )
    if not hasattr(selector, "fit") and not callable(selector):
        raise UsageError(
            f"{selector!r} cannot rank features. Pass the name of a method, a ranker, an estimator "
            "with fit(X, y), or a function (X, y) that returns one score a feature."
        )
    if any(isinstance(v, FrozenEstimator) for v in (selector, *_parameters(selector).values())):
        raise UsageError(
            f"{name_of_selector(selector)} holds a FrozenEstimator, which keeps what it learnt of "
            "other rows, test rows perhaps. Pass the estimator itself: it is fitted anew."
        )


def _parameters(selector: Any) -> dict[str, Any]:
    """Return the parameters of an estimator and of those in it; of others, none."""
    return selector.get_params(deep=True) if hasattr(selector, "get_params") else {}


def _of_function(found: Any) -> Any:
    # Scores and p-values, as scikit-learn has them: NaN for constants.
    if isinstance(found, tuple) and len(found) == 2:
        return nan_is_worst(np.asarray(found[0], dtype=np.float64))
    return found


@contextmanager
def _seeded(seed: int | None) -> Iterator[None]:
    """Seed the global generators, from which what has no random_state draws; put them back."""
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
