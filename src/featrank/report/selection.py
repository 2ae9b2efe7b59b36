"""Which features were selected, and in how many trials of a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from featrank._utils.plain_text import one_line
from featrank.exceptions import DataError, UsageError
from featrank.report.document import Block, Column, Grid, Paragraph, Report, described, make_columns
from featrank.report.stability import beyond_the_run, counts_within
from featrank.statistics.best import recommended_number
from featrank.statistics.stability import selection_frequency

if TYPE_CHECKING:
    from featrank.evaluation import Comparison

__all__ = ["selection_report"]

# Features per method that readers see by default.
SHOWN = 20
INTERVAL = (
    "The interval is Wilson's 95 % interval. It is approximate, as it assumes independent trials, "
    "but trials share samples."
)


def selection_report(
    results: Comparison, n_features: Sequence[int] | None = None, top: int = SHOWN
) -> Report:
    """Return how often each feature was among the best k of each method, most often first.

    Features that were never selected are left out.

    Parameters
    ----------
    results : Comparison
        Returned by ``compare`` or ``read_comparison``.
    n_features : sequence of int or None, default=None
        Numbers of features; None is the recommended one, see `recommended_number`.
    top : int, default=20
        Number of features per method and k that readers see. Rows and content contain all.
    """
    if top < 1:
        raise UsageError(f"top must be 1 or more, got {top}.")
    total = results.manifest["data"]["features"]
    asked = [recommended_number(results)] if n_features is None else n_features
    counts = counts_within(asked, total)
    rows = [row for k in counts for row in selection_frequency(results, k).to_dicts()]
    if not rows:
        raise DataError("No method has a ranking, so no feature was selected. Check the failures.")
    name, trials = results.manifest["data"]["name"], len(results.trials)
    facts = {"dataset": name, "trials": trials, "n_features": total, "selection": rows}
    content = described("selection", 1, facts)
    title = one_line(f"How often each feature was among the k best in {trials} trials: {name}")
    shown: list[Block] = [Paragraph(title), _grid(rows, top), Paragraph(INTERVAL)]
    return Report(content, rows, shown, _notes(results, counts))


def _notes(results: Comparison, ks: tuple[int, ...]) -> list[str]:
    notes = beyond_the_run(results, ks)
    if results.feature_names is None:
        notes.append("The results have no feature names. x0, x1, … are the positions in the data.")
    return notes + [
        f"{method} has no ranking and is left out."
        for method, rankings in results.rankings.items()
        if not len(rankings)
    ]


def _grid(rows: list[dict[str, Any]], top: int) -> Grid:
    """Return the most often selected features of each method and k, separated by lines."""
    lines: list[list[str]] = []
    rules = []
    for (method, k), each in groupby(rows, lambda row: (row["method"], row["k"])):
        rules.append(len(lines))
        names = [[method, str(k)]] + [["", ""]] * (top - 1)
        lines += [[*head, *_cells(row)] for head, row in zip(names, each, strict=False)]
    numbers = make_columns((), ("selected", "share (%)", "95 % interval"), whole=True)
    columns = [*make_columns(["method"], ["k"], whole=True), Column("feature"), *numbers]
    left = len(rows) - len(lines)
    caption = (
        f"The {top} most often selected features of each method. {left} more are not "
        "shown. Use `top=K`, or CSV for all."
    )
    caption = caption if left else ""
    return Grid(columns, lines, caption=caption, keys=3, rules=frozenset(rules[1:]))


def _cells(row: dict[str, Any]) -> list[str]:
    return [
        row["feature"],
        f"{row['chosen']} of {row['trials']}",
        f"{100 * row['share']:.1f}",
        f"{100 * row['low']:.1f} to {100 * row['high']:.1f}",
    ]
