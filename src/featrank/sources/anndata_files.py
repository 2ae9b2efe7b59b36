"""A matrix of an h5ad file as an out-of-core dataset, with names from var and labels from obs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from featrank.exceptions import DataError
from featrank.sources.annotations import column, columns_of, index_name, index_of, obs_labels
from featrank.sources.dropped_columns import all_but
from featrank.sources.hdf5 import hdf5_file, member, read_array
from featrank.sources.labels import Labels, label_file
from featrank.sources.matrices import ArrayValues, MatrixSource
from featrank.sources.source import Source
from featrank.sources.sparse import SparseValues, sparse_values
from featrank.tables.anndata_matrix import Matrices, MatrixChoice, choose_matrix
from featrank.tables.columns import check_unique, kept_columns, target_column
from featrank.tables.hdf5_probe import require_sound
from featrank.tables.options import ReadOptions
from featrank.tables.table import parsing


def annotated_source(
    path: Path, options: ReadOptions, names: Sequence[str] | None = None
) -> Source:
    """Return the dataset of one matrix; its feature names are given or those in the file."""
    require_sound(path)
    with parsing(path, "h5ad"), hdf5_file(path) as file:
        choice = _choice(path, file, options)
        key, frame = _keys(file, choice)
        found = index_of(member(file, frame)) if names is None else list(names)
        source = _source(path.absolute(), file, key, found, options)
        index = index_name(member(file, "obs"))
    source.ids = obs_labels(path.absolute(), index)
    source.id_name = "" if index == "_index" else index
    source.files = (path,)
    source.matrix, source.notes, source.value_scale = choice.name, choice.notes, choice.values
    if key != "X":  # checkpoints and messages have to distinguish matrices of one file
        source.name = f"{source.name} ({key})"
    return source


def choose_in_file(path: Path, options: ReadOptions) -> MatrixChoice:
    """Return which matrix of a file is ranked."""
    with hdf5_file(path) as file:
        return _choice(path, file, options)


def stored_size(path: Path, choice: MatrixChoice) -> tuple[int, int]:
    """Return the number of rows of a file, and the bytes of one of its matrices."""
    with hdf5_file(path) as file:
        found = member(file, _keys(file, choice)[0])
        arrays = [found] if hasattr(found, "shape") else [member(found, name) for name in found]
        obs = member(file, "obs")
        n_rows = len(column(obs, index_name(obs)))
        return n_rows, sum(array.size * array.dtype.itemsize for array in arrays)


def gene_names(path: Path) -> tuple[list[str], list[str]]:
    """Return the names of the genes of X and of raw, which may be missing."""
    with parsing(path, "h5ad"), hdf5_file(path) as file:
        raw = _raw_prefix(file)
        main = index_of(member(file, "var")) if "X" in file else []
        return main, [] if raw is None else index_of(member(file, f"{raw}var"))


def _choice(path: Path, file: Any, options: ReadOptions) -> MatrixChoice:
    raw = _raw_prefix(file)
    have = Matrices(
        repr(path.name),
        member(file, "X") if "X" in file else None,
        None if raw is None else member(file, f"{raw}X"),
        list(file["layers"]) if "layers" in file else [],
        _is_log1p(file),
    )
    return choose_matrix(have, options.layer, options.use_raw)


def _raw_prefix(file: Any) -> str | None:
    """Return how the keys of raw begin; anndata before 0.7 wrote 'raw.X' instead of 'raw/X'."""
    return next((prefix for prefix in ("raw/", "raw.") if f"{prefix}X" in file), None)


def _keys(file: Any, choice: MatrixChoice) -> tuple[str, str]:
    """Return the keys of a matrix and of the frame with its feature names."""
    if choice.layer is not None:
        return f"layers/{choice.layer}", "var"
    prefix = _raw_prefix(file) if choice.use_raw else ""
    return f"{prefix}X", f"{prefix}var"


def _is_log1p(file: Any) -> bool | None:
    """Whether scanpy recorded natural logarithms: without a base, or with a base of None."""
    if "uns/log1p" not in file:
        return None
    recorded = member(file, "uns/log1p")
    base = recorded.get("base")
    return base is None or base.attrs.get("encoding-type") == "null"


def _source(path: Path, file: Any, key: str, names: Sequence[str], options: ReadOptions) -> Source:
    values = _values(path, key, member(file, key))
    if len(names) != values.shape[1]:
        raise DataError(
            f"{path.name!r} has {len(names)} names in var and {values.shape[1]} columns in {key}. "
            "One name per column was expected."
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
