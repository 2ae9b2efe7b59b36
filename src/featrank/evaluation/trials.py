"""One trial: split, rank and tune on the training rows, score on the test rows."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from featrank._utils.progress import progress_to
from featrank.base.ranker import Floats, Ranker
from featrank.base.tuning import score_folds
from featrank.evaluation.baseline import BASELINE, random_tops
from featrank.evaluation.data import Data, is_numeric
from featrank.evaluation.estimators import RidgeModel, evaluation_model, mean_roc
from featrank.evaluation.method_entries import Entry, baseline_entry, plain
from featrank.evaluation.protocol import Protocol
from featrank.evaluation.regression_metrics import RegressionScorer
from featrank.evaluation.time_limits import OverTimeError, limited
from featrank.solvers.linear_svm import Part, part_of
from featrank.solvers.one_standard_error import SLACK, at_best_setting, last_within_one_error
from featrank.solvers.scoring import DecisionScorer
from featrank.values.classes import MANY

Order = NDArray[np.int64]

OVER_TIME = "over time"
UNDEFINED = "the score is not defined on these test rows, e.g. because"


# A method that takes longer in one inner fold is not timed any further.
PROBE_SECONDS = 10.0
# Below this, the time is mostly that of a first call: time a second one.
FIRST_CALL_SECONDS = 0.5


class Estimate(NamedTuple):
    """The estimated seconds, a lower bound if not ``exact``."""

    seconds: float
    exact: bool = True


@dataclass(frozen=True, eq=False)
class Trial:
    """The result of a trial: one row per method and k, feature orders, and ROC curves.

    The random ranking has rows and curves, but no order. ``curves`` have shape (ks, points).
    """

    number: int
    rows: list[dict[str, Any]]
    orders: dict[str, Order] = field(default_factory=dict)
    curves: dict[str, Floats] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The name of the trial in messages."""
        return f"trial {self.number}"


def run_trial(
    data: Data,
    methods: Sequence[Entry],
    protocol: Protocol,
    number: int,
    time_limit: float | None = None,
    given_up: Mapping[str, str] | None = None,
) -> Trial:
    """Run all methods and the random rankings on one split, on one thread.

    A failure gives rows with a reason. Methods in ``given_up`` are not run, and their rows have
    that reason. The random ranking has no time limit and is never given up.
    """
    with threadpool_limits(1), progress_to(lambda done, total: None):
        bench = _Bench(data, protocol, number)
        result = Trial(number, [])
        for entry in methods:
            if given_up and entry.name in given_up:
                result.rows.extend(bench.lost(entry, OVER_TIME, given_up[entry.name]))
            else:
                _evaluate(bench, entry, result, time_limit)
        _evaluate(bench, baseline_entry(), result, None)
    result.orders.pop(BASELINE, None)
    return result


def _evaluate(bench: _Bench, entry: Entry, result: Trial, time_limit: float | None) -> None:
    """Run a method and add its rows, order and curves to the result."""
    try:
        bench.prepare(entry)
        with limited(time_limit):
            rows, order, curves = bench.run(entry)
    except OverTimeError:
        rows = bench.lost(entry, OVER_TIME, f"took longer than {time_limit:g} s")
    except Exception as error:
        rows = bench.lost(entry, "failed", reason_of(error))
    else:
        result.orders[entry.name] = order
        if curves is not None:
            result.curves[entry.name] = curves
    result.rows.extend(rows)


def estimate_trial(data: Data, methods: Sequence[Entry], protocol: Protocol) -> Estimate:
    """Return the seconds that one trial takes, without running it."""
    with threadpool_limits(1), progress_to(lambda done, total: None), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        bench = _Bench(data, protocol, 0)
        parts = [bench.estimate(entry) for entry in (*methods, baseline_entry())]
    return Estimate(sum(part.seconds for part in parts), all(part.exact for part in parts))


