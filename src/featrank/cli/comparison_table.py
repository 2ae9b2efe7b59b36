"""The table of a comparison in the paper's layout: methods × k, with marks of significance."""

import sys
from typing import TYPE_CHECKING, Any

from featrank.report.plain_text import one_line
from featrank.report.wide import Wide

if TYPE_CHECKING:
    from rich.table import Table

    from featrank.evaluation import Comparison
    from featrank.statistics import Difference

# Marks of the paper's test and of the corrected one.
PAPER, CORRECTED = "*", "†"


def paper_table(comparison: "Comparison", against: str | None = None) -> list[Any]:
    """Return the table and the lines under it, for rich to write."""
    from rich.text import Text

    tested = enough_trials(comparison) and len(comparison.methods) > 1
    tests = comparison.differences(against) if tested else []
    lines = _legend(comparison, tests)
    table = _table(comparison, tests)
    return [Text(_title(comparison)), Wide(table), *(Text(one_line(line)) for line in lines)]


def enough_trials(comparison: "Comparison") -> bool:
    """Return whether there are as many trials as the test of normality needs."""
    from featrank.statistics.normality import SMALLEST

    return len(comparison.trials) >= SMALLEST


def marks(test: "Difference") -> str:
    """Return the marks of a comparison of two methods at one k.

    The paper's test compares where both methods' scores look normal.
    """
    from featrank.statistics.normality import SMALLEST

    published = PAPER if test.normal and test.significant else ""
    enough = test.corrected.df >= SMALLEST - 1
    return published + (CORRECTED if enough and test.corrected_significant else "")


def as_row(test: "Difference") -> dict[str, Any]:
    """Return the p-values of a comparison of two methods at one k."""
    own, other = (found.p_value if found else float("nan") for found in test.normality)
    return {
        "method": test.proposed,
        "other": test.other,
        "k": test.k,
        "difference": test.t_test.difference,
        "normality_p": own,
        "other_normality_p": other,
        "t_test_p": test.t_test.p_value,
        "corrected_p": test.corrected.p_value,
    }


def _table(comparison: "Comparison", tests: "list[Difference]") -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    rows = comparison.table()
    columns: list[Any] = [*comparison.ks, "average"]
    best = {column: max(_shown(row[column]) for row in rows) for column in columns}
    marked: dict[Any, str] = {(test.other, test.k): marks(test) for test in tests}
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("method", no_wrap=True)
    for column in columns:
        # To the left and padded, so that marks hang over and the numbers stand under each other.
        table.add_column(f"{column:>6}", no_wrap=True)
    table.add_column("time (s)", justify="right", no_wrap=True)
    for row in rows:
        cells = [Text(_shown(row[c]), "bold" * (_shown(row[c]) == best[c])) for c in columns]
        for column, cell in zip(columns, cells, strict=True):
            cell.append(marked.get((row["method"], column), ""), "not bold")
        seconds = row["seconds"]
        time = "–" if seconds != seconds else f"{seconds:.3g}"
        table.add_row(Text(one_line(row["method"])), *cells, time)
    return table


def _title(comparison: "Comparison") -> str:
    protocol = comparison.manifest["protocol"]
    return one_line(
        f"{protocol['scorer']} (%) of a {protocol['classifier']} on the first k features of "
        f"{comparison.manifest['data']['name']}, {len(comparison.trials)} trials"
    )


def _shown(score: float) -> str:
    # Padded, so that texts compare as numbers do; a method without scores comes last.
    return "     –" if score != score else f"{100 * score:6.2f}"


def _legend(comparison: "Comparison", tests: "list[Difference]") -> list[str]:
    lines = ["Bold: the best of its column."] if sys.stdout.isatty() else []
    if len(comparison.methods) < 2:
        return lines
    if not tests:
        count = len(comparison.trials)
        return [*lines, f"No test of significance: {count} trials are too few, 5 are needed."]
    own = tests[0].proposed
    lines.append(f"Marked methods differ from {own} over the trials, p < 0.05:")
    lines.append(
        f"  {PAPER} in the paper's test: two-sample t-test, where both look normal (Lilliefors);"
    )
    lines.append(
        f"  {CORRECTED} in the corrected resampled t-test, which knows that trials share rows: "
        "trust this one."
    )
    if not any(map(marks, tests)):
        lines[-3:] = [
            f"No method differs from {own} by more than chance (p < 0.05), neither in the paper's "
            "t-test nor in the corrected one."
        ]
    return [*lines, *_doubts(tests)]


def _doubts(tests: "list[Difference]") -> list[str]:
    """Return a line for each reason why some comparisons are not tested in full."""
    few = sum(None in test.normality for test in tests)
    odd = sum(not test.normal for test in tests) - few
    lines = []
    if odd:
        lines.append(
            f"In {odd} of {len(tests)} comparisons scores do not look normal: the paper's test "
            "is not made there."
        )
    if few:
        lines.append(
            f"In {few} of {len(tests)} comparisons a method has fewer than 5 scores: no test is "
            "made there."
        )
    return lines
