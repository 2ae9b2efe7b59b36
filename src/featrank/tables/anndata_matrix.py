"""Which matrix of an AnnData is read: X, a layer or raw."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featrank.exceptions import DataError, UsageError, unknown_name
from featrank.tables.columns import listed

if TYPE_CHECKING:
    import numpy as np

BOTH = "`layer=...` and `use_raw=True` both choose a matrix. Leave one out."


def require_choice(data: Any, layer: str | None, use_raw: bool) -> None:
    """Refuse a layer or a raw matrix that an AnnData does not have, and both at once."""
    if layer is not None and use_raw:
        raise UsageError(BOTH)
    if layer is not None and layer not in data.layers:
        raise UsageError(unknown_name("layer", layer, list(data.layers)))
    if use_raw and data.raw is None:
        raise UsageError("The AnnData has no raw. Leave out `use_raw=True`.")


def no_matrix(path: Path, layers: Iterable[str], has_raw: bool) -> DataError:
    """Return the error for a file without X, which lists its other matrices."""
    return DataError(
        f"{str(path)!r} has no X. Choose another matrix with `layer=...` or `use_raw=True`. It has "
        f"{'a' if has_raw else 'no'} raw, and these layers: "
        f"{listed([repr(name) for name in layers]) or 'none'}."
    )


def matrix_of(data: Any, layer: str | None, use_raw: bool) -> Any:
    """Return X of an AnnData, or a layer or the raw matrix instead."""
    if layer is not None:
        return data.layers[layer]
    X = data.raw.X if use_raw else data.X
    if X is None:
        raise DataError(
            "The AnnData has no X. Choose another matrix with `layer=...` or `use_raw=True`. Its "
            f"layers: {listed([repr(name) for name in data.layers]) or 'none'}."
        )
    return X


def column_labels(column: Any) -> np.ndarray:
    """Return a column of obs as labels. Missing ones are None."""
    is_missing = column.isna().to_numpy()
    labels = column.to_numpy(dtype=object if is_missing.any() else None)
    # pandas has several marks for a missing value, but the check of labels expects None.
    if is_missing.any():
        labels = labels.copy()
        labels[is_missing] = None
    return labels