def reason_of(error: Exception) -> str:
    """Return an error on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def lost_trial(
    dataset: str, methods: Sequence[Entry], protocol: Protocol, number: int, reason: str
) -> Trial:
    """Return a trial that cannot be scored: rows with the reason for every method."""
    lost = partial(lost_rows, dataset, protocol, number)
    everyone = (*methods, baseline_entry())
    return Trial(number, [row for entry in everyone for row in lost(entry, "no score", reason)])


def lost_rows(
    dataset: str, protocol: Protocol, number: int, entry: Entry, status: str, reason: str
) -> list[dict[str, Any]]:
    """Return the rows of a method that has no scores in a trial."""
    row = {
        "dataset": dataset,
        "trial": number,
        "method": entry.name,
        "score": float("nan"),
        "C": None,
        "params": "{}",
        "ranking_seconds": float("nan"),
        "status": status,
        "reason": reason,
        "seed": protocol.trial_seed(number),
    }
    return [row | {"k": k} for k in protocol.feature_counts]


class _Bench:
    """The split of a trial, shared by all methods."""

    def __init__(self, data: Data, protocol: Protocol, number: int):
        self.protocol, self.seed = protocol, protocol.trial_seed(number)
        self.lost = partial(lost_rows, data.name, protocol, number)
        train, test = protocol.split(data, number)
        self.whole = self._part(data, train, test)
        everything = np.arange(len(data.y))
        self.ranked = self._part(data, everything, test) if protocol.leaky else self.whole
        self.groups = _some(data.groups, everything if protocol.leaky else train)
        self.model = evaluation_model(protocol, len(train), self.seed)
        self._cut = lambda: [
            (self._part(data, *rows), _some(data.groups, rows[0]))
            for rows in protocol.inner(data, train, number)
        ]
        self.folds: list[tuple[Part, Any]] = []

    def _part(self, data: Data, train: Any, rest: Any) -> Part:
        return part_of(data.X, data.y, train, rest, self.protocol.treatment)

    def prepare(self, entry: Entry) -> None:
        """Make the folds if something is tuned: once for all methods, and not on their time."""
        if not self.folds and self._is_tuned(entry):
            self.folds = self._cut()

    def estimate(self, entry: Entry) -> Estimate:
        """Return the seconds of a method: those of its first inner fold, for each fold and the end.

        A method that fails takes no time.
        """
        self.prepare(entry)
        first = copy(self)
        first.folds = self.folds[:1]
        tuned = self._is_tuned(entry)
        if entry.name == BASELINE:  # its random rankings take longer than its tuning
            first, tuned = self, False
        work = first._tuned if tuned else first.run
        factor = len(self.folds) + 1 if tuned else 1
        try:
            with limited(PROBE_SECONDS):
                seconds = _timed(work, entry)
                if seconds < FIRST_CALL_SECONDS:
                    seconds = min(seconds, _timed(work, entry))
        except OverTimeError:
            return Estimate(factor * PROBE_SECONDS, exact=False)
        except Exception:  # the trials report it
            return Estimate(0.0)
        return Estimate(factor * seconds)

    def _is_tuned(self, entry: Entry) -> bool:
        return len(entry.candidates) * len(self.model.settings) > 1

    def run(self, entry: Entry) -> tuple[list[dict[str, Any]], Order, Floats | None]:
        """Return the rows of a method, its order, and its ROC curves if available."""
        scores, settings = at_best_setting(self._tuned(entry))
        fit = cache(partial(self._fit, entry))
        why = (
            "the target is constant" if self.protocol.is_regression else "they are all of one class"
        )
        rows, curves = self.lost(entry, "no score", f"{UNDEFINED} {why}"), []
        more = self._more_orders(entry)
        for place, row in enumerate(rows):
            candidate = self._choose(scores[:, place])
            order, tuned = fit(candidate)
            setting = self.model.settings[settings[place, candidate]]
            orders = [order, *more]
            found, curve = self._mean_verdict([each[: row["k"]] for each in orders], setting)
            row |= tuned | found | setting
            if not np.isnan(found["score"]):
                row |= {"status": "ok", "reason": ""}
            if curve is not None:
                curves.append(curve)
        drawn = np.array(curves) if len(curves) == len(rows) else None
        return rows, fit(self._choose(scores.mean(axis=1)))[0], drawn

    def _more_orders(self, entry: Entry) -> list[Order]:
        """Return the other random rankings of the baseline, which share its tuned model."""
        if entry.name != BASELINE:
            return []
        n_features, top = self.whole.train.shape[1], self.protocol.feature_counts[-1]
        return random_tops(n_features, top, self.protocol.n_random - 1, self.seed)

    def _mean_verdict(
        self, tops: list[Order], setting: Any
    ) -> tuple[dict[str, float], Floats | None]:
        """Return the mean scores and the mean ROC curve of rankings, of one for a method."""
        verdicts = [self.model.verdict(self.whole, top, setting) for top in tops]
        found = {
            name: float(np.mean([each[name] for each, _ in verdicts])) for name in verdicts[0][0]
        }
        curves = [mean_roc(decisions) for _, decisions in verdicts if decisions is not None]
        return found, np.mean(curves, axis=0) if len(curves) == len(verdicts) else None

    def _fit(self, entry: Entry, candidate: int) -> tuple[Order, dict[str, Any]]:
        """Return the order of a candidate, and its tuned parameters and seconds for the rows."""
        params = entry.candidates[candidate]
        ranker = self._prepared(entry.ranker).set_params(**params)
        labels, groups = class_names(self.ranked.train_y), ranker._fold_groups(self.groups)
        start = perf_counter()
        ranker.fit(self.ranked.train, labels, **groups)
        seconds = perf_counter() - start
        tuned = {name: plain(value) for name, value in (params | ranker._self_tuned()).items()}
        params_text = json.dumps(tuned, sort_keys=True)
        return ranker.order_, {"params": params_text, "ranking_seconds": seconds}

    def _choose(self, scores: Floats) -> int:
        # For other scorers it is unknown which differences are small.
        by_values = isinstance(self.model.scorer, DecisionScorer | RegressionScorer)
        known = by_values or isinstance(self.model, RidgeModel)
        return last_within_one_error(scores, SLACK if known else 0.0)

    def _tuned(self, entry: Entry) -> Floats:
        """Return the cross-validated scores by fold, k, candidate and setting."""
        shape = len(self.protocol.feature_counts), len(entry.candidates), len(self.model.settings)
        if not self._is_tuned(entry):
            return np.zeros((1, *shape))
        ranker = self._prepared(entry.ranker)

        @lru_cache(maxsize=1)
        def orders(fold: int | None) -> Order:
            part, groups = (self.ranked, self.groups) if fold is None else self.folds[fold]
            y = class_names(part.train_y)
            return ranker.rank_candidates(part.train, y, entry.candidates, groups)

        return score_folds(
            len(self.folds),
            lambda fold: orders(None if self.protocol.leaky else fold),
            lambda _: lambda f, top: self.model.scores(self.folds[f][0], top, self.model.settings),
            self.protocol.feature_counts,
        )

    def _prepared(self, ranker: Ranker) -> Ranker:
        return prepared(ranker, self.protocol.feature_counts[-1], self.seed)


def prepared(ranker: Ranker, top: int, seed: int) -> Ranker:
    """Return a new ranker with one thread, a seed, and ``top`` features to select."""
    known = ranker.get_params()
    fixed = {"n_features_to_select": top} | ({"n_jobs": 1} if "n_jobs" in known else {})
    if known.get("random_state", 0) is None:
        fixed["random_state"] = seed
    return clone(ranker).set_params(**fixed)


def _timed(work: Callable[[Entry], Any], entry: Entry) -> float:
    start = perf_counter()
    work(entry)
    return perf_counter() - start


def _some(groups: Any, rows: NDArray[np.integer]) -> Any:
    return None if groups is None else groups[rows]


def class_names(codes: NDArray[Any]) -> NDArray[Any]:
    """Return class codes as strings if a method could mistake them for numbers.

    A numeric target is returned unchanged.
    """
    plain_codes = is_numeric(codes) or codes.max() < MANY
    return codes if plain_codes else np.char.mod("%06d", codes)
