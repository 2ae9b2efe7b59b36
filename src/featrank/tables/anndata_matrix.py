"""Which matrix of an AnnData is read: X, a layer or raw."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featrank.exceptions import DataError, UsageError, unknown_name
from featrank.tables.columns import listed

if TYPE_CHECKING:
    import numpy as np

BOTH = (
    "layer= and use_raw=True name two matrices of an AnnData, and one is ranked. Give one of them."
)


def require_choice(data: Any, layer: str | None, use_raw: bool) -> None:
    """Refuse a layer or a raw matrix that an AnnData does not have, and both at once."""
    if layer is not None and use_raw:
        raise UsageError(BOTH)
    if layer is not None and layer not in data.layers:
        raise UsageError(unknown_name("layer", layer, list(data.layers)))
    if use_raw and data.raw is None:
        raise UsageError("The AnnData has no raw. Leave use_raw out, which ranks its X.")


def no_matrix(path: Path, layers: Iterable[str], has_raw: bool) -> DataError:
    """Return the error of a file without X, which names what else it has."""
    return DataError(
        f"{str(path)!r} has no X. The main matrix was expected, or another in its place (--layer, "
        f"--use-raw, in Python layer=, use_raw=True). It has {'a' if has_raw else 'no'} raw, and "
        f"its layers are: {listed([repr(name) for name in layers]) or 'none'}."
    )


def matrix_of(data: Any, layer: str | None, use_raw: bool) -> Any:
    """Return X of an AnnData, or the layer or the raw matrix in its place."""
    if layer is not None:
        return data.layers[layer]
    X = data.raw.X if use_raw else data.X
    if X is None:
        raise DataError(
            "The AnnData has no X. Name what is ranked: layer=..., or use_raw=True. Its layers: "
            f"{listed([repr(name) for name in data.layers]) or 'none'}."
        )
    return X


def column_labels(column: Any) -> np.ndarray:
    """Return a column of obs as labels, a missing one as None."""
    is_missing = column.isna().to_numpy()
    labels = column.to_numpy(dtype=object if is_missing.any() else None)
    # pandas has several marks for a missing value; the check of labels knows None.
    if is_missing.any():
        labels = labels.copy()
        labels[is_missing] = None
    return labels
