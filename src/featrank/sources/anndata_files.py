"""A matrix of an h5ad file, its names from var and its labels from obs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from featrank.exceptions import DataError, UsageError, unknown_name
from featrank.sources.annotations import columns_of, index_of, obs_labels
from featrank.sources.dropped_columns import all_but
from featrank.sources.hdf5 import hdf5_file, member, read_array
from featrank.sources.labels import Labels, label_file
from featrank.sources.matrices import ArrayValues, MatrixSource
from featrank.sources.source import Source
from featrank.sources.sparse import SparseValues, sparse_values
from featrank.tables.anndata_matrix import BOTH, no_matrix
from featrank.tables.columns import check_unique, kept_columns, target_column
from featrank.tables.hdf5_probe import require_sound
from featrank.tables.options import ReadOptions
from featrank.tables.table import parsing


def annotated_source(
    path: Path, options: ReadOptions, names: Sequence[str] | None = None
) -> Source:
    """Return the source of X, of a layer or of raw, its names those of the file or given."""
    require_sound(path)
    with parsing(path, "h5ad"), hdf5_file(path) as file:
        key, frame = _place(path, file, options)
        found = index_of(member(file, frame)) if names is None else list(names)
        source = _source(path.absolute(), file, key, found, options)
        index = str(member(file, "obs").attrs["_index"])
    source.ids = obs_labels(path.absolute(), index)
    source.id_name = "" if index == "_index" else index
    source.files = (path,)
    if options.picks_matrix:  # checkpoints and messages have to distinguish matrices of one file
        source.name = f"{source.name} ({key})"
    return source


def stored_size(path: Path, options: ReadOptions) -> tuple[int, int]:
    """Return how many rows a file has, and the bytes of the matrix that the options name."""
    with hdf5_file(path) as file:
        found = member(file, _place(path, file, options)[0])
        arrays = [found] if hasattr(found, "shape") else [member(found, name) for name in found]
        obs = member(file, "obs")
        n_rows = len(member(obs, obs.attrs["_index"]))
        return n_rows, sum(array.size * array.dtype.itemsize for array in arrays)


def _place(path: Path, file: Any, options: ReadOptions) -> tuple[str, str]:
    """Return where the values are, and the frame with their names."""
    if options.layer is not None and options.use_raw:
        raise UsageError(BOTH)
    if options.layer is not None:
        layers = list(file["layers"]) if "layers" in file else []
        if options.layer not in layers:
            raise UsageError(unknown_name(f"layer of {path.name!r}", options.layer, layers))
        return f"layers/{options.layer}", "var"
    if options.use_raw and "raw" not in file:
        raise UsageError(f"{path.name!r} has no raw matrix. Leave use_raw out, which reads X.")
    prefix = "raw/" if options.use_raw else ""
    if f"{prefix}X" not in file:
        raise no_matrix(path, file.get("layers", ()), "raw" in file)
    return f"{prefix}X", f"{prefix}var"


def _source(path: Path, file: Any, key: str, names: Sequence[str], options: ReadOptions) -> Source:
    values = _values(path, key, member(file, key))
    if len(names) != values.shape[1]:
        raise DataError(
            f"{path.name!r} has {len(names)} names in var and {values.shape[1]} columns in {key}. "
            "One name a column was expected."
        )
    check_unique(names)
    labels = _labels(path, file, values.shape[0], options)
    kept = kept_columns(names, options)
    skipped, kept_names = all_but(kept, len(names)), [names[place] for place in kept]
    return MatrixSource(values, kept_names, skipped, labels)


def _values(path: Path, key: str, X: Any) -> SparseValues | ArrayValues:
    if hasattr(X, "shape"):
        return ArrayValues.of(path, key, X, read_array)
    values = sparse_values(path, key, X)
    if values is None:
        raise DataError(
            f"The {key} of {path.name!r} is stored as {X.attrs.get('encoding-type', 'a group')!r}. "
            "A dense, CSR or CSC matrix was expected."
        )
    return values


def _labels(path: Path, file: Any, n_samples: int, options: ReadOptions) -> Labels | None:
    if options.labels is not None:
        return label_file(options.labels, n_samples, path)
    if options.target is None:
        return None
    columns = columns_of(member(file, "obs"))
    target = target_column(columns, options.target, "obs column")
    return None if target is None else obs_labels(path, columns[target])
