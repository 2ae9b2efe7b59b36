"""One ranking: features in order, with their scores and details."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils.notebook import best_features
from featrank._utils.warn import distinct_warnings
from featrank.base.ranker import SHOWN, Ranker, best_first
from featrank.base.shown_values import ShownValues
from featrank.error_control.result import FDRControl
from featrank.exceptions import FeatrankWarning, UsageError
from featrank.ranking.chunked_tests import ChunkedTests
from featrank.ranking.evidence import Evidence, SourceData
from featrank.ranking.feature_details import Columns, feature_details, higher, rising
from featrank.ranking.frames import data_frame
from featrank.ranking.provenance import Provenance
from featrank.ranking.saving import Saveable
from featrank.sources.names import taken
from featrank.statistics.cached_tests import CachedTests
from featrank.statistics.feature_tests import ClassTests, Test, Values, default_test
from featrank.statistics.value_scales import ValueScales

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Features in details and plots by default. Both read the data again.
DETAILED = 50
DRAWN = 20
DIRECTIONS = {1: "higher", -1: "lower", 0: "same"}
# Columns that are read at a time, so that a wide table is never copied as a whole.
BLOCK = 1024
# Markers of a class by default.
MARKERS = 50


@dataclass(frozen=True, eq=False)
class Ranking(Saveable):
    """Features in order, with their scores.

    A ranking made by ``featrank.rank`` refers to its data, without a copy: details and plots
    are computed on demand, and only from the features that they show.

    Attributes
    ----------
    method : str
        Name of the method.
    params : dict
        The method's parameters.
    feature_names : sequence of str
        Names in the order of the input's columns: a list, or a sequence that makes each on demand.
    scores : ndarray of shape (n_features,)
        Score of each feature, in the order of the input's columns. Higher is better. A score is
        finite, or ``inf`` for a feature that separates the classes perfectly. The scores of some
        methods only encode the order of the features. ``shown`` has the values to read.
    shown : ShownValues
        The values that tables and plots show: the scores, or the criterion of a method whose
        scores only encode an order.
    ranker : Ranker or None
        The fitted ranker, with the attributes of its method.
    order : ndarray of shape (n_features,)
        Feature indices, best first.
    provenance : Provenance
        Details of the file that was ranked: second names of features, ids of samples.
    fdr_control : FDRControl or None
        The features that can be claimed at a false discovery rate. None without ``fdr``.
    n_groups : int or None
        Number of groups of samples that tuning kept together. None without groups.
    is_weighted : bool
        Whether samples had weights.
    warnings : tuple of FeatrankWarning
        What featrank warned of while it read and ranked the data, the most severe first. Each has
        a ``severity``.
    """

    method: str
    params: dict[str, Any]
    feature_names: Sequence[str]
    scores: NDArray[np.float64]
    ranker: Ranker | None = field(default=None, repr=False)
    data: Evidence | SourceData | None = field(default=None, repr=False)
    tests: CachedTests | None = field(default=None, repr=False)
    provenance: Provenance = field(default_factory=Provenance, repr=False)
    fdr_control: FDRControl | None = field(default=None, repr=False)
    n_groups: int | None = None
    is_weighted: bool = False
    warnings: tuple[FeatrankWarning, ...] = field(default=(), repr=False)

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """Feature indices, best first."""
        return best_first(self.scores)

    @cached_property
    def shown(self) -> ShownValues:
        """The values that tables and plots show next to each feature."""
        return ShownValues(self.scores) if self.ranker is None else self.ranker.shown_values()

    def top(self, k: int) -> list[str]:
        """Return the names of the best k features, best first."""
        return taken(self.feature_names, self._best(k))

    def columns(
        self,
        top: int | None = None,
        *,
        details: bool = False,
        test: Test | None = None,
        values: Values = "auto",
        after: int = 0,
    ) -> Columns:
        """Return the columns of ``to_frame`` as a dict of lists, best first.

        ``after`` skips that many features, so that a very long ranking can be written in chunks.
        """
        best = self._best(top, DETAILED if details else None)[after:]
        columns: Columns = {
            "rank": list(range(after + 1, after + len(best) + 1)),
            "feature": taken(self.feature_names, best),
            **self._symbols(best),
            **self.shown.columns(best),
            **self._claims(best),
        }
        if self.of_class:
            columns["direction"] = self.direction(best)
        columns |= self._details(best) if details else {}
        return columns | ({} if test is None else self._tested(best, test, values))

    def _claims(self, best: NDArray[np.int64]) -> Columns:
        """Return each feature's q-value and whether it can be claimed, if that was controlled."""
        control = self.fdr_control
        if control is None:
            return {}
        q_values, claimed = control.q_values[best], control.support[best]
        return {"q_value": q_values.tolist(), "claimed": claimed.tolist()}

    def to_frame(
        self,
        top: int | None = None,
        *,
        details: bool = False,
        test: Test | None = None,
        values: Values = "auto",
    ) -> Any:
        """Return a data frame with columns rank, feature and score, best first.

        A method whose scores only encode the order of the features, such as mrmr, has a column
        ``criterion`` instead of ``score``. It is NaN for features that were not selected.

        Parameters
        ----------
        top : int or None, default=None
            Number of features. None is all, or the best 50 with details.
        details : bool, default=False
            Whether to describe each feature. ``high_in`` is the class with the largest mean.
            ``auc`` compares that class with the rest (ties count half), and ``effect`` is
            Cohen's d, the difference of the two means over the pooled standard deviation. For a
            regression target, ``pearson`` and ``spearman`` are the correlations with it.
            ``zeros`` and ``missing`` are shares of the samples. ``most_correlated`` is the
            better-ranked feature (among those shown) with the largest absolute correlation ``r``.
            ``mean_…`` and ``sd_…`` are given per class. Components of the method's score follow,
            such as ``fisher``, ``information`` and ``spread`` for EC-FS.
        test : {"welch", "moderated-t", "wilcoxon"} or None, default=None
            For two classes, or one class against the rest: a test of each feature on its own. The
            ranking does not use it. Of two classes, the second is compared with the first. The test
            adds ``log2_fold_change``, the ``value_scale`` that it
            assumes, ``mean_difference`` on that scale, ``p_value`` and ``p_adjusted``, the latter
            by Benjamini and Hochberg over all features, shown or not.
            See :func:`featrank.statistics.class_tests` and ``default_test``.
        values : {"auto", "log2", "ln", "log10", "log1p", "linear", "ct", "none"}, default="auto"
            The scale of the values, for the fold changes, as in that function.

        Returns
        -------
        frame : pandas.DataFrame or polars.DataFrame
            A pandas frame if the data came as one, else a polars frame.

        Examples
        --------
        >>> import featrank
        >>> from sklearn.datasets import load_iris
        >>> data = load_iris(as_frame=True)
        >>> frame = featrank.rank(data.data, data.target).to_frame(2, details=True)
        >>> frame[["feature", "high_in", "auc", "effect", "most_correlated", "r"]].round(2)
                     feature  high_in   auc  effect    most_correlated     r
        0  petal length (cm)        2  0.99    2.19               None   NaN
        1   petal width (cm)        2  0.99    2.54  petal length (cm)  0.96
        """
        columns = self.columns(top, details=details, test=test, values=values)
        return data_frame(columns, self.data)

    def tuned_params(self) -> dict[str, Any]:
        """Return the parameters that the method tuned, such as alpha, with their scores."""
        return {} if self.ranker is None else self.ranker.tuned_params()

    def notes(self) -> list[str]:
        """Return notes on the file and on the fit, such as how alpha was tuned."""
        control = self.fdr_control
        null = [] if control is None else [control.null_hypothesis]
        return [*self.provenance.notes, *self.fit_notes(), *null]

    def fit_notes(self) -> list[str]:
        """Return notes on the fit, and on what can be claimed."""
        of_fit = [] if self.ranker is None else self.ranker.notes()
        return of_fit + ([] if self.fdr_control is None else [self.fdr_control.sentence()])

    def of_file(self, provenance: Provenance) -> Ranking:
        """Return the same ranking with the details of its file."""
        return replace(self, provenance=provenance)

    def with_warnings(self, issued: Iterable[FeatrankWarning]) -> Ranking:
        """Return the same ranking with the warnings of its run, each once."""
        return replace(self, warnings=distinct_warnings(issued))

    def class_sizes(self) -> list[dict[str, Any]]:
        """Return each class with its number of samples. None for an unsupervised method."""
        source = self.data
        if source is None or (self.ranker is not None and not self.ranker.supervised):
            return []
        pairs = zip(source.class_labels, source.class_sizes, strict=True)
        return [{"label": label, "samples": count} for label, count in pairs]

    @property
    def of_class(self) -> bool:
        """Whether the ranking is for one class against the rest."""
        return self._class_of_interest() is not None

    @property
    def is_regression(self) -> bool:
        """Whether the ranking is for a regression target."""
        return self.data is not None and self.data.regression_target is not None

    def direction(self, columns: NDArray[np.integer]) -> list[str]:
        """Return whether the class has "higher" or "lower" values, for each column.

        For a ranking of one class against the rest, the means decide, and they may be the "same".
        For regression, the sign of Pearson's correlation with the target decides.
        """
        source, signs = self._data("The direction"), self._signs()
        directions: list[str] = []
        for start in range(0, len(columns), BLOCK):
            values = source.values(columns[start : start + BLOCK])
            directions += [DIRECTIONS[sign] for sign in signs(values).tolist()]
        return directions

    def _signs(self) -> Callable[[NDArray[np.float64]], NDArray[np.int64]]:
        """Return the function that computes the directions of columns."""
        source, code = self._data("The direction"), self._class_of_interest()
        if source.regression_target is not None:
            return partial(rising, regression_target=source.regression_target)
        if code is None or source.classes is None:
            raise UsageError(
                "This ranking is for all classes, but a direction needs one class against the "
                "rest. Use `per_class=True`."
            )
        return partial(higher, members=source.classes.codes == code)

    def markers(self, k: int = MARKERS) -> list[str]:
        """Return the names of the best k features that are higher in the class than in the rest.

        There may be fewer than k. For regression, these are the features that rise with the
        target.
        """
        return taken(self.feature_names, np.fromiter(islice(self._higher(), k), np.int64))

    def _higher(self) -> Iterator[int]:
        for start in range(0, len(self), BLOCK):
            some = self.order[start : start + BLOCK]
            pairs = zip(some.tolist(), self.direction(some), strict=True)
            yield from (column for column, direction in pairs if direction == "higher")

    def value_scales(self, test: Test, values: Values) -> ValueScales:
        """Return the scales of the values that the fold changes of a test assume."""
        return self.tested(test, values).scales

    def computed_tests(self) -> list[ClassTests]:
        """Return the tests that tables of this ranking have shown so far."""
        return [] if self.tested_class() is None else self._tests.computed()

    def tested(self, test: Test, values: Values = "auto") -> ClassTests:
        """Return a test of all features, with one row per class. It is computed once."""
        return self._tests.of(test, self._scale_of(values))

    def tested_class(self) -> int | None:
        """Return the class that is compared with the rest: that of the ranking, or one of two."""
        code = self._class_of_interest()
        if code is not None or self.data is None:
            return code
        supervised = self.ranker is None or self.ranker.supervised
        return 1 if supervised and len(self.data.class_labels) == 2 else None

    def require_tested_class(self) -> None:
        """Raise an error unless there are two classes, or one against the rest."""
        if self.is_regression:
            raise UsageError("A test compares classes, but this ranking is for regression.")
        if self.tested_class() is None:
            raise UsageError(
                "This ranking is for all classes, but a test needs one class against the rest. Use "
                "`per_class=True`."
            )

    def default_test(self) -> Test | None:
        """Return the test for the number of samples, or None if there is none.

        This is the moderated t with fewer than 10 samples in the class or in the rest, otherwise
        Welch's test. There is none for more than two classes, regression, unsupervised methods, and
        data in chunks that is too large to be read once more.
        """
        code, data = self.tested_class(), self.data
        if code is None or data is None:
            return None
        if isinstance(data, SourceData) and not data.is_cheap(len(self)):
            return None
        own, total = data.class_sizes[code], data.n_samples
        return default_test([own, total - own])

    def compared_classes(self) -> tuple[str, str] | None:
        """Return the names of the class that is tested and of what it is compared with."""
        code = self.tested_class()
        if code is None or self.data is None:
            return None
        names = [str(label) for label in self.data.class_labels]
        return names[code], names[1 - code] if len(names) == 2 else "the rest"

    def plot(self, top: int = DRAWN) -> Figure:
        """Plot the best features: their scores, and their values by class.

        For regression, the samples are split into thirds by the target.

        Parameters
        ----------
        top : int, default=20
            Number of features, or all if there are fewer.

        Returns
        -------
        fig : matplotlib.figure.Figure
            ``fig.savefig("ranking.png")`` saves it. A notebook shows it.
        """
        from featrank.plots import ranking_figure

        source = self._data("A plot")
        best = self._best(min(top, len(self)))
        return ranking_figure(
            taken(self.feature_names, best),
            self.shown.values[best],
            source.values(best),
            *self.drawn_groups(),
            title=self._title(),
            value_name=self.shown.name,
            bars=self.shown.comparable,
        )

    def drawn_groups(self) -> tuple[NDArray[np.integer] | None, list[str]]:
        """Return the groups of samples in a plot: codes and names. None without classes."""
        classes = self._data("A plot").drawn_classes
        if classes is None:
            return None, []
        if classes.of_interest is None:
            return classes.codes, classes.names()
        own = classes.codes == classes.of_interest
        return (~own).astype(np.intp), [classes.names()[classes.of_interest], "rest"]

    def _best(self, k: int | None, default: int | None = None) -> NDArray[np.int64]:
        if k is None:
            return self.order[:default]
        if not 0 <= k <= len(self):
            raise UsageError(
                f"top={k} is not possible: the ranking has {len(self)} features. "
                f"Use a number from 0 to {len(self)}."
            )
        return self.order[:k]

    def _details(self, best: NDArray[np.int64]) -> Columns:
        source = self._data("Details")
        names = taken(self.feature_names, best)
        details = feature_details(
            source.values(best), names, source.classes, source.regression_target
        )
        columns = {name: list(np.asarray(each, dtype=object)) for name, each in details.items()}
        components = {} if self.ranker is None else self.ranker.score_components()
        return columns | {name: vector[best].tolist() for name, vector in components.items()}

    def _tested(self, best: NDArray[np.int64], test: Test, values: Values) -> Columns:
        tested, code = self.tested(test, values), self.tested_class()
        names = ("log2_fold_change", "mean_difference", "p_value", "p_adjusted")
        columns = {name: getattr(tested, name)[code, best].tolist() for name in names}
        change = {"log2_fold_change": columns.pop("log2_fold_change")}
        return change | {"value_scale": tested.scales.of_features[best].tolist()} | columns

    def _scale_of(self, values: Values) -> Values:
        return self.provenance.values if values == "auto" else values

    def _symbols(self, best: NDArray[np.int64]) -> Columns:
        symbols = self.provenance.symbols
        return {} if symbols is None else {"second_name": [symbols[place] for place in best]}

    @cached_property
    def _tests(self) -> CachedTests:
        source = self._data("A test")
        self.require_tested_class()
        if isinstance(source, SourceData):
            return ChunkedTests(source)
        assert source.classes is not None
        return self.tests or CachedTests(source.X, source.classes.codes)

    def _data(self, what: str) -> Evidence | SourceData:
        if self.data is None:
            raise UsageError(
                f"{what} needs the data, which this ranking does not have. Use featrank.rank(X, y) "
                "to make the ranking."
            )
        return self.data

    def _class_of_interest(self) -> int | None:
        if self.data is None or isinstance(self.data, SourceData):
            return None  # reading the labels of a file may take long
        classes = self.data.classes
        return classes.of_interest if classes else None

    def __len__(self) -> int:
        return len(self.scores)

    def _title(self) -> str:
        params = self._changed_params()
        title = f"Ranking of {len(self)} features by {self.method}"
        if params.pop("task", None) == "regression":
            title += " for regression"
        listed = ", ".join(f"{key}={value!r}" for key, value in params.items())
        title += listed and f" ({listed})"
        code = self._class_of_interest()
        if code is None or self.data is None or self.data.classes is None:
            return title
        return f"{title}, {self.data.classes.names()[code]} against the rest"

    def _changed_params(self) -> dict[str, Any]:
        """Return the parameters that are not the method's own defaults."""
        plain = {} if self.ranker is None else type(self.ranker)().get_params()
        return {
            name: value
            for name, value in self.params.items()
            if name != "n_jobs" and (name not in plain or repr(plain[name]) != repr(value))
        }

    def _cells(self) -> dict[str, list[str]]:
        best = self.order[:SHOWN]
        return self.shown.cells(taken(self.feature_names, best), best)

    def _rest(self) -> str:
        left = len(self) - SHOWN
        return f"… {left} more" if left > 0 else ""

    def __repr__(self) -> str:
        columns = [[head, *cells] for head, cells in self._cells().items()]
        widths = [max(map(len, column)) for column in columns]
        rows = [
            "  ".join(cell.ljust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
            for row in zip(*columns, strict=True)
        ]
        lines = [f"{rank:>4}  {row}".rstrip() for rank, row in zip(columns[0], rows, strict=True)]
        return "\n".join([self._title(), *lines, *filter(None, [self._rest()])])

    def _repr_html_(self) -> str:
        bars = self.shown.bar_values(self.order[:SHOWN])
        return best_features(self._title(), self._cells(), bars, below=self._rest())
