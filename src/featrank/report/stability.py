"""How much the rankings of a comparison's trials agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from featrank._utils.plain_text import one_line
from featrank.exceptions import DataError, UsageError, counted
from featrank.report.document import Column, Grid, Paragraph, Report, described, make_columns
from featrank.statistics import MEASURES, stability_curves

if TYPE_CHECKING:
    from featrank.evaluation import Comparison

__all__ = ["stability_report"]

# Numbers of features by default, as in the paper.
FEATURES = tuple(range(10, 201, 10))


def stability_report(
    results: Comparison, n_features: Sequence[int] | None = None, measure: str = "kuncheva"
) -> Report:
    """Return how stable the first k features of each method are over the trials.

    Parameters
    ----------
    results : Comparison
        Returned by ``compare`` or ``read_comparison``.
    n_features : sequence of int or None, default=None
        Numbers of features; None is 10, 20, …, 200.
    measure : str, default="kuncheva"
        As for :func:`featrank.statistics.ranking_stability`.
    """
    total = results.manifest["data"]["features"]
    usual = [k for k in FEATURES if k < total] or [total]
    counts = counts_within(usual if n_features is None else n_features, total)
    rows = stability_curves(results, counts, measure)
    if not rows:
        raise DataError("No method has rankings of two trials, which are needed to compare them.")
    name, trials = results.manifest["data"]["name"], len(results.trials)
    facts = {"dataset": name, "trials": trials, "measure": measure, "stability": rows}
    content = described("stability", 1, facts)
    title = one_line(f"Stability ({measure}) of the first k features over {trials} trials: {name}")
    about = Paragraph(MEASURES[measure].explained)
    notes = beyond_the_run(results, counts) + [
        f"{method} has {counted(len(rankings), 'ranking')}. Stability needs at least two."
        for method, rankings in results.rankings.items()
        if len(rankings) < 2
    ]
    return Report(content, rows, [Paragraph(title), _grid(rows), about], notes)


def counts_within(ks: Sequence[int], n_features: int) -> tuple[int, ...]:
    """Return distinct numbers of features in order; none may exceed the number of features."""
    counts = tuple(sorted(set(ks)))
    if not counts:
        raise UsageError("No number of features is given. Give one or more, such as 10,20,50.")
    if counts[-1] > n_features:
        raise UsageError(
            f"`n_features={counts[-1]}` is more than the {n_features} features of the data. "
            f"Use `n_features={n_features}` or fewer."
        )
    return counts


def beyond_the_run(results: Comparison, ks: tuple[int, ...]) -> list[str]:
    """Return a note if a number of features exceeds the largest one of the run."""
    if ks[-1] <= results.n_features[-1]:
        return []
    return [
        f"The comparison ranked for {results.n_features[-1]} features. Beyond that number, the "
        "order of greedy methods has no meaning."
    ]


def _grid(rows: list[dict[str, Any]]) -> Grid:
    """Return a table of numbers of features × methods."""
    cells = {(row["method"], row["k"]): _cell(row) for row in rows}
    methods, ks = (list(dict.fromkeys(row[key] for row in rows)) for key in ("method", "k"))
    columns = [Column("k", right=True), *make_columns((), map(one_line, methods), whole=True)]
    return Grid(columns, [[str(k), *(cells[method, k] for method in methods)] for k in ks])


def _cell(row: dict[str, Any]) -> str:
    interval = f" ±{(row['high'] - row['low']) / 2:.3f}" if "low" in row else ""
    return f"{row['stability']:.3f}{interval}"
