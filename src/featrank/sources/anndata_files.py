"""The main matrix of an h5ad file, its names from var and its labels from obs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..exceptions import DataError
from ..tables.columns import check_unique, kept_columns, target_column
from .annotations import ObsLabels, columns_of, index_of
from .hdf5 import HDF5Values, hdf5_values, member
from .labels import Labels, label_file
from .matrices import MatrixSource
from .options import SourceOptions
from .skipped import all_but
from .source import Source
from .sparse import SparseSource, SparseValues, sparse_values


def main_source(path: Path, file: Any, options: SourceOptions) -> Source:
    """Return the source of ``X``."""
    values = _values(path, member(file, "X"))
    names = index_of(member(file, "var"))
    if len(names) != values.shape[1]:
        raise DataError(
            f"{path.name!r} has {len(names)} names in var and {values.shape[1]} columns in X. "
            "One name a column was expected."
        )
    check_unique(names)
    labels = _labels(path, file, values.shape[0], options)
    kept = kept_columns(names, options.of_table)
    skipped, kept_names = all_but(kept, len(names)), [names[place] for place in kept]
    if isinstance(values, SparseValues):
        return SparseSource(values, kept_names, skipped, labels)
    return MatrixSource(values, kept_names, skipped, labels)


def _values(path: Path, X: Any) -> SparseValues | HDF5Values:
    if hasattr(X, "shape"):
        return hdf5_values(path, "X", X)
    values = sparse_values(path, "X", X)
    if values is None:
        raise DataError(
            f"The X of {path.name!r} is stored as {X.attrs.get('encoding-type', 'a group')!r}. "
            "A dense, CSR or CSC matrix was expected."
        )
    return values


def _labels(path: Path, file: Any, n_samples: int, options: SourceOptions) -> Labels | None:
    if options.labels is not None:
        return label_file(options.labels, n_samples, path)
    if options.target is None:
        return None
    columns = columns_of(member(file, "obs"))
    target = target_column(columns, options.target, "obs column")
    return None if target is None else ObsLabels(path, columns[target])
