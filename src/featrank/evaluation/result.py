"""The outcome of a comparison: scores, rankings, tests, and what is known of the features."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils.notebook import table
from featrank.evaluation.feature_tables import feature_table
from featrank.evaluation.folder.result_tables import as_frame, stacked
from featrank.evaluation.frames import curve_frame, difference_frame, roc_frame
from featrank.evaluation.full_fits import Fit
from featrank.evaluation.protocol import NOT_HONEST
from featrank.evaluation.stored_tables import OF_CLASSES, OF_QUANTITIES, TABLES, Kept
from featrank.evaluation.trials import Trial
from featrank.exceptions import DataError
from featrank.ranking.saving import Saveable
from featrank.statistics.significance import Difference, compare_to


@dataclass(frozen=True, eq=False)
class Comparison(Saveable):
    """The outcome of a comparison.

    Attributes
    ----------
    trials : list of Trial
        The finished trials, by number.
    methods : list of str
        Their names, in the order in which they were given. The baseline is not among them.
    ks : tuple of int
        The numbers of features.
    manifest : dict
        What the run is made of.
    kept : Kept
        Where what is known of the features lies.
    """

    trials: list[Trial]
    methods: list[str]
    ks: tuple[int, ...]
    manifest: dict[str, Any]
    kept: Kept = field(default_factory=Kept)

    @property
    def baseline(self) -> str | None:
        """The name of the random ranking that ran along."""
        return self.manifest.get("baseline")

    @property
    def methods_with_baseline(self) -> list[str]:
        """The methods, and the baseline after them."""
        return [*self.methods, *([] if self.baseline is None else [self.baseline])]

    @property
    def feature_names(self) -> list[str] | None:
        """The names of the features."""
        return self.kept.names()

    @property
    def dataset(self) -> str:
        """The name of the data."""
        return str(self.manifest["data"]["name"])

    @property
    def data_hash(self) -> str:
        """The SHA-256 of the data: values, classes and groups."""
        return str(self.manifest["data"]["sha256"])

    @property
    def scorer(self) -> str:
        """What the scores are, such as ROC AUC."""
        return str(self.manifest["protocol"]["scorer"])

    @property
    def is_regression(self) -> bool:
        """Whether the target is a quantity."""
        return self.manifest["protocol"].get("task") == "regression"

    @property
    def frame(self) -> Any:
        """A polars frame, one row per trial × method × k; the baseline's are among them."""
        return as_frame(self._rows)

    @property
    def _rows(self) -> list[dict[str, Any]]:
        return [row for trial in self.trials for row in trial.rows]

    @property
    def rankings(self) -> dict[str, NDArray[np.int32]]:
        """The feature orders of each method, one a trial in which it ran, best first."""
        table = stacked(self.trials, self.methods, self.manifest["data"]["features"])
        return {name: table[name][table[name][:, 0] >= 0] for name in self.methods}

    def scores(self, method: str, k: int) -> NDArray[np.float64]:
        """Return the scores of a method at k, one a trial; NaN where it failed."""
        return np.array([r["score"] for r in self._rows if r["method"] == method and r["k"] == k])

    def table(self) -> list[dict[Any, Any]]:
        """Return a dict a method: mean score at each k, their average, seconds, failures.

        Means are over the trials that the method finished.
        """
        return [self._row(name) for name in self.methods]

    def baseline_row(self) -> dict[Any, Any] | None:
        """Return of the random ranking what ``table`` has of a method; None without one."""
        return None if self.baseline is None else self._row(self.baseline)

    def _row(self, name: str) -> dict[Any, Any]:
        means = {k: _mean(self.scores(name, k)) for k in self.ks}
        rows = [row for row in self._rows if row["method"] == name]
        found: dict[Any, Any] = {"method": name, **means}
        found["average"] = float(np.mean(list(means.values())))
        found["seconds"] = _mean(np.array([row["ranking_seconds"] for row in rows]))
        found["failed"] = len({row["trial"] for row in rows if row["status"] != "ok"})
        return found

    def curves(self) -> Any:
        """Return the scores as a polars frame, a row for each method and k, baseline included.

        ``trials`` that have a score, their ``mean``, ``sd`` and standard ``error``, and the
        interval from ``low`` to ``high`` that holds 95 % by Student's t over the trials. Trials
        share rows, so that the interval is one of these splits, and narrow for other data.
        """
        return curve_frame(self)

    def roc(self) -> Any:
        """Return ROC curves as a polars frame: the mean over the trials, baseline included.

        ``tpr`` at ``fpr`` 0, 0.02, …, 1 and its ``sd`` over the ``trials``. For several classes
        a trial's curve is the mean over the classes of one against the rest.
        """
        if self.has_roc:
            return roc_frame(self.trials, self.methods_with_baseline, self.ks)
        self._require_classes("ROC curves")
        lack = self._lacking_roc()
        if lack is not None:
            raise DataError(lack)
        return self.kept.table("roc")

    @property
    def has_roc(self) -> bool:
        """Whether the trials have ROC curves."""
        return any(trial.curves for trial in self.trials)

    def features(self) -> Any:
        """Return the features as a polars frame, a row for each method and feature.

        ``score`` and ``rank`` on all rows (null where that fit failed), and ``chosen_K``, the
        number of the ``trials`` in which the feature was among the method's best K.
        """
        fits, names = self.kept.fits(), self.feature_names
        if fits is None or names is None:
            return self.kept.table("features")
        return feature_table(names, self.ks, {fit.method: fit for fit in fits}, self.rankings)

    def values_by_class(self) -> Any:
        """Return counts, means and quantiles by class of each method's 50 best features.

        A polars frame, a row for each feature and class; best by the ranking of all rows.
        """
        self._require_classes("values by class")
        return self.kept.table("classes")

    def values_with_target(self) -> Any:
        """Return how each method's 50 best features go along with a target that is a quantity.

        A polars frame, a row for each feature: ``pearson`` and ``spearman``, its correlations
        with the target, and counts, mean and quantiles of its values.
        """
        if not self.is_regression:
            raise DataError(
                "The target names classes, which have no correlation: values_by_class() has the "
                "features by class."
            )
        return self.kept.table("target")

    def _require_classes(self, what: str) -> None:
        if self.is_regression:
            raise DataError(
                f"There are no {what}: the target is a quantity. How well it is predicted is drawn "
                "by `featrank plot score-curve`; correlations of the best features with it are on "
                "the page (`featrank report`) and, in Python, in values_with_target()."
            )

    def correlations(self) -> Any:
        """Return Pearson's r between each method's 50 best features, as a polars frame."""
        return self.kept.table("correlations")

    def edges(self) -> Any:
        """Return the strongest edges of the methods that have a graph, as a polars frame."""
        return self.kept.table("edges")

    def failures(self) -> dict[str, tuple[int, str]]:
        """Return the number of trials in which a method has no scores, and a reason."""
        found = {name: self._failure(name) for name in self.methods}
        return {name: failure for name, failure in found.items() if failure is not None}

    def _failure(self, name: str) -> tuple[int, str] | None:
        own = [r for r in self._rows if r["method"] == name and r["k"] == self.ks[0]]
        lost = [row["reason"] for row in own if row["status"] != "ok"]
        return (len(lost), lost[0]) if lost else None

    def missing_parts(self) -> list[str]:
        """Return sentences on what is not there; empty if everything is."""
        return [*self._lacking_trials(), *self._lacking_baseline(), *self._lacking_tables()]

    def _lacking_trials(self) -> list[str]:
        done, planned = len(self.trials), self.manifest.get("trials", len(self.trials))
        return (
            [] if done >= planned else [f"{planned - done} of {planned} trials are not finished."]
        )

    def _lacking_baseline(self) -> list[str]:
        if self.baseline is None:
            return ["No random ranking ran along as a baseline."]
        failure = self._failure(self.baseline)
        if failure is None:
            return []
        count, reason = failure
        return [
            f"The random ranking has no score in {count} of {len(self.trials)} trials: {reason}."
        ]

    def _lacking_tables(self) -> list[str]:
        found = [] if self._names_known() else ["The names of the features are not known."]
        others = OF_CLASSES if self.is_regression else OF_QUANTITIES
        lacking = {name: self.kept.lack(name) for name in TABLES if name not in others}
        if "roc" in lacking:
            lacking["roc"] = self._lacking_roc()
        try:
            fits = self.kept.fits()
        except DataError as error:
            return [*found, str(error)]
        if fits is not None:
            del lacking["features"]
            found += _lacking_fits(fits, self.methods)
        return found + [sentence for sentence in lacking.values() if sentence is not None]

    def _lacking_roc(self) -> str | None:
        lack = None if self.has_roc else self.kept.lack("roc")
        if lack is None or self.baseline is None:
            return lack
        return (
            "There are no ROC curves: in no finished trial does the classifier give decisions "
            "(decision_function or predict_proba)."
        )

    def _names_known(self) -> bool:
        try:
            return self.feature_names is not None
        except DataError:
            return False

    def reference_method(self) -> str:
        """Return the method to test against the others: EC-FS if it is here, else the best."""
        if "ec-fs" in self.methods:
            return "ec-fs"
        for entry in self.manifest["methods"]:
            if entry["method"] == "ec-fs":
                return str(entry["name"])
        averages = [row["average"] for row in self.table()]
        return self.methods[int(np.argmax(np.nan_to_num(averages, nan=-np.inf)))]

    def pairwise_tests(self, against: str | None = None) -> list[Difference]:
        """Test a method (default: ``reference_method``) against each other one at each k."""
        scores = {
            name: np.stack([self.scores(name, k) for k in self.ks], axis=1) for name in self.methods
        }
        share = self.manifest.get("test_share", self.manifest["protocol"]["test_share"])
        return compare_to(
            scores, against or self.reference_method(), ks=self.ks, test_fraction=share
        )

    def tests(self, against: str | None = None) -> Any:
        """Return ``pairwise_tests`` as a polars frame, a row for each other method and k.

        ``difference`` of the means, the p-values of Lilliefors' test for the method and the other
        one, of the two-sample t-test, and of the corrected resampled one; NaN without a test.
        """
        return difference_frame(self.pairwise_tests(against))

    def __repr__(self) -> str:
        lines = [self._title()]
        width = max(6, *(len(name) for name in self.methods_with_baseline))
        heads = "".join(f"{k:>8}" for k in self.ks)
        lines.append(f"{'method':<{width}}{heads}{'average':>9}{'seconds':>9}")
        lines += [_line(row, self.ks, width) for row in map(self._row, self.methods_with_baseline)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        columns = [*self.ks, "average"]
        rows = [self._row(name) for name in self.methods_with_baseline]
        cells = [
            [row["method"], *(f"{row[key]:.4f}" for key in columns), f"{row['seconds']:.4f}"]
            for row in rows
        ]
        bold = {place for n, key in enumerate(columns, 1) for place in _largest(rows, key, n)}
        below = f"Mean {self.scorer} on {self.dataset}; the best of each number of features in bold"
        heads = ["method", *map(str, columns), "seconds"]
        return table(self._title(), heads, cells, below=f"{below}.", bold=bold)

    def _title(self) -> str:
        title = f"Comparison of {len(self.methods)} methods over {len(self.trials)} trials"
        leaky = self.manifest["protocol"].get("leaky")
        return f"{title}: {NOT_HONEST}" if leaky else title


def _largest(rows: Sequence[dict[Any, Any]], key: Any, column: int) -> list[tuple[int, int]]:
    """Return the cells of a column that are best, as they are printed."""
    shown = [round(row[key], 4) for row in rows]
    best = max((value for value in shown if value == value), default=None)
    return [(place, column) for place, value in enumerate(shown) if value == best]


def _lacking_fits(fits: Sequence[Fit], methods: Sequence[str]) -> Iterator[str]:
    done = {fit.method: fit for fit in fits}
    for name in methods:
        if name not in done:
            yield f"{name!r} has no scores on all rows: its fit is not finished."
        elif done[name].reason:
            what = "edges" if len(done[name].order) else "scores on all rows"
            yield f"{name!r} has no {what}: {done[name].reason}."


def _line(row: dict[Any, Any], ks: Sequence[int], width: int) -> str:
    cells = "".join(f"{row[k]:8.4f}" for k in ks)
    return f"{row['method']:<{width}}{cells}{row['average']:9.4f}{row['seconds']:9.4f}"


def _mean(values: NDArray[np.float64]) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")
