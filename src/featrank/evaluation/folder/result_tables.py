"""The rows and rankings of all trials as polars frame, CSV and arrays."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from featrank.evaluation.trials import Trial

COLUMNS: tuple[str, ...] = ("dataset", "trial", "method", "k", "score", "C", "params")
COLUMNS += ("ranking_seconds", "status", "reason", "seed")
STRINGS = {"dataset", "method", "params", "status", "reason", "label"}
WHOLE_NUMBERS = {"trial", "k", "seed"}


def as_frame(rows: Iterable[dict[str, Any]]) -> Any:
    """Return the rows as a polars frame, including additional columns."""
    import polars as pl

    table = list(rows)
    additional = _additional(table)
    kinds: dict[str, Any] = dict.fromkeys((*COLUMNS, *additional), pl.Float64)
    kinds |= dict.fromkeys(STRINGS & kinds.keys(), pl.String)
    kinds |= dict.fromkeys(WHOLE_NUMBERS, pl.Int64)
    missing = dict.fromkeys(additional, float("nan"))
    return pl.DataFrame([missing | row for row in table], schema=kinds)


def as_csv(rows: Iterable[dict[str, Any]]) -> str:
    """Return the rows as CSV, with empty cells for missing values."""
    table = list(rows)
    columns = (*COLUMNS, *_additional(table))
    cells = ([row.get(column) for column in columns] for row in table)
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(["" if value != value else value for value in row] for row in cells)
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
