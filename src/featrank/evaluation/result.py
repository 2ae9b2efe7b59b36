"""The result of a comparison: scores, rankings, significance tests and feature tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils.notebook import table
from featrank.error_control import FDRControl
from featrank.evaluation.feature_tables import feature_table
from featrank.evaluation.folder.result_tables import as_frame, stacked
from featrank.evaluation.frames import curve_frame, difference_frame, roc_frame
from featrank.evaluation.full_fits import Fit
from featrank.evaluation.protocol import LEAKY_MARK
from featrank.evaluation.signal.result import SignalTest
from featrank.evaluation.stored_tables import (
    CLASSIFICATION_ONLY,
    REGRESSION_ONLY,
    TABLES,
    StoredTables,
)
from featrank.evaluation.trials import Trial
from featrank.exceptions import DataError, FeatrankWarning
from featrank.ranking.saving import Saveable
from featrank.statistics.significance import Difference, compare_to


class Results:
    """What all comparisons have: a manifest, stored tables and rows of results."""

    manifest: dict[str, Any]
    stored: StoredTables

    @property
    def _rows(self) -> list[dict[str, Any]]:
        raise NotImplementedError

    @property
    def baseline(self) -> str | None:
        """The name of the random ranking, which every run includes."""
        return self.manifest.get("baseline")

    @property
    def warnings(self) -> tuple[FeatrankWarning, ...]:
        """What featrank warned of during the run, the most severe first."""
        return tuple(map(FeatrankWarning.of, self.manifest.get("warnings", [])))

    @property
    def feature_names(self) -> list[str] | None:
        """The names of the features, or None if they are unknown."""
        return self.stored.names()

    @property
    def frame(self) -> Any:
        """A polars frame with one row per trial × method × k, baseline included."""
        return as_frame(self._rows)


@dataclass(frozen=True, eq=False)
class Comparison(Results, Saveable):
    """The result of a comparison.

    Attributes
    ----------
    trials : list of Trial
        The finished trials, by number.
    methods : list of str
        Names of the methods in the given order, without the baseline.
    n_features : tuple of int
        The numbers of features.
    manifest : dict
        Versions, data, protocol and methods of the run.
    stored : StoredTables
        Names, scores and tables of the features.
    signal : SignalTest or None
        The permutation test of whether the features predict the target. None if the run is not
        finished.
    claims : FDRControl or None
        The features that the best method can claim at a false discovery rate of 0.1, ranked on all
        samples. None if the method is slow or unsupervised.
    """

    trials: list[Trial]
    methods: list[str]
    n_features: tuple[int, ...]
    manifest: dict[str, Any]
    stored: StoredTables = field(default_factory=StoredTables)
    signal: SignalTest | None = None
    claims: FDRControl | None = None

    @property
    def methods_with_baseline(self) -> list[str]:
        """The methods, followed by the baseline."""
        return [*self.methods, *([] if self.baseline is None else [self.baseline])]

    @property
    def dataset(self) -> str:
        """The name of the data."""
        return str(self.manifest["data"]["name"])

    @property
    def data_hash(self) -> str:
        """The SHA-256 of the values, the target and the groups."""
        return str(self.manifest["data"]["sha256"])

    @property
    def scoring(self) -> str:
        """The name of the score, such as ROC AUC."""
        return str(self.manifest["protocol"]["scoring"])

    @property
    def is_regression(self) -> bool:
        """Whether the target is numeric."""
        return self.manifest["protocol"].get("task") == "regression"

    @property
    def test_fraction(self) -> float:
        """The share of test rows."""
        return float(self.manifest.get("test_size", self.manifest["protocol"]["test_size"]))

    @property
    def _rows(self) -> list[dict[str, Any]]:
        return [row for trial in self.trials for row in trial.rows]

    @property
    def rankings(self) -> dict[str, NDArray[np.int32]]:
        """The feature orders of each method, best first, one per trial in which it ran."""
        table = stacked(self.trials, self.methods, self.manifest["data"]["features"])
        return {name: table[name][table[name][:, 0] >= 0] for name in self.methods}

    def scores(self, method: str, k: int) -> NDArray[np.float64]:
        """Return the scores of a method at k, one per trial; NaN where it failed."""
        return np.array([r["score"] for r in self._rows if r["method"] == method and r["k"] == k])

    def table(self) -> list[dict[Any, Any]]:
        """Return one dict per method: mean score at each k, their average, seconds, failures.

        Means are taken over the trials that the method finished.
        """
        return [self._row(name) for name in self.methods]

    def baseline_row(self) -> dict[Any, Any] | None:
        """Return the row that ``table`` would have for the random ranking; None without one."""
        return None if self.baseline is None else self._row(self.baseline)

    def _row(self, name: str) -> dict[Any, Any]:
        means = {k: _mean(self.scores(name, k)) for k in self.n_features}
        rows = [row for row in self._rows if row["method"] == name]
        return {
            "method": name,
            **means,
            "average": float(np.mean(list(means.values()))),
            "seconds": _mean(np.array([row["ranking_seconds"] for row in rows])),
            "failed": len({row["trial"] for row in rows if row["status"] != "ok"}),
        }

    def curves(self) -> Any:
        """Return the scores as a polars frame with one row per method and k, baseline included.

        The columns are the number of ``trials`` with a score, their ``mean``, ``sd`` and standard
        ``error``, and the 95 % interval from ``low`` to ``high``. Trials share rows, so the
        standard error is that of the corrected resampled t-test (Nadeau and Bengio).
        """
        return curve_frame(self)

    def roc(self) -> Any:
        """Return mean ROC curves over the trials as a polars frame, baseline included.

        The columns are ``tpr`` at ``fpr`` 0, 0.02, …, 1 and its ``sd`` over the ``trials``. With
        several classes, the curve of a trial is the mean of the one-vs-rest curves.
        """
        if self.has_roc:
            return roc_frame(self.trials, self.methods_with_baseline, self.n_features)
        self._require_classes("ROC curves")
        reason = self._why_no_roc()
        if reason is not None:
            raise DataError(reason)
        return self.stored.table("roc")

    @property
    def has_roc(self) -> bool:
        """Whether the trials have ROC curves."""
        return any(trial.curves for trial in self.trials)

    def features(self) -> Any:
        """Return the features as a polars frame with one row per method and feature.

        ``score`` (or ``criterion``) and ``rank`` come from the fit to all rows (null if it failed).
        ``chosen_K`` is the number of ``trials`` in which the feature was among the method's top K.
        """
        fits, names = self.stored.fits(), self.feature_names
        if fits is None or names is None:
            return self.stored.table("features")
        return feature_table(
            names, self.n_features, {fit.method: fit for fit in fits}, self.rankings
        )

    def values_by_class(self) -> Any:
        """Return counts, means and quantiles by class of each method's 50 best features.

        The polars frame has one row per feature and class. The best features are those of the
        ranking of all rows.
        """
        self._require_classes("values by class")
        return self.stored.table("classes")

    def values_with_target(self) -> Any:
        """Return how each method's 50 best features correlate with a regression target.

        The polars frame has one row per feature: its correlations with the target, ``pearson``
        and ``spearman``, and counts, mean and quantiles of its values.
        """
        if not self.is_regression:
            raise DataError(
                "The target contains classes, which have no correlation with features. Use "
                "`values_by_class()`."
            )
        return self.stored.table("target")

    def _require_classes(self, what: str) -> None:
        if self.is_regression:
            raise DataError(
                f"A regression target has no {what}. For the correlations of the top features with "
                "the target, write the HTML report (`featrank report` or `Comparison.save`)."
            )

    def correlations(self) -> Any:
        """Return Pearson's r between each method's 50 best features, as a polars frame."""
        return self.stored.table("correlations")

    def edges(self) -> Any:
        """Return the strongest edges of the methods that have a graph, as a polars frame."""
        return self.stored.table("edges")

    def failures(self) -> dict[str, tuple[int, str]]:
        """Return the methods without scores in some trials: the number of trials and a reason."""
        failures = {name: self._failure(name) for name in self.methods}
        return {name: failure for name, failure in failures.items() if failure is not None}

    def _failure(self, name: str) -> tuple[int, str] | None:
        own = [r for r in self._rows if r["method"] == name and r["k"] == self.n_features[0]]
        lost = [row["reason"] for row in own if row["status"] != "ok"]
        return (len(lost), lost[0]) if lost else None

    @property
    def failed_methods(self) -> dict[str, str]:
        """The methods without a score in any trial, with the reason of the first failure."""
        return {
            name: reason
            for name, (count, reason) in self.failures().items()
            if count == len(self.trials)
        }

    def require_scores(self) -> None:
        """Raise an error if no method has a score."""
        failed = self.failed_methods
        if len(failed) == len(self.methods):
            reason = next(iter(failed.values()))
            raise DataError(f"All methods failed. First reason: {reason}")

    def missing_parts(self) -> list[str]:
        """Return one sentence per missing part; empty if the comparison is complete."""
        return [*self._missing_trials(), *self._missing_baseline(), *self._missing_tables()]

    def _missing_trials(self) -> list[str]:
        done, planned = len(self.trials), self.manifest.get("n_repeats", len(self.trials))
        return (
            [] if done >= planned else [f"{planned - done} of {planned} trials are not finished."]
        )

    def _missing_baseline(self) -> list[str]:
        if self.baseline is None:
            return ["The random baseline is missing."]
        failure = self._failure(self.baseline)
        if failure is None:
            return []
        count, reason = failure
        return [
            f"The random ranking has no score in {count} of {len(self.trials)} trials: {reason}."
        ]

    def _missing_tables(self) -> list[str]:
        sentences = [] if self._has_names() else ["The feature names are missing."]
        others = CLASSIFICATION_ONLY if self.is_regression else REGRESSION_ONLY
        reasons = {name: self.stored.why_missing(name) for name in TABLES if name not in others}
        if "roc" in reasons:
            reasons["roc"] = self._why_no_roc()
        try:
            fits = self.stored.fits()
        except DataError as error:
            return [*sentences, str(error)]
        if fits is not None:
            del reasons["features"]
            sentences += _missing_fits(fits, self.methods)
        return sentences + [reason for reason in reasons.values() if reason is not None]

    def _why_no_roc(self) -> str | None:
        reason = None if self.has_roc else self.stored.why_missing("roc")
        if reason is None or self.baseline is None:
            return reason
        return (
            "ROC curves are missing: the classifier has neither decision_function nor "
            "predict_proba."
        )

    def _has_names(self) -> bool:
        try:
            return self.feature_names is not None
        except DataError:
            return False

    def reference_method(self) -> str:
        """Return the method to test against the others: EC-FS if it was run, else the best."""
        if "ec-fs" in self.methods:
            return "ec-fs"
        for entry in self.manifest["methods"]:
            if entry["method"] == "ec-fs":
                return str(entry["name"])
        averages = [row["average"] for row in self.table()]
        return self.methods[int(np.argmax(np.nan_to_num(averages, nan=-np.inf)))]

    def pairwise_tests(self, against: str | None = None) -> list[Difference]:
        """Test one method (default: ``reference_method``) against every other one at each k."""
        scores = {
            name: np.stack([self.scores(name, k) for k in self.n_features], axis=1)
            for name in self.methods
        }
        reference = against or self.reference_method()
        return compare_to(scores, reference, ks=self.n_features, test_fraction=self.test_fraction)

    def tests(self, against: str | None = None) -> Any:
        """Return ``pairwise_tests`` as a polars frame with one row per other method and k.

        The columns are the ``difference`` of the means and the p-values of Lilliefors' test for
        both methods, of the two-sample t-test and of the corrected resampled t-test. A p-value
        is NaN if the test is not possible.
        """
        return difference_frame(self.pairwise_tests(against))

    def __repr__(self) -> str:
        lines = [self._title()]
        width = max(6, *(len(name) for name in self.methods_with_baseline))
        heads = "".join(f"{k:>8}" for k in self.n_features)
        lines.append(f"{'method':<{width}}{heads}{'average':>9}{'seconds':>9}")
        lines += [
            _line(row, self.n_features, width) for row in map(self._row, self.methods_with_baseline)
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        columns = [*self.n_features, "average"]
        rows = [self._row(name) for name in self.methods_with_baseline]
        cells = [
            [row["method"], *(f"{row[key]:.4f}" for key in columns), f"{row['seconds']:.4f}"]
            for row in rows
        ]
        bold = {place for n, key in enumerate(columns, 1) for place in _largest(rows, key, n)}
        below = f"Mean {self.scoring} on {self.dataset}. Bold: best of its column"
        heads = ["method", *map(str, columns), "seconds"]
        return table(self._title(), heads, cells, below=f"{below}.", bold=bold)

    def _title(self) -> str:
        title = f"Comparison of {len(self.methods)} methods over {len(self.trials)} trials"
        leaky = self.manifest["protocol"].get("leaky")
        return f"{title}: {LEAKY_MARK}" if leaky else title


def _largest(rows: Sequence[dict[Any, Any]], key: Any, column: int) -> list[tuple[int, int]]:
    """Return the cells of a column with the largest printed value."""
    shown = [round(row[key], 4) for row in rows]
    best = max((value for value in shown if value == value), default=None)
    return [(place, column) for place, value in enumerate(shown) if value == best]


def _missing_fits(fits: Sequence[Fit], methods: Sequence[str]) -> Iterator[str]:
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
