"""One trial: split, rank and tune on the training rows, score on the test rows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from featrank._utils.progress import progress_to
from featrank.base.ranker import Floats, Ranker
from featrank.base.tuning import score_folds
from featrank.evaluation.baseline import BASELINE
from featrank.evaluation.data import Data, is_numeric
from featrank.evaluation.estimators import EvaluationModel, evaluation_model, mean_roc
from featrank.evaluation.method_entries import Entry, baseline_entry, plain
from featrank.evaluation.protocol import Protocol
from featrank.evaluation.regression_metrics import RegressionScorer
from featrank.evaluation.time_limits import OverTimeError, limited
from featrank.solvers.linear_svm import Part, part_of
from featrank.solvers.one_standard_error import ALIKE, at_best_setting, last_within_one_error
from featrank.solvers.scoring import DecisionScorer
from featrank.values.classes import MANY

Order = NDArray[np.int64]

OVER_TIME = "over time"
UNDEFINED = "the score is not defined on these test rows, e.g. since they are of one class"
UNDEFINED_FOR_REGRESSION = (
    "the score is not defined on these test rows, e.g. since their target is the same"
)


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
    """Run all methods and the random ranking on one split, on one thread.

    A failure gives rows with a reason. Methods in ``given_up`` are not run, and their rows have
    that reason. The random ranking has no time limit and is never given up.
    """
    with threadpool_limits(1), progress_to(lambda done, total: None):
        bench = _Bench(data, protocol, number)
        result = Trial(number, [])
        for entry in methods:
            if given_up and entry.name in given_up:
                result.rows.extend(bench.rows.lost(entry, OVER_TIME, given_up[entry.name]))
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
        rows = bench.rows.lost(entry, OVER_TIME, f"took longer than {time_limit:g} s")
    except Exception as error:
        rows = bench.rows.lost(entry, "failed", reason_of(error))
    else:
        result.orders[entry.name] = order
        if curves is not None:
            result.curves[entry.name] = curves
    result.rows.extend(rows)


def reason_of(error: Exception) -> str:
    """Return an error on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def lost_trial(
    dataset: str, methods: Sequence[Entry], protocol: Protocol, number: int, reason: str
) -> Trial:
    """Return a trial that cannot be scored: rows with the reason for every method."""
    rows, everyone = rows_of(dataset, protocol, number), (*methods, baseline_entry())
    return Trial(number, [row for e in everyone for row in rows.lost(e, "no score", reason)])


@dataclass(frozen=True)
class TrialRows:
    """The rows of a trial's results."""

    dataset: str
    number: int
    seed: int
    ks: tuple[int, ...]

    def of(
        self,
        entry: Entry,
        k: int,
        scores: dict[str, float],
        C: float | None,
        params: dict[str, Any],
        seconds: float,
        status: str = "ok",
        reason: str = "",
    ) -> dict[str, Any]:
        """Return a row; ``scores`` has the score and additional columns."""
        return {
            "dataset": self.dataset,
            "trial": self.number,
            "method": entry.name,
            "k": k,
            **scores,
            "C": C,
            "params": json.dumps(
                {name: plain(value) for name, value in params.items()}, sort_keys=True
            ),
            "ranking_seconds": seconds,
            "status": status,
            "reason": reason,
            "seed": self.seed,
        }

    def lost(self, entry: Entry, status: str, reason: str) -> list[dict[str, Any]]:
        """Return the rows of a method that has no scores."""
        none = float("nan")
        return [self.of(entry, k, {"score": none}, None, {}, none, status, reason) for k in self.ks]


def rows_of(dataset: str, protocol: Protocol, number: int) -> TrialRows:
    """Return the factory for the rows of a trial."""
    return TrialRows(dataset, number, protocol.trial_seed(number), protocol.feature_counts)


