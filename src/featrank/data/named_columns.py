"""A target and groups by name: columns of a data frame, or of obs of an AnnData."""

from __future__ import annotations

from typing import Any

import numpy as np

from featrank.exceptions import DataError, UsageError, unknown_name
from featrank.tables.anndata_matrix import column_labels
from featrank.values.containers import column_names, is_anndata


def take_named(X: Any, y: Any, groups: Any = None) -> tuple[Any, Any, Any]:
    """Return samples, target and groups; a string names a column of X, or of obs of an AnnData.

    Named columns of a data frame are not features. Paths and lazy frames keep the name of their
    target, which is resolved when they are opened.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"gene": [1.0, 2.0], "status": ["sick", "well"]})
    >>> X, y, _ = take_named(frame, "status")
    >>> X.columns, y.to_list()
    (['gene'], ['sick', 'well'])
    """
    if not isinstance(y, str) and not isinstance(groups, str):
        return X, y, groups
    if is_anndata(X):
        return X, _obs_column(X, y), _obs_column(X, groups)
    import narwhals as nw

    if nw.dependencies.is_into_dataframe(X):
        return _of_frame(X, y, groups)
    if isinstance(groups, str):
        raise UsageError(
            f"groups={groups!r} names a column, but X is {type(X).__name__!r}. Pass one group per "
            "row, or rank a file by `featrank.rank_file`, which finds its columns."
        )
    if isinstance(X, np.ndarray | list | tuple) or hasattr(X, "toarray"):
        raise UsageError(
            f"y={y!r} names a column, but X is {type(X).__name__!r}, which has no column names. "
            "Pass one label per row, or X as a data frame."
        )
    return X, y, groups


def _obs_column(adata: Any, name: Any) -> Any:
    """Return the column of obs that a string names; other labels as they are."""
    if not isinstance(name, str):
        return name
    columns = [str(column) for column in adata.obs.columns]
    if name not in columns:
        raise UsageError(unknown_name("obs column", name, columns))
    return column_labels(adata.obs.iloc[:, columns.index(name)])


def _of_frame(X: Any, y: Any, groups: Any) -> tuple[Any, Any, Any]:
    import narwhals as nw

    names = column_names(X)
    frame = nw.from_native(X, eager_only=True)
    named = {name: _position(names, name) for name in (y, groups) if isinstance(name, str)}
    features = [place for place in range(len(names)) if place not in named.values()]
    if not features:
        raise DataError("X has no features besides the target. At least one column was expected.")
    taken = [
        _values(frame[:, named[name]]) if isinstance(name, str) else name for name in (y, groups)
    ]
    return frame[:, features].to_native(), *taken


def _position(names: list[str], wanted: str) -> int:
    if wanted not in names:
        raise UsageError(unknown_name("column", wanted, names))
    return names.index(wanted)


def _values(column: Any) -> Any:
    """Return a column as a user would pass it; one of pyarrow as an array."""
    return column.to_numpy() if column.implementation.is_pyarrow() else column.to_native()
