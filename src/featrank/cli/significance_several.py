"""Significance across folders of results, one a data set: ranks and their tests."""

from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featrank.exceptions import DataError, UsageError, unknown_name
from featrank.report.plain_text import one_line

from . import output as out
from .messages import Messages

if TYPE_CHECKING:
    from featrank.evaluation import Comparison
    from featrank.statistics import FriedmanTest, NemenyiTest, PairTest


@dataclass(frozen=True)
class Request:
    """What to test: the folders, the tests, the method to compare with, and where to draw."""

    folders: tuple[Path, ...]
    tests: tuple[str, ...]
    against: str | None
    ks: tuple[int, ...] | None
    plot: Path | None


@dataclass(frozen=True, eq=False)
class Scores:
    """A row a data set, a column a method: means over trials and numbers of features."""

    datasets: list[str]
    methods: list[str]
    table: Any
    ks: tuple[int, ...]


@dataclass(frozen=True)
class Found:
    """The outcome of the tests that were asked for."""

    friedman: "FriedmanTest | None"
    nemenyi: "NemenyiTest | None"
    pairs: "list[PairTest]"


def across(
    comparisons: "list[Comparison]", request: Request, layout: str, messages: Messages
) -> None:
    """Test methods over data sets, and write what is found."""
    scores = _scores(comparisons, request, messages)
    found = _tested(scores, request)
    stream = out.stdout_stream(layout)
    if layout == "table":
        from .significance_text import report

        out.write_rich(stream, *report(scores, found))
    elif layout == "json":
        out.write_json(stream, _summary(scores, found))
    else:
        rows = _pair_rows(scores, found)
        out.write_csv(stream, list(rows[0]), [list(row.values()) for row in rows])
    if request.plot is not None:
        _draw(scores, request.plot)
        messages.say(f"Drew {str(request.plot)!r}.")


def _scores(comparisons: "list[Comparison]", request: Request, messages: Messages) -> Scores:
    import numpy as np

    _require_different(comparisons, request.folders)
    ks = _shared_ks(comparisons, request.ks)
    methods = _shared_methods(comparisons, ks, messages)
    if request.against is not None and request.against not in methods:
        raise UsageError(unknown_name("method of all these results", request.against, methods))
    rows = [[_mean(comparison, name, ks) for name in methods] for comparison in comparisons]
    names = [one_line(str(each.manifest["data"]["name"])) for each in comparisons]
    if len(set(names)) < len(names):
        names = [one_line(str(folder)) for folder in request.folders]
    return Scores(names, methods, np.array(rows), ks)


def _mean(comparison: "Comparison", name: str, ks: tuple[int, ...]) -> float:
    import numpy as np

    values = np.concatenate([comparison.scores(name, k) for k in ks])
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")


def _require_different(comparisons: "list[Comparison]", folders: tuple[Path, ...]) -> None:
    scorers = {comparison.manifest["protocol"]["scorer"] for comparison in comparisons}
    if len(scorers) > 1:
        raise UsageError(f"Scores of different kinds have no common ranks: {_listed(scorers)}.")
    seen: dict[str, Path] = {}
    for comparison, folder in zip(comparisons, folders, strict=True):
        data = comparison.manifest["data"]["sha256"]
        if data in seen:
            raise UsageError(
                f"{str(seen[data])!r} and {str(folder)!r} are of the same data. Name one folder "
                "for each data set, or a single one to compare methods over its trials."
            )
        seen[data] = folder


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names))


def _shared_ks(comparisons: "list[Comparison]", wanted: tuple[int, ...] | None) -> tuple[int, ...]:
    shared = set.intersection(*(set(comparison.ks) for comparison in comparisons))
    ks = tuple(sorted(shared if wanted is None else set(wanted)))
    if not ks or not shared.issuperset(ks):
        known = ", ".join(map(str, sorted(shared))) or "none"
        raise UsageError(f"Numbers of features that all these results have: {known}.")
    return ks


def _shared_methods(
    comparisons: "list[Comparison]", ks: tuple[int, ...], messages: Messages
) -> list[str]:
    every = list(dict.fromkeys(label for each in comparisons for label in each.methods))
    shared = [
        name
        for name in every
        if all(name in each.methods and not isnan(_mean(each, name, ks)) for each in comparisons)
    ]
    left = [name for name in every if name not in shared]
    if left:
        messages.say(f"Left out, since they lack scores in a folder: {', '.join(left)}.")
    if len(shared) < 2:
        raise DataError("Fewer than two methods have scores in all these folders.")
    return shared


def _tested(scores: Scores, request: Request) -> Found:
    from featrank.statistics import friedman, nemenyi, wilcoxon_holm

    table, names = scores.table, scores.methods
    default = "ec-fs" if "ec-fs" in names else None
    enough = len(names) >= 3
    if not enough and request.tests == ("friedman",):
        raise DataError("Friedman's test compares three methods or more.")
    return Found(
        friedman(table, names) if enough and "friedman" in request.tests else None,
        nemenyi(table, names) if "nemenyi" in request.tests else None,
        wilcoxon_holm(table, names, control=request.against or default)
        if "wilcoxon" in request.tests
        else [],
    )


def _pair_rows(scores: Scores, found: Found) -> list[dict[str, Any]]:
    """Return a row a pair of methods if pairs were tested, else a row a method with its rank."""
    if found.pairs:
        return [
            {
                "method": pair.first,
                "other": pair.second,
                "difference": pair.difference,
                "wilcoxon_p": pair.p_value,
                "holm_p": pair.adjusted_p_value,
            }
            | ({} if found.nemenyi is None else {"nemenyi_p": _nemenyi_p(found.nemenyi, pair)})
            for pair in found.pairs
        ]
    ranked = found.nemenyi or found.friedman
    assert ranked is not None
    pairs = zip(ranked.methods, ranked.average_ranks.tolist(), strict=True)
    return [{"method": name, "average_rank": rank} for name, rank in pairs]


def _nemenyi_p(test: "NemenyiTest", pair: "PairTest") -> float:
    names = test.methods
    return float(test.p_values[names.index(pair.first), names.index(pair.second)])


def _summary(scores: Scores, found: Found) -> dict[str, Any]:
    summary: dict[str, Any] = {
        "datasets": scores.datasets,
        "features": list(scores.ks),
        "scores": {
            name: scores.table[:, place].tolist() for place, name in enumerate(scores.methods)
        },
    }
    if found.friedman is not None:
        test = found.friedman
        summary["friedman"] = {
            "statistic": test.statistic,
            "p": test.p_value,
            "f_statistic": test.f_statistic,
            "f_p": test.f_p_value,
        }
    if found.nemenyi is not None:
        ranks = found.nemenyi.average_ranks.tolist()
        summary["nemenyi"] = {
            "average_ranks": dict(zip(found.nemenyi.methods, ranks, strict=True)),
            "critical_difference": found.nemenyi.critical_difference,
            "groups": found.nemenyi.groups,
        }
    if found.pairs:
        summary["pairs"] = _pair_rows(scores, found)
    return summary


def _draw(scores: Scores, path: Path) -> None:
    from featrank.plots import critical_difference_figure, save
    from featrank.statistics import nemenyi

    save(critical_difference_figure(nemenyi(scores.table, scores.methods)), path)