class _Bench:
    """The split of a trial, shared by all methods."""

    def __init__(self, data: Data, protocol: Protocol, number: int):
        self.protocol, self.number = protocol, number
        self.rows, self.seed = rows_of(data.name, protocol, number), protocol.trial_seed(number)
        train, test = protocol.split(data, number)
        self.whole = self._part(data, train, test)
        everything = np.arange(len(data.y))
        self.ranked = self._part(data, everything, test) if protocol.leaky else self.whole
        self.groups = _some(data.groups, everything if protocol.leaky else train)
        self.model: EvaluationModel = evaluation_model(protocol, len(train), self.seed)
        self._cut = lambda: [
            (self._part(data, *rows), _some(data.groups, rows[0]))
            for rows in protocol.inner(data, train, number)
        ]
        self.folds: list[tuple[Part, Any]] = []

    def _part(self, data: Data, train: Any, rest: Any) -> Part:
        return part_of(data.X, data.y, train, rest, self.protocol.treatment)

    def prepare(self, entry: Entry) -> None:
        """Make the folds if something is tuned: once for all methods, and not on their time."""
        if not self.folds and len(entry.candidates) * len(self.model.settings) > 1:
            self.folds = self._cut()

    def run(self, entry: Entry) -> tuple[list[dict[str, Any]], Order, Floats | None]:
        """Return the rows of a method, its order, and its ROC curves if available."""
        scores, settings = at_best_setting(self._tuned(entry))
        fits = _Fits(self._prepared(entry.ranker), entry, self.ranked, self.groups)
        rows, curves = [], []
        for place, k in enumerate(self.protocol.feature_counts):
            candidate = self._choose(scores[:, place])
            order, params, seconds = fits.of(candidate)
            setting = self.model.settings[settings[place, candidate]]
            found, decisions = self.model.verdict(self.whole, order[:k], setting)
            lacking = ("no score", self._undefined) if np.isnan(found["score"]) else ()
            further = {name: value for name, value in setting.items() if name != "C"}
            tuned = setting.get("C"), params, seconds
            rows.append(self.rows.of(entry, k, found | further, *tuned, *lacking))
            curves.append(None if decisions is None else mean_roc(decisions))
        known = [curve for curve in curves if curve is not None]
        drawn = np.array(known) if len(known) == len(curves) else None
        return rows, fits.of(self._choose(scores.mean(axis=1)))[0], drawn

    @property
    def _undefined(self) -> str:
        return UNDEFINED_FOR_REGRESSION if self.protocol.is_regression else UNDEFINED

    def _choose(self, scores: Floats) -> int:
        # For other scorers it is unknown which differences are small.
        known = isinstance(self.model.scorer, DecisionScorer | RegressionScorer)
        least = ALIKE if known else 0.0
        return last_within_one_error(scores, least)

    def _tuned(self, entry: Entry) -> Floats:
        """Return the cross-validated scores by fold, k, candidate and setting."""
        shape = len(self.protocol.feature_counts), len(entry.candidates), len(self.model.settings)
        if shape[1] * shape[2] == 1:
            return np.zeros((1, *shape))
        ranker = self._prepared(entry.ranker)
        leaked = None
        if self.protocol.leaky:
            leaked = self._orders(ranker, entry, self.ranked, self.groups)
        return score_folds(
            len(self.folds),
            lambda f: self._orders(ranker, entry, *self.folds[f]) if leaked is None else leaked,
            lambda _: lambda f, top: self.model.scores(self.folds[f][0], top, self.model.settings),
            self.protocol.feature_counts,
        )

    @staticmethod
    def _orders(ranker: Ranker, entry: Entry, part: Part, groups: Any) -> Order:
        y = class_names(part.train_y)
        return ranker.rank_candidates(part.train, y, entry.candidates, groups)

    def _prepared(self, ranker: Ranker) -> Ranker:
        return prepared(ranker, self.protocol.feature_counts[-1], self.seed)


def prepared(ranker: Ranker, top: int, seed: int) -> Ranker:
    """Return a new ranker with one thread, a seed, and ``top`` features to select."""
    fresh = clone(ranker)
    known = fresh.get_params()
    fixed: dict[str, Any] = {"n_features_to_select": top}
    if "n_jobs" in known:
        fixed["n_jobs"] = 1
    if known.get("random_state", 0) is None:
        fixed["random_state"] = seed
    return fresh.set_params(**fixed)


class _Fits:
    """Rankings of the training rows, one per candidate, each timed alone."""

    def __init__(self, ranker: Ranker, entry: Entry, part: Part, groups: Any):
        self._ranker, self._entry, self._part, self._groups = ranker, entry, part, groups
        self._known: dict[int, tuple[Order, dict[str, Any], float]] = {}

    def of(self, candidate: int) -> tuple[Order, dict[str, Any], float]:
        """Return an order, the tuned parameters behind it, and the seconds of the fit."""
        if candidate not in self._known:
            params = self._entry.candidates[candidate]
            ranker = clone(self._ranker).set_params(**params)
            labels = class_names(self._part.train_y)
            start = perf_counter()
            ranker.fit(self._part.train, labels, **ranker._fold_groups(self._groups))
            seconds = perf_counter() - start
            self._known[candidate] = ranker.order_, {**params, **ranker._self_tuned()}, seconds
        return self._known[candidate]


def _some(groups: Any, rows: NDArray[np.integer]) -> Any:
    return None if groups is None else groups[rows]


def class_names(codes: NDArray[Any]) -> NDArray[Any]:
    """Return class codes as strings if there are so many that they look like numbers.

    A numeric target is returned unchanged.
    """
    plain_codes = is_numeric(codes) or codes.max() < MANY
    return codes if plain_codes else np.char.mod("%06d", codes)
