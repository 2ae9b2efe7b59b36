"""Our results next to the published ones, cell by cell."""

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
    """Return a report of an experiment, with the published values next to ours."""
    from featrank.report import areas_report

    return areas_report(
        done.title,
        {name: [*map(asdict, side_by_side(name, c))] for name, c in done.comparisons.items()},
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
    """One value of a table, in percent, or in seconds in the column "seconds".

    ``paper`` and ``difference`` (ours minus the paper's) are None if the paper has no such value.
    ``ours`` is None if the method finished no trial. ``deviation`` is the standard deviation of
    our values over the trials.
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
    """Return the cells of a data set's table, method by method, in the columns of the paper.

    The name of the data set is that in the results, which is marked for a leaky run.
    """
    published = areas(dataset)
    name = comparison.manifest["data"]["name"]
    cells = []
    for label in comparison.methods:
        theirs = published.get("ec-fs" if label == TOOLBOX else label, {})
        for column, values in _columns(comparison, label).items():
            cells.append(_cell(name, label, column, values, theirs.get(column)))
    return cells


def _columns(comparison: Comparison, label: str) -> dict[str, Any]:
    """Return the values of each column, one per finished trial."""
    rows = [row for trial in comparison.trials for row in trial.rows if row["method"] == label]
    seconds = np.array([row["ranking_seconds"] for row in rows]).reshape(
        -1, len(comparison.n_features)
    )
    by_k = {k: 100 * comparison.scores(label, k) for k in comparison.n_features}
    columns = {str(k): scores for k, scores in by_k.items()}
    columns["average"] = np.mean(list(by_k.values()), axis=0)
    columns["seconds"] = seconds.mean(axis=1)
    return {column: values[~np.isnan(values)] for column, values in columns.items()}


def _cell(dataset: str, method: str, column: str, values: Any, paper: float | None) -> Cell:
    ours = float(values.mean()) if len(values) else None
    difference = None if ours is None or paper is None else ours - paper
    deviation = float(values.std(ddof=1)) if len(values) > 1 else None
    return Cell(dataset, method, column, ours, paper, difference, deviation, len(values))
