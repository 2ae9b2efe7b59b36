"""The features of a table: leave out, merge and fill in."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np

from featrank.exceptions import counted
from featrank.tables.columns import check_any_left, listed
from featrank.tables.missing import complete, count
from featrank.tables.options import ReadOptions
from featrank.tables.repeated import merged
from featrank.tables.table import Table


def treated(table: Table, options: ReadOptions, categories: Collection[int] = ()) -> Table:
    """Merge columns with the same name, and fill in missing values. Categories are codes."""
    table = merged(table, options.duplicates)
    n_missing = _count_missing(table.X)
    X = complete(table.X, table.feature_names, options.missing, categories)
    imputed = n_missing - _count_missing(X) if n_missing else 0
    done = {"imputed_values": imputed} if imputed else {}
    return replace(table, X=X, preprocessing={**table.preprocessing, **done})


def _count_missing(X: Any) -> int:
    return int(count(X, np.isnan).sum()) if X.dtype.kind == "f" else 0


def with_values(table: Table, most: float) -> tuple[Table, list[int]]:
    """Leave out features with more missing values. Also return the positions of the others."""
    if most >= 1 or table.X.dtype.kind != "f":
        return table, list(range(len(table.feature_names)))
    shares = count(table.X, np.isnan) / table.X.shape[0]
    kept: list[int] = np.flatnonzero(shares <= most).tolist()
    if len(kept) == len(shares):
        return table, kept
    check_any_left(kept)
    lost = [table.feature_names[place] for place in np.flatnonzero(shares > most)]
    dropped = counted(len(lost), "feature")
    note = f"Dropped {dropped} with more than {most:.0%} missing values: {listed(lost)}."
    done = {**table.preprocessing, "features_above_max_missing": len(lost)}
    return replace(table.features(kept), notes=(*table.notes, note), preprocessing=done), kept
