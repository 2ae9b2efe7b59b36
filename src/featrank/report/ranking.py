"""A ranking, or one for each class: the features in order, and why they are there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import isinf
from typing import Any, NamedTuple

from featrank.base.ranker import settings_of
from featrank.ranking import DETAILED, ClassRankings, Ranking
from featrank.ranking.feature_details import Columns
from featrank.report.document import Block, Report, described
from featrank.report.ranking_grids import ranking_grids, ranking_title
from featrank.statistics.feature_tests import TESTS, Test, Values

__all__ = ["ranking_report"]

VERSION = 1
# More rows than this scroll away; `top` shows them, and a file holds them.
SHOWN = 50
SHOWN_PER_CLASS = 10
# Rows that are made together when all are written.
TOGETHER = 65_536
TAKEN_FOR = {
    "log2": "logarithms base 2",
    "ln": "natural logarithms",
    "log1p": "natural logarithms of 1 + x",
    "linear": "what was measured, no logarithms",
    "none": "ranks, which have none",
}


def ranking_report(
    ranking: Ranking | ClassRankings,
    top: int | None = None,
    details: bool = False,
    *,
    whole: bool = False,
    test: Test | None = None,
    values: Values = "auto",
) -> Report:
    """Return the features in order, with their scores.

    Parameters
    ----------
    ranking : Ranking or ClassRankings
        What ``featrank.rank`` or ``featrank.rank_file`` returns.
    top : int or None, default=None
        How many features, of each class where there is a ranking for each. None is all of them,
        or the best 50 with details.
    details : bool, default=False
        Whether to tell why they rank there, as ``Ranking.to_frame`` does.
    whole : bool, default=False
        Whether the formats for readers, too, hold all of them; else these hold the first 50, or
        10 of each class, where ``top`` is None.
    test : {"welch", "wilcoxon"} or None, default=None
        A test of each feature alone, of a class against the rest, which the ranking does not use:
        fold changes and p-values, as ``ClassRankings.to_frame`` has them.
    values : {"auto", "log2", "log1p", "linear"}, default="auto"
        What the values are, for the fold changes.

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
    return _RankingReport(ranking, _Asked(top, details, test, values), whole)


class _Asked(NamedTuple):
    """What is asked of a ranking."""

    top: int | None
    details: bool
    test: Test | None
    values: Values

    def columns(self, ranking: Ranking | ClassRankings) -> Columns:
        """Return it as columns."""
        if self.test is None:
            return ranking.columns(self.top, details=self.details)
        return ranking.columns(self.top, details=self.details, test=self.test, values=self.values)

    def told(self, ranking: Ranking | ClassRankings) -> dict[str, str] | None:
        """Return which test it was, and what it took the values for."""
        if self.test is None:
            return None
        taken_for = _one(ranking).tested_values(self.test, self.values)
        return {"name": self.test, "adjustment": "benjamini-hochberg", "values": taken_for}


class _RankingReport(Report):
    """A report of which no more is made than a format asks for.

    Readers are shown 50 features of what may be a million, and to look at each takes time.
    """

    _ranking: Ranking | ClassRankings
    _asked: _Asked
    _whole: bool

    def __init__(self, ranking: Ranking | ClassRankings, asked: _Asked, whole: bool):
        self.__dict__.update(_ranking=ranking, _asked=asked, _whole=whole)

    def __repr__(self) -> str:
        return f"<Report: {ranking_title(_content(self._ranking, _Asked(0, False, None, 'auto')))}>"

    @property
    def ranking(self) -> Ranking | ClassRankings:
        """The ranking, or one for each class."""
        return self._ranking

    @property
    def top(self) -> int | None:
        """How many features are asked for; None is all of them."""
        return self._asked.top

    @cached_property
    def content(self) -> dict[str, Any]:
        """The whole ranking."""
        return _content(self._ranking, self._asked)

    @cached_property
    def rows(self) -> Sequence[dict[str, Any]]:
        """A row a feature."""
        if isinstance(self._ranking, Ranking) and not self._asked.details:
            return _Ranked(self._ranking, self._asked)
        return _Records(self._asked.columns(self._ranking))

    @cached_property
    def shown(self) -> Sequence[Block]:
        """A table, or one for each class."""
        if self._whole or self.top is not None:
            return ranking_grids(self.content, 0)
        usual = SHOWN_PER_CLASS if isinstance(self._ranking, ClassRankings) else SHOWN
        total = len(_one(self._ranking))
        count = min(usual, total)
        return ranking_grids(
            _content(self._ranking, self._asked._replace(top=count)), total - count
        )

    @cached_property
    def notes(self) -> Sequence[str]:
        """What the fits say of themselves, what is left out, and what p-values are of."""
        notes, total = self._ranking.notes(), len(_one(self._ranking))
        if self._asked.details and self.top is None and total > DETAILED:
            notes.append(f"Details are of the best {DETAILED}; --top K shows them of K.")
        told = self._asked.told(self._ranking)
        if told is None:
            return notes
        way_out = " (--value-scale says otherwise)" if self._asked.values == "auto" else ""
        return [*notes, f"{_test_note(told, total)}{way_out}."]


