"""Average ranks of methods over several data sets, and tests of their differences."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from featrank._utils.plain_text import one_line
from featrank.exceptions import DataError, UsageError, unknown_name
from featrank.report.differences import chosen_tests
from featrank.report.document import Cell, Grid, Paragraph, Report, described, make_columns
from featrank.report.phrases import ScoreFormat, format_p

if TYPE_CHECKING:
    from featrank.statistics import NemenyiTest, PairTest, StackedScores
    from featrank.statistics.stacking import Scored

__all__ = ["ranks_report"]

# The tests across data sets.
TESTS = ("friedman", "nemenyi", "wilcoxon")


def ranks_report(
    comparisons: Sequence[Scored],
    against: str | None = None,
    n_features: Sequence[int] | None = None,
    tests: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
) -> Report:
    """Return average ranks of methods over data sets, and tests of their differences.

    Parameters
    ----------
    comparisons : sequence of Comparison
        Each on a different data set.
    against : str or None, default=None
        The method that Wilcoxon's test compares with all others. None is EC-FS if it was compared,
        else all pairs are tested.
    n_features : sequence of int or None, default=None
        Numbers of features over which scores are averaged; None is all that the comparisons share.
    tests : sequence of {"friedman", "nemenyi", "wilcoxon"} or None, default=None
        The tests to make; None is all. Friedman's test needs three methods.
    names : sequence of str or None, default=None
        Names of the comparisons, as for :func:`featrank.statistics.stack_comparisons`.
    """
    from featrank.statistics import stack_comparisons

    chosen = chosen_tests(tests, TESTS, "test of several data sets")
    scores = stack_comparisons(comparisons, n_features, names)
    content = described("ranks", 1, _test(scores, chosen, against))
    left_out = ", ".join(scores.left_out)
    notes = (
        [f"Excluded, because they have no scores in some folder: {left_out}."] if left_out else []
    )
    regression = any(getattr(each, "is_regression", False) for each in comparisons)
    score_format = ScoreFormat(percent=not regression)
    return Report(content, _rows(content), _shown(content, score_format), notes)


def _test(scores: StackedScores, tests: Collection[str], against: str | None) -> dict[str, Any]:
    from featrank.statistics import friedman, nemenyi, wilcoxon_holm

    table, methods = scores.table, scores.methods
    if against is not None and against not in methods:
        raise UsageError(unknown_name("method", against, methods))
    enough = len(methods) >= 3
    if not enough and set(tests) == {"friedman"}:
        raise DataError("Friedman's test needs three methods or more.")
    content: dict[str, Any] = {
        "datasets": scores.datasets,
        "n_features": list(scores.n_features),
        "scores": {name: table[:, place].tolist() for place, name in enumerate(methods)},
    }
    if enough and "friedman" in tests:
        test = friedman(table, methods)
        content["friedman"] = {
            "statistic": test.statistic,
            "p": test.p_value,
            "f_statistic": test.f_statistic,
            "f_p": test.f_p_value,
        }
    ranks = nemenyi(table, methods) if "nemenyi" in tests else None
    if ranks is not None:
        content["nemenyi"] = {
            "average_ranks": dict(zip(ranks.methods, ranks.average_ranks.tolist(), strict=True)),
            "critical_difference": ranks.critical_difference,
            "groups": [list(group) for group in ranks.groups],
        }
    if "wilcoxon" in tests:
        default = "ec-fs" if "ec-fs" in methods else None
        pairs = wilcoxon_holm(table, methods, control=against or default)
        content["pairs"] = [_pair(pair, ranks) for pair in pairs]
    return content


def _pair(pair: PairTest, ranks: NemenyiTest | None) -> dict[str, Any]:
    row = {
        "method": pair.first,
        "other": pair.second,
        "difference": pair.difference,
        "wilcoxon_p": pair.p_value,
        "holm_p": pair.adjusted_p_value,
    }
    if ranks is None:
        return row
    place = ranks.methods.index(pair.first), ranks.methods.index(pair.second)
    return {**row, "nemenyi_p": float(ranks.p_values[place])}


def _rows(content: dict[str, Any]) -> list[dict[str, Any]]:
    """Return one row per pair of methods if pairs were tested, else one per method."""
    if "pairs" in content:
        return list(content["pairs"])
    return [{"method": name, "average_rank": rank} for name, rank in _ranks(content).items()]


def _ranks(content: dict[str, Any]) -> dict[str, float]:
    """Return the average rank of each method over the data sets."""
    import numpy as np
    from scipy.stats import rankdata

    table = np.array(list(content["scores"].values()))
    return dict(zip(content["scores"], rankdata(-table, axis=0).mean(axis=1).tolist(), strict=True))


def _shown(content: dict[str, Any], score_format: ScoreFormat) -> list[Grid | Paragraph]:
    ks = ", ".join(map(str, content["n_features"]))
    title = f"Average ranks over {len(content['datasets'])} data sets (1 is best), and mean scores "
    title += "in % for k: " if score_format.percent else "for k: "
    blocks: list[Grid | Paragraph] = [Paragraph(f"{title}{ks}"), _grid(content, score_format)]
    for name, about in (("nemenyi", _about_nemenyi), ("friedman", _about_friedman)):
        blocks += [Paragraph(about(content[name]))] if name in content else []
    if "pairs" in content:
        blocks.append(Paragraph("\nWilcoxon's signed-rank test of pairs:"))
        blocks.append(_pairs_grid(content["pairs"], score_format))
        blocks.append(Paragraph(_about_pairs(content)))
    return blocks


def _grid(content: dict[str, Any], score_format: ScoreFormat) -> Grid:
    """Return a table of methods × data sets, with one column per group that does not differ."""
    ranks, scores = _ranks(content), content["scores"]
    groups = content.get("nemenyi", {}).get("groups", []) or [[]]
    lines = []
    for name in sorted(ranks, key=ranks.__getitem__):
        bars = ["┃" if name in group else "" for group in groups]
        values = [*scores[name], sum(scores[name]) / len(scores[name])]
        lines.append([f"{ranks[name]:.2f}", *bars, name, *map(score_format.number, values)])
    heads = [*map(one_line, content["datasets"]), "average"]
    columns = make_columns([*([""] * len(groups)), "method"], heads, whole=True)
    return Grid([*make_columns((), ["rank"], whole=True), *columns], lines, keys=2 + len(groups))


def _about_nemenyi(test: dict[str, Any]) -> str:
    shared = "Methods that share a bar ┃ do not differ significantly."
    return (
        "Nemenyi: average ranks differ significantly (p < 0.05) if they are more than "
        f"{test['critical_difference']:.2f} apart. "
        f"{shared if test['groups'] else 'All methods differ.'}"
    )


def _about_friedman(test: dict[str, float]) -> str:
    p_values = f"p = {format_p(test['p'])}, by Iman and Davenport's F {format_p(test['f_p'])}"
    verb = "differ" if test["f_p"] < 0.05 else "do not differ"
    return f"Friedman: {p_values}. The methods {verb} significantly."


def _pairs_grid(pairs: list[dict[str, Any]], score_format: ScoreFormat) -> Grid:
    names = make_columns(["method", "other"], whole=True)
    numbers = make_columns((), (f"difference{score_format.unit}", "p", "p, Holm"))
    rows = [
        [
            pair["method"],
            pair["other"],
            score_format.signed(pair["difference"]),
            format_p(pair["wilcoxon_p"]),
            Cell(format_p(pair["holm_p"]), bold=pair["holm_p"] < 0.05),
        ]
        for pair in pairs
    ]
    return Grid([*names, *numbers], rows, keys=2)


def _about_pairs(content: dict[str, Any]) -> str:
    lines = [f"Holm: p-values are adjusted for {len(content['pairs'])} comparisons."]
    count = len(content["datasets"])
    if 2 / 2**count >= 0.05:
        lines.append(
            f"{count} data sets are too few for this test: p cannot be below {2 / 2**count:g}. "
            "Use 6 or more for p < 0.05."
        )
    return "\n".join(lines)
