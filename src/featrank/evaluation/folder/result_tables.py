"""The rows and rankings of all trials as polars frame, CSV and arrays."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from featrank.evaluation.trials import Trial

COLUMNS = (
    "dataset",
    "trial",
    "method",
    "k",
    "score",
    "C",
    "params",
    "ranking_seconds",
    "status",
    "reason",
    "seed",
)

# Additional columns of some runs that hold strings; all others hold numbers.
STRINGS = ("label",)


def as_frame(rows: Iterable[dict[str, Any]]) -> Any:
    """Return the rows as a polars frame, including additional columns."""
    import polars as pl

    kinds = dict.fromkeys(COLUMNS, pl.String) | {
        "trial": pl.Int64,
        "k": pl.Int64,
        "score": pl.Float64,
        "C": pl.Float64,
        "ranking_seconds": pl.Float64,
        "seed": pl.Int64,
    }
    table = list(rows)
    for column in _additional(table):
        kinds[column] = pl.String if column in STRINGS else pl.Float64
        table = [{column: float("nan"), **row} for row in table]
    return pl.DataFrame(table, schema=kinds)


def as_csv(rows: Iterable[dict[str, Any]]) -> str:
    """Return the rows as CSV, with empty cells for missing values."""
    table = list(rows)
    columns = (*COLUMNS, *_additional(table))
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(row.get(column)) for column in columns] for row in table)
    return stream.getvalue()


def stacked(trials: Sequence[Trial], methods: Sequence[str], n_features: int) -> dict[str, Any]:
    """Return ``trials``, and the feature order of each method per trial; -1 if it has none."""
    none = np.full(n_features, -1)
    table: dict[str, Any] = {"trials": np.array([trial.number for trial in trials])}
    for name in methods:
        orders = [trial.orders.get(name, none) for trial in trials]
        table[name] = np.array(orders, dtype=np.int32).reshape(len(trials), n_features)
    return table


def _additional(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return the columns of some rows that are not in ``COLUMNS``."""
    return sorted({column for row in rows for column in row} - set(COLUMNS))


def _cell(value: Any) -> Any:
    return "" if value is None or value != value else value
