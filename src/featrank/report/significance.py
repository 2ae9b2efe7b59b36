"""Tests of one method against all others over the trials on one data set."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import isnan
from typing import TYPE_CHECKING

from featrank._utils.plain_text import one_line
from featrank.exceptions import DataError, UsageError, unknown_name
from featrank.report.differences import CORRECTED, PAPER, chosen_tests, enough_trials, marks
from featrank.report.document import Cell, Grid, Paragraph, Report, described, make_columns
from featrank.report.phrases import ScoreFormat, format_p

if TYPE_CHECKING:
    from featrank.evaluation import Comparison
    from featrank.statistics import Difference

__all__ = ["significance_report"]

# The tests, with the columns of each.
TESTS = {"t-test": ("normality_p", "other_normality_p", "t_test_p"), "corrected": ("corrected_p",)}


def significance_report(
    comparison: Comparison,
    against: str | None = None,
    n_features: Sequence[int] | None = None,
    tests: Sequence[str] | None = None,
) -> Report:
    """Return p-values of the differences between one method and all others, at each k.

    Parameters
    ----------
    comparison : Comparison
        A comparison with at least five trials.
    against : str or None, default=None
        The method to test against all others. None is EC-FS if it was compared, else the best one.
    n_features : sequence of int or None, default=None
        Only these numbers of features; None is all.
    tests : sequence of {"t-test", "corrected"} or None, default=None
        The two-sample t-test of Roffo and Melzi (after Lilliefors' test of normality), the
        corrected resampled t-test, or both (None).
    """
    names = chosen_tests(tests, TESTS, "test of one data set")
    differences = _differences(comparison, against, n_features)
    columns = [column for test in TESTS if test in names for column in TESTS[test]]
    keys = ("method", "other", "k", "difference", *columns)
    rows = [{key: test.row()[key] for key in keys} for test in differences]
    name, trials = comparison.dataset, len(comparison.trials)
    content = described("significance", 1, {"dataset": name, "trials": trials, "tests": rows})
    title = f"{differences[0].reference} against each other method on {name}, {trials} trials: "
    title += "p-values"
    score_format = ScoreFormat.of(comparison.manifest["protocol"])
    grid = _grid(differences, columns, f"{comparison.scoring}{score_format.unit}", score_format)
    legend = Paragraph("\n".join(_legend(columns)))
    return Report(content, rows, [Paragraph(one_line(title)), grid, legend])


def _differences(
    comparison: Comparison, against: str | None, n_features: Sequence[int] | None
) -> list[Difference]:
    methods = comparison.methods
    if against is not None and against not in methods:
        raise UsageError(unknown_name("method", against, methods))
    if len(methods) < 2:
        raise DataError("These results contain a single method. A test needs two.")
    if not enough_trials(comparison):
        raise DataError(
            f"{len(comparison.trials)} trials are too few for a test, which needs 5. Resume the "
            "comparison with more trials, better 20 or more."
        )
    for k in n_features or ():
        if k not in comparison.n_features:
            known = ", ".join(map(str, comparison.n_features))
            raise UsageError(f"`n_features={k}` is not in these results, which have {known}.")
    return [
        test
        for test in comparison.pairwise_tests(against)
        if n_features is None or test.k in n_features
    ]


def _grid(
    differences: list[Difference], columns: list[str], scorer: str, score_format: ScoreFormat
) -> Grid:
    own = one_line(differences[0].reference)
    heads = {
        "normality_p": f"normality\nof {own}",
        "other_normality_p": "normality\nof the other",
        "t_test_p": "t-test",
        "corrected_p": "corrected\nt-test",
    }
    numbers = ("k", f"{scorer}\n{own} − other", *(heads[column] for column in columns))
    lines = [
        [other if not place else "", *_cells(test, columns, score_format)]
        for other, tests in groupby(differences, lambda test: test.other)
        for place, test in enumerate(tests)
    ]
    return Grid(make_columns(["other"], numbers, whole=True), lines, keys=2)


def _cells(test: Difference, columns: list[str], score_format: ScoreFormat) -> list[Cell | str]:
    row, marked = test.row(), marks(test)
    significant = {"t_test_p": PAPER in marked, "corrected_p": CORRECTED in marked}
    return [
        str(test.k),
        "–" if isnan(row["difference"]) else score_format.signed(row["difference"]),
        *(Cell(format_p(row[column]), bold=significant.get(column, False)) for column in columns),
    ]


def _legend(columns: list[str]) -> list[str]:
    lines = ["Bold: significant, p < 0.05."]
    if "t_test_p" in columns:
        lines.append(
            "Normality (Lilliefors): if p < 0.05, the scores are not normal and the two-sample "
            "t-test of Roffo & Melzi is not valid."
        )
    if "corrected_p" in columns:
        lines.append(
            "The corrected t-test (Nadeau & Bengio) accounts for rows shared by trials. Prefer it."
        )
    return lines
