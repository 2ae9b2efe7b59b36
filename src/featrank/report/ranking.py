"""A ranking, or one for each class: the features in order, and why they are there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import isinf
from typing import Any

from featrank.base import settings_of
from featrank.ranking import DETAILED, ClassRankings, Ranking

from .document import Block, Column, Grid, Report, described

__all__ = ["ranking_report"]

VERSION = 1
# More rows than this scroll away; `top` shows them, and a file holds them.
SHOWN = 50
SHOWN_PER_CLASS = 10
BAR = 20
# Rows that are made together when all are written.
TOGETHER = 65_536
# Classes that a title names.
NAMED = 5

Features = list[dict[str, Any]]


def ranking_report(
    ranking: Ranking | ClassRankings,
    top: int | None = None,
    details: bool = False,
    *,
    whole: bool = False,
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
        Whether the layouts for readers, too, hold all of them; else these hold the first 50, or
        10 of each class, where ``top`` is None.

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
    return _RankingReport(ranking, top, details, whole)


class _RankingReport(Report):
    """A report of which no more is made than a layout asks for.

    Readers are shown 50 features of what may be a million, and to look at each takes time.
    """

    _ranking: Ranking | ClassRankings
    _top: int | None
    _details: bool
    _whole: bool

    def __init__(
        self, ranking: Ranking | ClassRankings, top: int | None, details: bool, whole: bool
    ):
        self.__dict__.update(_ranking=ranking, _top=top, _details=details, _whole=whole)

    def __repr__(self) -> str:
        return f"<Report: {_title(_content(self._ranking, 0, False))}>"

    @cached_property
    def content(self) -> dict[str, Any]:
        """The whole ranking."""
        return _content(self._ranking, self._top, self._details)

    @cached_property
    def rows(self) -> Sequence[dict[str, Any]]:
        """A row a feature."""
        if isinstance(self._ranking, Ranking) and not self._details:
            return _Ranked(self._ranking, self._top)
        return _Records(self._ranking.columns(self._top, details=self._details))

    @cached_property
    def shown(self) -> Sequence[Block]:
        """A table, or one for each class."""
        if self._whole or self._top is not None:
            return _grids(self.content, 0)
        usual = SHOWN_PER_CLASS if isinstance(self._ranking, ClassRankings) else SHOWN
        total = len(_one(self._ranking))
        count = min(usual, total)
        return _grids(_content(self._ranking, count, self._details), total - count)

    @cached_property
    def notes(self) -> Sequence[str]:
        """What the fits say of themselves, and what is left out."""
        notes = self._ranking.remarks()
        if self._details and self._top is None and len(_one(self._ranking)) > DETAILED:
            notes.append(f"Details are of the best {DETAILED}; --top K shows them of K.")
        return notes


def _one(ranking: Ranking | ClassRankings) -> Ranking:
    return next(iter(ranking.values())) if isinstance(ranking, ClassRankings) else ranking


def _content(ranking: Ranking | ClassRankings, top: int | None, details: bool) -> dict[str, Any]:
    one, chosen = _one(ranking), ranking.chosen()
    columns = ranking.columns(top, details=details)
    # JSON has no number for the score of an exact separator: it is null there.
    columns["exact"] = [isinf(score) for score in columns["score"]]
    return described(
        "ranking",
        VERSION,
        {
            "method": one.method,
            "params": one.params if one.ranker is None else settings_of(one.ranker),
            "n_samples": None if one.source is None else one.source.n_samples,
            "n_features": len(one),
            "classes": one.class_sizes(),
            **({"chosen": chosen} if chosen else {}),
            "features": list(_Records(columns)),
        },
    )


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

    def __init__(self, ranking: Ranking, top: int | None):
        self._ranking, self._count = ranking, len(ranking) if top is None else top
        self._between(self._count, self._count)  # refuses what is not there before all is written

    def _between(self, start: int, stop: int) -> _Records:
        return _Records(self._ranking.columns(stop, after=start))

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


def _grids(content: dict[str, Any], left: int) -> list[Grid]:
    of_classes: dict[Any, Features] = {}
    for feature in content["features"]:
        of_classes.setdefault(feature.get("class"), []).append(feature)
    return [
        _grid(own, _title(content) if label is None else _class_title(content, label), left)
        for label, own in of_classes.items()
    ]


def _title(content: dict[str, Any]) -> str:
    samples = content["n_samples"]
    title = f"{content['n_features']:,} features"
    title += "" if samples is None else f" of {samples:,} samples"
    title += f" by {content['method']}"
    classes = content["classes"]
    if classes:
        named = [f"{entry['label']} {entry['samples']:,}" for entry in classes[:NAMED]]
        title += f"; classes: {', '.join(named)}"
        title += f" and {len(classes) - NAMED} more" if len(classes) > NAMED else ""
    return title


def _class_title(content: dict[str, Any], label: Any) -> str:
    own = next(entry["samples"] for entry in content["classes"] if entry["label"] == label)
    return (
        f"{label}: {own:,} samples against {content['n_samples'] - own:,}, "
        f"{content['n_features']:,} features by {content['method']}"
    )


def _grid(features: Features, title: str, left: int) -> Grid:
    details = "most_like" in features[0]
    cells: dict[str, list[str]] = {
        "rank": [str(feature["rank"]) for feature in features],
        "feature": [feature["feature"] for feature in features],
        "score": [f"{feature['score']:.6g}" for feature in features],
        **_reasons(features, details),
    }
    columns = [_column(name) for name in cells]
    caption = f"{left:,} more: --top K shows K, --format csv all." if left else ""
    # One table, whose names take several lines where it is too wide.
    return Grid(
        columns,
        list(zip(*cells.values(), strict=True)),
        title,
        caption,
        keys=len(columns),
        tight=details,
    )


def _column(name: str) -> Column:
    number = name not in ("feature", "high in", "most like", "direction", "")
    whole = number or name in ("direction", "")
    return Column(name, right=number, whole=whole, colour="" if name else "cyan")


def _reasons(features: Features, details: bool) -> dict[str, list[str]]:
    """Return the columns beside the scores: bars, or what people ask for first of the details."""
    first = features[0]
    found: dict[str, list[str]] = {}
    if "direction" in first:
        found["direction"] = [feature["direction"] for feature in features]
    if not details:
        return {**found, "": _bars([feature["score"] for feature in features])}
    if "high_in" in first:
        found["high in"] = [str(feature["high_in"]) for feature in features]
    if "auc" in first:
        found["AUC"] = [f"{feature['auc']:.3f}" for feature in features]
        found["effect"] = [f"{feature['effect']:.2f}" for feature in features]
    found["most like"] = [feature["most_like"] or "" for feature in features]
    found["r"] = [
        "" if feature["r"] != feature["r"] else f"{feature['r']:.2f}" for feature in features
    ]
    return found


def _bars(scores: list[float]) -> list[str]:
    largest = max((score for score in scores if not isinf(score)), default=0.0)
    return [_bar(score, largest) for score in scores]


def _bar(score: float, largest: float) -> str:
    if score >= largest:
        return "█" * BAR
    share = score / largest if largest > 0 else 0.0
    return "█" * round(BAR * share)