def _test_note(told: dict[str, str], n_features: int) -> str:
    return (
        f"p is of {TESTS[told['name']]} of each feature alone, the class against the rest, "
        f"adjusted by Benjamini-Hochberg over {n_features:,} features; the ranking does not use "
        f"it. Fold changes take the values for {TAKEN_FOR[told['values']]}"
    )


def _one(ranking: Ranking | ClassRankings) -> Ranking:
    return next(iter(ranking.values())) if isinstance(ranking, ClassRankings) else ranking


def _content(ranking: Ranking | ClassRankings, asked: _Asked) -> dict[str, Any]:
    one, chosen = _one(ranking), ranking.tuned_params()
    columns, test = asked.columns(ranking), asked.told(ranking)
    # JSON has no number for the score of an exact separator: it is null there.
    columns["exact"] = [isinf(score) for score in columns["score"]]
    return described(
        "ranking",
        VERSION,
        {
            "method": one.method,
            "params": one.params if one.ranker is None else settings_of(one.ranker),
            "n_samples": None if one.data is None else one.data.n_samples,
            "n_features": len(one),
            "classes": one.class_sizes(),
            **_of_quantity(one),
            **({"chosen": chosen} if chosen else {}),
            **({"test": test} if test else {}),
            **({"prepared": dict(one.provenance.prepared)} if one.provenance.prepared else {}),
            **({"samples": dict(one.provenance.samples)} if one.provenance.samples else {}),
            "features": list(_Records(columns)),
        },
    )


def _of_quantity(ranking: Ranking) -> dict[str, Any]:
    """Return the range of a target that is a quantity."""
    y = None if ranking.data is None else ranking.data.regression_target
    if y is None:
        return {}
    return {"quantity": {"lowest": float(y.min()), "highest": float(y.max())}}


class _Records(Sequence[dict[str, Any]]):
    """Columns as rows, which are made one at a time."""

    def __init__(self, columns: dict[str, Any]):
        self._columns = columns

    def __len__(self) -> int:
        return len(self._columns["rank"])

    def __getitem__(self, place: Any) -> Any:
        return {name: values[place] for name, values in self._columns.items()}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        names = list(self._columns)
        for row in zip(*self._columns.values(), strict=True):
            yield dict(zip(names, row, strict=True))


class _Ranked(Sequence[dict[str, Any]]):
    """The rows of a ranking, of which few are in memory at a time: there may be ten million."""

    def __init__(self, ranking: Ranking, asked: _Asked):
        self._ranking, self._asked = ranking, asked
        self._count = len(ranking) if asked.top is None else asked.top
        self._between(self._count, self._count)  # refuses what is not there before all is written

    def _between(self, start: int, stop: int) -> _Records:
        test, values = self._asked.test, self._asked.values
        return _Records(self._ranking.columns(stop, after=start, test=test, values=values))

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[one] for one in range(self._count)[place]]
        start = range(self._count)[place]
        return self._between(start, start + 1)[0]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for start in range(0, self._count, TOGETHER):
            yield from self._between(start, min(start + TOGETHER, self._count))
