"""Our figures beside the published ones, cell by cell, as plain rows."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from featrank.reproduction.methods import TOOLBOX
from featrank.reproduction.published import areas

if TYPE_CHECKING:
    from featrank.evaluation import Comparison
    from featrank.report import Report
    from featrank.reproduction.experiments import Reproduction

__all__ = ["reproduction_report"]


def reproduction_report(done: Reproduction) -> Report:
    """Return the figures of an experiment that was run, beside those that the paper prints."""
    from featrank.report import areas_report

    return areas_report(
        done.title,
        {name: as_rows(side_by_side(name, each)) for name, each in done.comparisons.items()},
        missing=done.missing,
        manifests={name: each.manifest for name, each in done.comparisons.items()},
        notes=[
            f"{name}: {method} failed in {count} of {len(each.trials)} trials: {reason}"
            for name, each in done.comparisons.items()
            for method, (count, reason) in each.failures().items()
        ],
    )


@dataclass(frozen=True)
class Cell:
    """One figure of a table: percent, or seconds in the column of that name.

    ``paper`` and ``difference`` (ours less the paper's) are None where the paper has no such
    figure, ``ours`` is None where the method finished no trial, and ``deviation`` is the
    standard deviation of ours over the trials.
    """

    dataset: str
    method: str
    column: str
    ours: float | None
    paper: float | None
    difference: float | None
    deviation: float | None
    trials: int


def side_by_side(dataset: str, comparison: Comparison) -> list[Cell]:
    """Return the cells of a data set's table, method by method, in the paper's columns.

    Cells bear the name that the results have, which of a leaky run says what it is.
    """
    published = areas(dataset)
    name = comparison.manifest["data"]["name"]
    cells = []
    for label in comparison.methods:
        theirs = published.get("ec-fs" if label == TOOLBOX else label, {})
        for column, values in _figures(comparison, label).items():
            cells.append(_cell(name, label, column, values, theirs.get(column)))
    return cells


def as_rows(cells: list[Cell]) -> list[dict[str, Any]]:
    """Return the cells as dicts, for CSV and JSON."""
    return [asdict(cell) for cell in cells]


def _figures(comparison: Comparison, label: str) -> dict[str, Any]:
    """Return the values of each column, one a finished trial."""
    rows = [row for trial in comparison.trials for row in trial.rows if row["method"] == label]
    seconds = np.array([row["ranking_seconds"] for row in rows]).reshape(-1, len(comparison.ks))
    by_k = {k: 100 * comparison.scores(label, k) for k in comparison.ks}
    figures = {str(k): scores for k, scores in by_k.items()}
    figures["average"] = np.mean(list(by_k.values()), axis=0)
    figures["seconds"] = seconds.mean(axis=1)
    return {column: values[~np.isnan(values)] for column, values in figures.items()}


def _cell(dataset: str, method: str, column: str, values: Any, paper: float | None) -> Cell:
    ours = float(values.mean()) if len(values) else None
    difference = None if ours is None or paper is None else ours - paper
    deviation = float(values.std(ddof=1)) if len(values) > 1 else None
    return Cell(dataset, method, column, ours, paper, difference, deviation, len(values))
