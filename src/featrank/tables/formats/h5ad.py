"""AnnData files (h5ad): X with its var names, the labels a column of obs."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...exceptions import DataError, missing_extra
from ..columns import target_column
from ..format import Format
from ..table import Options, Table, parsing

if TYPE_CHECKING:
    import numpy as np

FORMAT = Format(
    names=("h5ad",),
    suffixes=(".h5ad",),
    target="a column of obs",
    writes="the labels as a column of obs",
)


def read(path: Path, options: Options) -> Table:
    """Read the main matrix of an AnnData file; sparse stays sparse."""
    from ..prepare import from_matrix

    anndata = _anndata("Reading an h5ad file")
    with parsing(path, "h5ad"), warnings.catch_warnings():
        # Repeated names are refused below; a warning would say it twice.
        warnings.simplefilter("ignore")
        data = anndata.read_h5ad(path)
    if data.X is None:
        raise DataError(f"{str(path)!r} has no X. The main matrix was expected.")
    columns = [str(name) for name in data.obs.columns]
    target = target_column(columns, options.target, "obs column")
    y = None if target is None else column_labels(data.obs.iloc[:, target])
    target_name = None if target is None else columns[target]
    return from_matrix(data.X, [str(name) for name in data.var_names], y, target_name, options)


def write(path: Path, table: Table) -> None:
    """Write an AnnData file, with the labels as a column of obs."""
    anndata = _anndata("Writing an h5ad file")
    import pandas as pd

    obs = pd.DataFrame(index=[str(row) for row in range(table.X.shape[0])])
    if table.y is not None:
        is_text = table.y.dtype.kind in "UO"
        obs[table.label] = table.y.astype(object) if is_text else table.y
    var = pd.DataFrame(index=pd.Index(table.feature_names, dtype=object))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        anndata.AnnData(X=table.X, obs=obs, var=var).write_h5ad(path)


def _anndata(purpose: str) -> Any:
    try:
        import anndata
    except ImportError as error:
        raise missing_extra("anndata", "bio", purpose) from error
    return anndata


def column_labels(column: Any) -> np.ndarray:
    """Return a column of obs as labels, a missing one as None."""
    gaps = column.isna().to_numpy()
    labels = column.to_numpy(dtype=object if gaps.any() else None)
    # pandas has several marks for a missing value; the check of labels knows None.
    if gaps.any():
        labels = labels.copy()
        labels[gaps] = None
    return labels
