"""Columns as a data frame of the same library as the data."""

from __future__ import annotations

from typing import Any

import numpy as np

from featrank.ranking.evidence import Evidence, SourceData
from featrank.ranking.feature_details import Columns


def data_frame(columns: Columns, source: Evidence | SourceData | None) -> Any:
    """Return a pandas frame if the data is one, else a polars frame."""
    columns = {name: _of_one_kind(values) for name, values in columns.items()}
    if source is not None and source.is_pandas:
        import pandas as pd

        return pd.DataFrame(columns)
    import polars as pl

    return pl.DataFrame(columns)


def _of_one_kind(values: Any) -> Any:
    """Return a column as it is, or as strings if it mixes strings with numbers, as labels may."""
    if isinstance(values, np.ndarray):
        return values
    kinds = {type(value) for value in values if value is not None}
    mixed = str in kinds and len(kinds) > 1
    return [None if value is None else str(value) for value in values] if mixed else values
