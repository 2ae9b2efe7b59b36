"""AnnData objects as input: the matrix to rank with its names, or the file that holds it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils.budget import memory_budget, require
from featrank.exceptions import DataError, UsageError
from featrank.sources import Source, open_dataset
from featrank.tables.anndata_matrix import MatrixChoice, choose_matrix, matrices_of, matrix_in
from featrank.tables.columns import listed
from featrank.tables.options import ReadOptions
from featrank.values.containers import NamedMatrix, is_anndata

# Keywords that choose the matrix of an AnnData.
CHOICES = ("layer", "use_raw")


def split_anndata(X: Any, y: Any, keywords: Mapping[str, Any]) -> tuple[Any, Any, dict[str, Any]]:
    """Return samples, labels and the other keywords; for an AnnData, the matrix to rank.

    An AnnData becomes a ``NamedMatrix``, or an out-of-core dataset if its values are in a file.
    Other data is returned unchanged, and must come without ``layer`` and ``use_raw``.
    """
    rest = {name: value for name, value in keywords.items() if name not in CHOICES}
    options = ReadOptions(layer=keywords.get("layer"), use_raw=keywords.get("use_raw"))
    if is_anndata(X):
        memory = rest.pop("memory", None) if X.isbacked and X.is_view else None
        return *_of_anndata(X, y, options, memory), rest
    if not options.picks_matrix:
        return X, y, rest
    if isinstance(X, str | os.PathLike):
        target, y = (y, None) if isinstance(y, str) else (None, y)
        return open_dataset(X, target=target, layer=options.layer, use_raw=options.use_raw), y, rest
    raise UsageError(
        f"`layer` and `use_raw` choose a matrix of an AnnData, but X is {type(X).__name__!r}. "
        "Leave them out."
    )


def in_memory(adata: Any, layer: str | None = None, use_raw: bool | None = None) -> NamedMatrix:
    """Return a matrix of an AnnData that is in memory."""
    found = _of_anndata(adata, None, ReadOptions(layer=layer, use_raw=use_raw), None)[0]
    if isinstance(found, NamedMatrix):
        return found
    raise DataError(
        f"The values of the AnnData are in {found.name!r}, but must be in memory. Pass "
        "adata.to_memory()."
    )


def _of_anndata(
    adata: Any, y: Any, options: ReadOptions, memory: str | int | None
) -> tuple[NamedMatrix | Source, Any]:
    choice = choose_for(adata, options)
    names = _names(adata, choice.use_raw)
    if adata.isbacked and choice.layer is None:  # anndata loads layers into memory
        if not adata.is_view:
            return _backed_source(adata, choice, names), y
        _require_fits(adata, choice, memory)
    X = matrix_in(adata, choice)
    if hasattr(X, "__dask_graph__"):
        from featrank.sources.dask_collections import DaskSource

        source = DaskSource(X, y)
        source.names = names.tolist()
        source.notes, source.value_scale = choice.notes, choice.values
        return source, None
    plain = _plain(X, (adata.n_obs, len(names)))
    return NamedMatrix(plain, names, choice.notes, choice.values), y


def choose_for(adata: Any, options: ReadOptions) -> MatrixChoice:
    """Return which matrix is ranked; for a backed AnnData, without loading X and raw."""
    if not adata.isbacked or options.layer is not None:
        return choose_matrix(matrices_of(adata), options.layer, options.use_raw)
    from featrank.sources.anndata_files import choose_in_file

    return choose_in_file(Path(adata.filename), options)


def _names(adata: Any, use_raw: bool) -> NDArray[np.object_]:
    names = (adata.raw if use_raw else adata).var_names
    if names.is_unique:
        return np.array([str(name) for name in names], dtype=object)
    twice = listed([repr(str(name)) for name in names[names.duplicated()].unique()])
    fix = (
        "Rank X: `use_raw=False`. Or make them unique: raw = adata.raw.to_adata(), "
        "raw.var_names_make_unique(), adata.raw = raw."
        if use_raw
        else "Call adata.var_names_make_unique() first."
    )
    raise DataError(
        f"The {'raw.' if use_raw else ''}var_names of the AnnData are not unique: {twice}. {fix}"
    )


def _plain(X: Any, shape: tuple[int, int]) -> Any:
    """Return the matrix; raise an error unless it is dense or sparse and of this shape."""
    if isinstance(X, np.ndarray):
        X = np.asarray(X)  # a view of anndata would keep the whole AnnData in memory
    elif not hasattr(X, "toarray"):
        raise DataError(
            f"The matrix of the AnnData has type {type(X).__name__!r}. A NumPy array or a sparse "
            "matrix was expected. Pass adata.to_memory()."
        )
    if X.shape != shape:
        raise DataError(
            f"The matrix of the AnnData has shape {X.shape}, but its names have shape {shape}. "
            "Pass adata.copy(), or adata.to_memory() if it is backed."
        )
    return X


def _backed_source(adata: Any, choice: MatrixChoice, names: NDArray[np.object_]) -> Source:
    """Return the dataset of the file, with the names of the object."""
    from featrank.sources.anndata_files import annotated_source

    options = ReadOptions(layer=choice.layer, use_raw=choice.use_raw)
    source = annotated_source(Path(adata.filename), options, names.tolist())
    if source.shape[0] != adata.n_obs:
        raise DataError(
            f"The AnnData has {adata.n_obs:,} observations, but its file {source.name!r} has "
            f"{source.shape[0]:,}. The file has changed. Read it again."
        )
    source.notes = choice.notes
    return source


def _require_fits(adata: Any, choice: MatrixChoice, memory: str | int | None) -> None:
    """Raise an error if a subset of a backed AnnData does not fit into memory."""
    from featrank.sources.anndata_files import stored_size

    n_rows, n_bytes = stored_size(Path(adata.filename), choice)
    # Rows are in memory twice: as they are read, and with the wanted columns only.
    require(
        2 * n_bytes * adata.n_obs / max(n_rows, 1),
        lambda size, limit: (
            f"A subset of a backed AnnData is loaded into memory. This one needs about {size}, but "
            f"the limit is {limit}. Write it to a file, which is read in chunks: "
            "adata.copy(filename='subset.h5ad')."
        ),
        memory_budget(memory),
    )
