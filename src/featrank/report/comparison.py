"""A comparison as a table: methods × numbers of features, with marks of significance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from featrank._utils.plain_text import one_line
from featrank.report.differences import CORRECTED, PAPER, enough_trials, marks
from featrank.report.document import Cell, Grid, Paragraph, Report, described, make_columns
from featrank.report.phrases import ScoreFormat, number_or_dash

if TYPE_CHECKING:
    from featrank.evaluation import Comparison
    from featrank.statistics import Difference

__all__ = ["comparison_report"]

# As wide as a score.
NONE = "     –"


def comparison_report(comparison: Comparison, against: str | None = None) -> Report:
    """Return the mean scores of each method at each number of features, with tests.

    Parameters
    ----------
    comparison : Comparison
        Returned by ``compare`` or ``read_comparison``.
    against : str or None, default=None
        The method to test against all others. None is EC-FS if it was compared, else the best one.

    Examples
    --------
    >>> from featrank.evaluation import Protocol, compare
    >>> from featrank.report import comparison_report, write
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> protocol = Protocol(n_repeats=2, n_features=(2, 5), C=(0.1, 1))
    >>> found = compare(X, y, ["fisher", "mi"], protocol)
    >>> report = comparison_report(found)
    >>> [row["method"] for row in report.content["methods"]]
    ['fisher', 'mi']
    >>> write(report, "csv")
    method,2,5,average,seconds,failed
    fisher,0.9...
    mi,0.9...
    """
    rows, random = [_plain(row) for row in comparison.table()], comparison.baseline_row()
    baseline = None if random is None else _plain(random)
    tests = comparison.pairwise_tests(against) if enough_trials(comparison) else []
    facts = {
        "trials": len(comparison.trials),
        "methods": rows,
        "baseline": baseline,
        "significance": [test.row() for test in tests],
        "manifest": comparison.manifest,
    }
    notes = [
        f"{method} failed in {count} of {len(comparison.trials)} trials: {reason}"
        for method, (count, reason) in comparison.failures().items()
    ]
    every = rows if baseline is None else [*rows, baseline]
    content, shown = described("comparison", 1, facts), _shown(facts, tests)
    return Report(content, every, shown, notes, warnings=comparison.warnings)


def _plain(row: dict[Any, Any]) -> dict[str, Any]:
    """Return a row whose keys are strings, as in JSON and data frames."""
    return {str(key): value for key, value in row.items()}


def _shown(content: dict[str, Any], tests: list[Difference]) -> list[Grid | Paragraph]:
    blocks: list[Grid | Paragraph] = [
        Paragraph(_title(content)),
        _grid(content, tests),
        Paragraph("Bold: best of its column.", of_bold=True),
    ]
    legend = _legend(content, tests)
    if content["baseline"] is not None:
        legend.append(f"{content['baseline']['method']}: random ranking, as a baseline.")
    return blocks + ([Paragraph("\n".join(map(one_line, legend)))] if legend else [])


def _title(content: dict[str, Any]) -> str:
    protocol, name = content["manifest"]["protocol"], content["manifest"]["data"]["name"]
    scorer = f"{protocol['scoring']}{ScoreFormat.of(protocol).unit}"
    subject = f"{scorer} of a {protocol['estimator']} with the top k features of {name}"
    return one_line(f"{subject}, {content['trials']} trials")


def _grid(content: dict[str, Any], tests: list[Difference]) -> Grid:
    rows, baseline = content["methods"], content["baseline"]
    columns = [*map(str, content["manifest"]["protocol"]["n_features"]), "average"]
    score_format = ScoreFormat.of(content["manifest"]["protocol"])
    highest = {column: np.fmax.reduce([row[column] for row in rows]) for column in columns}
    best = {column: _score_cell(score, score_format) for column, score in highest.items()}
    marked = {(test.other, str(test.k)): marks(test) for test in tests}
    lines = []
    for row in rows if baseline is None else [*rows, baseline]:
        scores = {column: _score_cell(row[column], score_format) for column in columns}
        cells = [
            Cell(
                score,
                row is not baseline and score == best[column] != NONE,
                marked.get((row["method"], column), ""),
            )
            for column, score in scores.items()
        ]
        lines.append([row["method"], *cells, number_or_dash(row["seconds"], ".3g")])
    # Left-aligned and padded, so that numbers are aligned and marks stick out.
    names = ["method", *(f"{column:>6}" for column in columns)]
    return Grid(make_columns(names, ["time (s)"], whole=True), lines, rules=frozenset({len(rows)}))


def _score_cell(score: float, score_format: ScoreFormat) -> str:
    return NONE if score != score else f"{score_format.number(score):>6}"


def _legend(content: dict[str, Any], tests: list[Difference]) -> list[str]:
    if len(content["methods"]) < 2:
        return []
    if not tests:
        count = content["trials"]
        return [f"No significance tests: {count} trials are too few. They need 5."]
    own = tests[0].reference
    lines = [
        f"{CORRECTED} Differs from {own}, p < 0.05: corrected resampled t-test. Prefer this test.",
        f"{PAPER} Differs from {own}, p < 0.05: two-sample t-test of Roffo & Melzi.",
    ]
    if not any(map(marks, tests)):
        lines = [
            f"No other method differs significantly from {own} (corrected resampled t-test, p < "
            "0.05)."
        ]
    few = sum(None in test.normality for test in tests)
    odd = sum(not test.normal for test in tests) - few
    reasons = {
        "the two-sample t-test is not used, because scores are not normal (Lilliefors)": odd,
        "no test is possible, because a method has fewer than 5 scores": few,
    }
    return lines + [
        f"In {count} of {len(tests)} comparisons, {reason}."
        for reason, count in reasons.items()
        if count
    ]
