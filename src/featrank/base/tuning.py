"""Choose one parameter of any ranker by cross-validation, on any data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from featrank.data.protocol import Data
from featrank.exceptions import UsageError
from featrank.kernels import Floats

Result = TypeVar("Result")

#: Value of a parameter to choose by cross-validation.
CV = "cv"
# Rankings are evaluated with these numbers of top features. The 1 matters because among five
# features, noise of large spread does little harm, but it should not come first.
COUNTS = (1, 5, 10, 20, 50)


@dataclass(frozen=True)
class Tunable:
    """A parameter that may be "cv".

    Attributes
    ----------
    name : str
        The parameter.
    values : str or tuple
        The values to try, or the name of the parameter that holds them. Ties go to the last value,
        so the preferred one, such as the default, comes last.
    fallback : Any
        The value to use without folds.
    fallback_means : str
        What the fallback means, for messages.
    """

    name: str
    values: str | tuple[Any, ...]
    fallback: Any
    fallback_means: str = ""

    def is_asked(self, ranker: Any) -> bool:
        """Whether the ranker should choose this parameter."""
        given = getattr(ranker, self.name)
        return isinstance(given, str) and given == CV

    def grid(self, ranker: Any) -> list[Any]:
        """Return the values to try."""
        values = getattr(ranker, self.values) if isinstance(self.values, str) else self.values
        if len(values) == 0:
            raise UsageError(
                f"{self.values} is empty, but {self.name}='cv' needs values to choose from. Use "
                f"`{self.values}=(0.5, 1)`."
            )
        return np.asarray(ranker._checked_grid(values)).tolist()

    def meaning(self, value: Any) -> str:
        """Return what a value means, in brackets, if that is known."""
        return f" ({self.fallback_means})" if self.fallback_means and value == self.fallback else ""

    def no_choice(self, why: str) -> str:
        """Return a sentence for a fit that uses the fallback."""
        return (
            f"{self.name} cannot be chosen by cross-validation{why} featrank uses "
            f"{self.name} = {self.fallback:g}{self.meaning(self.fallback)}. Set {self.name} to a "
            "number to avoid this warning."
        )


@dataclass(frozen=True)
class Choice:
    """The chosen value, the values tried, and their scores in each fold."""

    value: Any
    values: Any = None
    scores: Floats | None = None
    note: str | None = None

    def facts(self, name: str, metric: str) -> dict[str, Any]:
        """Return the choice and how clear it was, or nothing if no values were compared."""
        from featrank.solvers.one_standard_error import choice

        if self.scores is None or np.isnan(self.scores).all():
            return {}
        return choice(name, self.values, self.scores.T, self.value, metric)

    def notes(self, name: str, metric: str, meaning: str) -> list[str]:
        """Return sentences on the choice."""
        from featrank.solvers.one_standard_error import choice_sentence

        facts = self.facts(name, metric)
        if facts:
            return [choice_sentence(name, facts, meaning)]
        return [] if self.note is None else [self.note]


def choose(ranker: Any, data: Data, tunable: Tunable) -> Choice:
    """Return the last value within one standard error of the best, or within 0.01.

    Each value ranks the training rows of each fold. A linear model on the top features is scored on
    the held-out rows: by AUC or R², as the mean over the numbers of features in ``COUNTS``. The
    number of features that the ranker selects has no effect.
    """
    from featrank._utils.warn import warn_user
    from featrank.solvers.one_standard_error import SLACK, at_best_setting, last_within_one_error

    if not tunable.is_asked(ranker):
        return Choice(getattr(ranker, tunable.name))
    if data.once is not None:
        return Choice(tunable.fallback, note=tunable.no_choice(f" from {data.once}."))
    values = tunable.grid(ranker)
    folds = data.folds(getattr(ranker, "random_state", 0))
    if not folds:
        warn_user(tunable.no_choice(_why_no_folds(ranker._regresses)))
        return Choice(tunable.fallback, np.asarray(values), np.empty((len(values), 0)))
    counts = _counts(data.n_features)
    candidates = [{tunable.name: value} for value in values]
    data.prefetch(ranker, folds)
    scores = score_folds(
        len(folds),
        lambda f: ranker._fold_orders(data, folds[f], candidates, counts[-1]),
        lambda orders: _evaluator(ranker, data, folds, orders),
        counts,
        lambda work, count: _each(work, count, ranker),
    )
    means = at_best_setting(scores)[0].mean(axis=1)
    place = last_within_one_error(means, SLACK)
    return Choice(values[place], np.asarray(values), means.T.copy())


def score_folds(
    n_folds: int,
    rank: Callable[[int], Any],
    prepare: Callable[[Sequence[Any]], Callable[[int, Any], Any]],
    counts: Sequence[int],
    each: Callable[[Callable[[int], Any], int], list[Any]] = lambda work, n: [*map(work, range(n))],
) -> Floats:
    """Return scores by fold, number of features, candidate and model setting.

    Every choice by cross-validation uses this loop. ``rank`` orders the features of a fold's
    training rows, once per candidate. ``prepare`` receives the orders of all folds and returns a
    function of a fold and the top features that evaluates a model.
    """
    orders = each(rank, n_folds)
    evaluate = prepare(orders)

    def scores(f: int) -> list[Any]:
        cached: dict[bytes, Any] = {}

        def of(top: Any) -> Any:
            key = np.sort(top).tobytes()
            if key not in cached:
                cached[key] = evaluate(f, top)
            return cached[key]

        return [[of(order[:count]) for order in orders[f]] for count in counts]

    return np.array(each(scores, n_folds))


def _why_no_folds(is_regression: bool) -> str:
    if is_regression:
        return ": the target is constant in a fold."
    return (
        ": a class has a single member, or the groups cannot be split into two folds with all "
        "classes."
    )


def _evaluator(
    ranker: Any, data: Data, folds: Sequence[Any], orders: Sequence[Any]
) -> Callable[[int, Any], Floats]:
    """Return a function that scores linear models on the top features, once per setting."""
    from featrank.solvers.evaluate_orders import evaluation_model, rows_to_evaluate
    from featrank.solvers.linear_svm import part_of
    from featrank.solvers.preprocessing import Treatment

    split = [rows_to_evaluate(data.strata, fold) for fold in folds]
    rows = [np.concatenate(pair) for pair in split]
    columns = [np.unique(order) for order in orders]
    values = data.cells(list(zip(rows, columns, strict=True)))

    def prepared(f: int) -> tuple[Any, Any]:
        n_train = len(split[f][0])
        places = np.arange(n_train), np.arange(n_train, len(rows[f]))
        X = values[f].astype(np.float64, copy=False)
        part = part_of(X, data.y[rows[f]], *places, Treatment())
        return part, evaluation_model(n_train, regression=ranker._regresses)

    each = [*map(prepared, range(len(folds)))]

    def evaluate(f: int, top: Any) -> Floats:
        part, model = each[f]
        return model.scores(part, np.sort(np.searchsorted(columns[f], top)), model.settings)

    return evaluate


def _each(work: Callable[[int], Result], count: int, ranker: Any) -> list[Result]:
    """Return the result of each fold. Folds run in parallel, with single-threaded BLAS."""
    from featrank._utils import threads
    from featrank._utils.blas import one_thread

    n_jobs = getattr(ranker, "n_jobs", None)
    with one_thread():
        return threads.map_blocks(lambda span: work(span.start), count, 1, n_jobs)


def _counts(n_features: int) -> list[int]:
    """Return the numbers of top features to evaluate, at most half of all features."""
    return [count for count in COUNTS if 2 * count <= n_features] or [1]
