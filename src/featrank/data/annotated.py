"""AnnData objects as input: the matrix to rank with its names, or the file it is in."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils.budget import memory_budget, require
from featrank.exceptions import DataError, UsageError, unknown_name
from featrank.sources import Source, open_dataset
from featrank.tables.anndata_matrix import column_labels, matrix_of, require_choice
from featrank.tables.columns import listed
from featrank.tables.options import ReadOptions
from featrank.values.containers import NamedMatrix, is_anndata

# Keywords that say which matrix of an AnnData is ranked.
CHOICES = ("layer", "use_raw")


def split_anndata(X: Any, y: Any, keywords: Mapping[str, Any]) -> tuple[Any, Any, dict[str, Any]]:
    """Return samples, labels and the other keywords; of an AnnData, what its keywords choose.

    An AnnData becomes a ``NamedMatrix``, or a source where its values are in a file; a label
    that is a string is a column of obs. Other data is returned as it is; ``layer`` and ``use_raw``
    are then errors.
    """
    rest = {name: value for name, value in keywords.items() if name not in CHOICES}
    layer, use_raw = keywords.get("layer"), bool(keywords.get("use_raw"))
    if is_anndata(X):
        options = ReadOptions(layer=layer, use_raw=use_raw)
        memory = rest.pop("memory", None) if X.isbacked and X.is_view else None
        return *_of_anndata(X, obs_labels(X, y), options, memory), rest
    if layer is None and not use_raw:
        return X, y, rest
    if isinstance(X, str | os.PathLike):
        target, y = (y, None) if isinstance(y, str) else (None, y)
        return open_dataset(X, target=target, layer=layer, use_raw=use_raw), y, rest
    raise UsageError(
        f"layer= and use_raw= choose a matrix of an AnnData, and X is {type(X).__name__!r}. Leave "
        "them out."
    )


def obs_labels(adata: Any, y: Any) -> Any:
    """Return the obs column of an AnnData that a string names; other labels as they are."""
    if not isinstance(y, str) or not is_anndata(adata):
        return y
    columns = [str(name) for name in adata.obs.columns]
    if y not in columns:
        raise UsageError(unknown_name("obs column", y, columns))
    return column_labels(adata.obs.iloc[:, columns.index(y)])


def in_memory(adata: Any, layer: str | None = None, use_raw: bool = False) -> NamedMatrix:
    """Return a matrix of an AnnData in memory; raise an error for other objects."""
    found = _of_anndata(adata, None, ReadOptions(layer=layer, use_raw=use_raw), None)[0]
    if isinstance(found, NamedMatrix):
        return found
    raise DataError(
        f"The values of the AnnData are in {found.name!r}, and are needed in memory. Pass "
        "adata.to_memory()."
    )


def _of_anndata(
    adata: Any, y: Any, options: ReadOptions, memory: str | int | None
) -> tuple[NamedMatrix | Source, Any]:
    require_choice(adata, options.layer, options.use_raw)
    names = _names(adata, options.use_raw)
    if adata.isbacked and options.layer is None:  # layers are in memory all the same
        if not adata.is_view:
            return _backed_source(adata, options, names), y
        _require_fits(adata, options, memory)
    X = matrix_of(adata, options.layer, options.use_raw)
    if hasattr(X, "__dask_graph__"):
        from featrank.sources.dask_collections import DaskSource

        source = DaskSource(X, y)
        source.names = names.tolist()
        return source, None
    return NamedMatrix(_plain(X, (adata.n_obs, len(names))), names), y


def _names(adata: Any, use_raw: bool) -> NDArray[np.object_]:
    names = (adata.raw if use_raw else adata).var_names
    if names.is_unique:
        return np.array([str(name) for name in names], dtype=object)
    twice = listed([repr(str(name)) for name in names[names.duplicated()].unique()])
    way_out = (
        "Call raw = adata.raw.to_adata(), raw.var_names_make_unique() and adata.raw = raw, or rank "
        "X (use_raw=False)."
        if use_raw
        else "Call adata.var_names_make_unique() first."
    )
    raise DataError(
        f"The {'raw.' if use_raw else ''}var_names of the AnnData hold names more than once: "
        f"{twice}. {way_out}"
    )


def _plain(X: Any, shape: tuple[int, int]) -> Any:
    """Return the matrix; raise an error unless it is dense or sparse and of this shape."""
    if isinstance(X, np.ndarray):
        X = np.asarray(X)  # a view knows its AnnData, which need not be kept
    elif not hasattr(X, "toarray"):
        raise DataError(
            f"The matrix of the AnnData is of type {type(X).__name__!r}. A NumPy array or a sparse "
            "matrix was expected: pass adata.to_memory()."
        )
    if X.shape != shape:
        raise DataError(
            f"The matrix of the AnnData has shape {X.shape}, and its names are for {shape}. Pass "
            "adata.copy(), or adata.to_memory() of what is in a file."
        )
    return X


def _backed_source(adata: Any, options: ReadOptions, names: NDArray[np.object_]) -> Source:
    """Return the source of the file; labels and names stay those of the object."""
    from featrank.sources.anndata_files import annotated_source

    source = annotated_source(Path(adata.filename), options, names.tolist())
    if source.shape[0] != adata.n_obs:
        raise DataError(
            f"The AnnData has {adata.n_obs:,} observations, and its file {source.name!r} has "
            f"{source.shape[0]:,}: it has changed. Read it again."
        )
    return source


def _require_fits(adata: Any, options: ReadOptions, memory: str | int | None) -> None:
    """Raise an error if a subset of a backed AnnData does not fit into memory."""
    from featrank.sources.anndata_files import stored_size

    n_rows, n_bytes = stored_size(Path(adata.filename), options)
    # Rows exist twice: as they are read, and with the wanted columns only.
    require(
        2 * n_bytes * adata.n_obs / max(n_rows, 1),
        lambda size, limit: (
            "A subset of a backed AnnData is brought into memory, and this one takes about "
            f"{size} of {limit} that may be used. Write it to a file of its own, "
            "adata.copy(filename='subset.h5ad'), which is read in parts; or give more (memory=)."
        ),
        memory_budget(memory),
    )
