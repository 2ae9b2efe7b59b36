"""The report of a ranking, or of one ranking per class."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from math import isinf
from typing import Any, Literal, NamedTuple

from featrank.base.ranker import settings_of
from featrank.exceptions import FeatrankWarning
from featrank.ranking import DETAILED, ClassRankings, Ranking
from featrank.ranking.feature_details import Columns
from featrank.ranking.signed_statistic import SignedStatistic, signed_statistic
from featrank.report.document import Block, Report, described
from featrank.report.ranking_grids import ranking_grids, ranking_title
from featrank.report.significant import LEVEL, notes_on_test, short_note, significant_counts
from featrank.statistics.feature_tests import Test, Values

__all__ = ["ranking_report"]

# Features that readers see by default.
SHOWN = 50
SHOWN_PER_CLASS = 10
# Rows that are in memory at a time when all are written.
ROWS_AT_A_TIME = 65_536


def ranking_report(
    ranking: Ranking | ClassRankings,
    top: int | None = None,
    details: bool = False,
    *,
    whole: bool = False,
    test: Test | Literal["auto"] | None = "auto",
    values: Values = "auto",
    of_class: Any = None,
) -> Report:
    """Return the features in order, with their scores.

    Parameters
    ----------
    ranking : Ranking or ClassRankings
        Returned by ``featrank.rank`` or ``featrank.rank_file``.
    top : int or None, default=None
        Number of features, per class if there is one ranking per class. None is all, or the
        best 50 with details.
    details : bool, default=False
        Whether to add the details of ``Ranking.to_frame``.
    whole : bool, default=False
        Whether text, Markdown and HTML contain all features if ``top`` is None. By default these
        contain the first 50, or 10 per class.
    test : {"auto", "welch", "moderated-t", "wilcoxon"} or None, default="auto"
        A test of each feature on its own, for two classes or a class against the rest. It adds fold
        changes and p-values, as in ``Ranking.to_frame``. The ranking does not use it. "auto" is
        ``default_test`` of the ranking. The table for readers shows it for a class against the rest
        or with ``details``.
    values : {"auto", "log2", "ln", "log10", "log1p", "linear", "ct", "none"}, default="auto"
        The scale of the values, for the fold changes.
    of_class : label or None, default=None
        One of several rankings per class. For a ranking of all classes, it is the class with
        positive values in an ``.rnk`` file.

    Examples
    --------
    >>> import featrank
    >>> data = featrank.datasets.load("iris")
    >>> ranking = featrank.rank(data.X, data.y, "fisher", feature_names=data.feature_names)
    >>> featrank.report.write(featrank.report.ranking_report(ranking, top=2), "csv")
    rank,feature,score
    1,petal length (cm),15.7...
    2,petal width (cm),12.8...
    """
    if of_class is not None and isinstance(ranking, ClassRankings):
        ranking = ranking.only(of_class)
    if test not in ("auto", None) or values != "auto":
        _one(ranking).require_tested_class()
    of_readers = details or test != "auto" or isinstance(ranking, ClassRankings) or ranking.of_class
    chosen = ranking.default_test() if test == "auto" else test
    options = _Options(top, details, chosen, values, bool(of_readers))
    return _RankingReport(ranking, options, whole, of_class)


class _Options(NamedTuple):
    """The options of a ranking report."""

    top: int | None
    details: bool = False
    test: Test | None = None
    values: Values = "auto"
    is_test_shown: bool = True

    def for_readers(self, top: int | None) -> _Options:
        """Return the options of the table that people read."""
        return self._replace(top=top, test=self.test if self.is_test_shown else None)

    def columns(self, ranking: Ranking | ClassRankings) -> Columns:
        """Return the columns of the table."""
        return ranking.columns(self.top, details=self.details, test=self.test, values=self.values)

    def describe_test(self, ranking: Ranking | ClassRankings) -> dict[str, Any] | None:
        """Return what was tested, how, and how many features are significant."""
        if self.test is None:
            return None
        counts = significant_counts(ranking, self.test, self.values)
        compared = _one(ranking).compared_classes()
        assert compared is not None
        rest = "the rest" if isinstance(ranking, ClassRankings) else compared[1]
        return {
            "name": self.test,
            "adjustment": "benjamini-hochberg",
            "value_scale": _one(ranking).value_scales(self.test, self.values).usual,
            "compared_with": rest,
            "level": LEVEL,
            "significant": [{"class": label, "features": n} for label, n in counts.items()],
        }


class _RankingReport(Report):
    """A report whose parts are computed on demand.

    Readers see 50 features of maybe a million, and computing the details of each takes time.
    """

    _options: _Options
    _whole: bool
    _of_class: Any

    def __init__(
        self, ranking: Ranking | ClassRankings, options: _Options, whole: bool, of_class: Any
    ):
        self.__dict__.update(
            ranking=ranking, top=options.top, _options=options, _whole=whole, _of_class=of_class
        )

    def __repr__(self) -> str:
        return f"<Report: {ranking_title(_content(self.ranking, _Options(top=0)))}>"

    @cached_property
    def content(self) -> dict[str, Any]:
        """The complete ranking."""
        return _content(self.ranking, self._options)

    @cached_property
    def rows(self) -> Sequence[dict[str, Any]]:
        """One row per feature."""
        ranking, options = self.ranking, self._options
        if isinstance(ranking, Ranking) and not options.details:
            count = len(ranking) if options.top is None else options.top
            ranking.columns(count, after=count)  # raises an error if top is too large
            test: dict[str, Any] = {"test": options.test, "values": options.values}
            return _Rows(count, lambda start, stop: ranking.columns(stop, after=start, **test))
        columns = options.columns(ranking)
        return _Rows(
            len(columns["rank"]),
            lambda start, stop: {name: each[start:stop] for name, each in columns.items()},
        )

    @cached_property
    def shown(self) -> Sequence[Block]:
        """A table, or one per class."""
        if self._whole or self.top is not None:
            if self._options.is_test_shown:
                return ranking_grids(self.content, 0)
            return ranking_grids(_content(self.ranking, self._options.for_readers(self.top)), 0)
        usual = SHOWN_PER_CLASS if isinstance(self.ranking, ClassRankings) else SHOWN
        total = len(_one(self.ranking))
        content = _content(self.ranking, self._options.for_readers(min(usual, total)))
        return ranking_grids(content, total - min(usual, total))

    @property
    def warnings(self) -> Sequence[FeatrankWarning]:
        """Warnings of the run."""
        return self.ranking.warnings

    @cached_property
    def signed_statistic(self) -> SignedStatistic:
        """A t statistic of each feature of one ranking."""
        ranking = _one(self.ranking)
        return signed_statistic(ranking, None if ranking.of_class else self._of_class)

    @cached_property
    def notes(self) -> Sequence[str]:
        """Notes on the fits, on features that are left out, and on p-values."""
        notes, total = self.ranking.notes(), len(_one(self.ranking))
        if self._options.details and self.top is None and total > DETAILED:
            notes.append(f"Details cover the best {DETAILED} features. Use `top=...` for more.")
        options = self._options
        if options.test is not None and options.is_test_shown:
            notes += notes_on_test(self.ranking, options.test, options.values)
        elif options.test is not None and self._is_tested():
            notes.append(short_note(_one(self.ranking), options.test, options.values))
        return notes

    def _is_tested(self) -> bool:
        """Whether the test was written, as to a CSV file. Plain tables do without it."""
        computed = _one(self.ranking).computed_tests()
        return any(tests.test == self._options.test for tests in computed)


def _one(ranking: Ranking | ClassRankings) -> Ranking:
    return next(iter(ranking.values())) if isinstance(ranking, ClassRankings) else ranking


def _content(ranking: Ranking | ClassRankings, options: _Options) -> dict[str, Any]:
    one, tuned = _one(ranking), ranking.tuned_params()
    columns, test = options.columns(ranking), options.describe_test(ranking)
    if one.shown.column:
        # JSON has no infinite numbers: the score of a perfectly separating feature is null there.
        columns["perfect_separation"] = [isinf(value) for value in columns[one.shown.column]]
    y = None if one.data is None else one.data.regression_target
    if_known = {
        "criterion": _criterion(one),
        "target_range": {} if y is None else {"min": float(y.min()), "max": float(y.max())},
        "tuned_params": tuned,
        "test": test,
        "fdr_control": _claims(ranking),
        "preprocessing": dict(one.provenance.preprocessing),
        "samples": dict(one.provenance.samples),
    }
    content = {
        "method": one.method,
        "params": one.params if one.ranker is None else settings_of(one.ranker),
        "n_samples": None if one.data is None else one.data.n_samples,
        "n_features": len(one),
        "classes": one.class_sizes(),
        "warnings": [warning.describe() for warning in ranking.warnings],
        **{name: facts for name, facts in if_known.items() if facts},
        "features": list(_records(columns)),
    }
    return described("ranking", 1, content)


def _claims(ranking: Ranking | ClassRankings) -> Any:
    """Return what can be claimed at a false discovery rate, for each class if there are several."""
    if isinstance(ranking, Ranking):
        return None if ranking.fdr_control is None else ranking.fdr_control.to_dict()
    found = {label: _claims(one) for label, one in ranking.items()}
    return [{"class": label, **facts} for label, facts in found.items() if facts]


def _criterion(ranking: Ranking) -> dict[str, Any]:
    """Return what the column ``criterion`` measures; nothing for a ranking with scores."""
    shown = ranking.shown
    known = {"name": shown.name, "comparable": shown.comparable}
    return known if shown.column == "criterion" else {}


def _records(columns: Columns) -> Iterator[dict[str, Any]]:
    for row in zip(*columns.values(), strict=True):
        yield dict(zip(columns, row, strict=True))


class _Rows(Sequence[dict[str, Any]]):
    """Rows that are made from columns, few at a time: a ranking may have ten million."""

    def __init__(self, count: int, columns_between: Callable[[int, int], Columns]):
        self._count, self._columns_between = count, columns_between

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[one] for one in range(self._count)[place]]
        start = range(self._count)[place]
        return next(_records(self._columns_between(start, start + 1)))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for start in range(0, self._count, ROWS_AT_A_TIME):
            stop = min(start + ROWS_AT_A_TIME, self._count)
            yield from _records(self._columns_between(start, stop))
