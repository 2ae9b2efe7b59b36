"""AnnData files (h5ad) of any version: a matrix with its gene names, and labels in obs."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featrank._utils.atomic_files import replacing
from featrank.exceptions import missing_extra
from featrank.tables.anndata_matrix import choose_matrix, column_labels, matrices_of, matrix_in
from featrank.tables.columns import target_column
from featrank.tables.format import Format
from featrank.tables.hdf5_links import refuse_outside
from featrank.tables.hdf5_probe import require_sound
from featrank.tables.options import ReadOptions
from featrank.tables.table import Table, parsing

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from featrank.sources.source import Source

FORMAT = Format(
    names=("h5ad",),
    suffixes=(".h5ad",),
    target="a column of obs",
    writes="ids as names of obs, the labels as a column of it",
)

# Usual names of the columns of var that hold gene symbols.
SYMBOLS = (
    "gene_symbols", "gene_symbol", "symbol", "feature_name",
    "gene_name", "gene_names", "gene_short_name", "gene_ids",
)  # fmt: skip

# Number of bytes to read at a time when some columns of a matrix are copied.
_BLOCK = 2**26


def read(path: Path, options: ReadOptions) -> Table:
    """Read one matrix of an AnnData file; sparse stays sparse."""
    from featrank.tables.prepare import from_matrix
    from featrank.tables.samples import Samples
    from featrank.tables.symbols import names_and_symbols

    data = _read_whole(path)
    matrix = choose_matrix(matrices_of(data, repr(path.name)), options.layer, options.use_raw)
    obs, var = data.obs, (data.raw if matrix.use_raw else data).var
    columns = [str(name) for name in obs.columns]
    if options.file_target is not None:
        target_column(columns, options.file_target, "obs column")
    samples = Samples(
        columns,
        lambda name: column_labels(obs.iloc[:, columns.index(name)]),
        obs.index.to_numpy(dtype=object),
        str(obs.index.name or ""),
    )
    about = {"var_names": [str(name) for name in var.index]}
    for place, name in enumerate(var.columns):
        about[str(name)] = [str(value) for value in var.iloc[:, place]]
    symbol = next((name for name in SYMBOLS if name in about), None)
    names, symbols = names_and_symbols(about, options, symbol)
    X = matrix_in(data, matrix)
    table = from_matrix(X, names, None, None, options, samples=samples, symbols=symbols)
    return replace(table, values=matrix.values, notes=(*matrix.notes, *table.notes))


def _read_whole(path: Path) -> Any:
    anndata = _anndata("Reading an h5ad file")
    import h5py

    with parsing(path, "h5ad"), warnings.catch_warnings():
        # Duplicate names raise an error later, and old files are as good as new ones.
        warnings.simplefilter("ignore")
        require_sound(path)
        with h5py.File(path, "r") as file:
            refuse_outside(file)
        return anndata.read_h5ad(path)


def open(path: Path, options: ReadOptions) -> Source:
    """Open one matrix of an AnnData file."""
    from featrank.sources.anndata_files import annotated_source

    return annotated_source(path, options)


def write(path: Path, table: Table) -> None:
    """Write an AnnData file: the ids as names of obs, labels and kept columns as columns of it."""
    anndata = _anndata("Writing an h5ad file")
    import pandas as pd

    ids = range(table.X.shape[0]) if table.ids is None else table.ids.tolist()
    obs = pd.DataFrame(index=pd.Index([str(one) for one in ids], name=table.id_name or None))
    for name, values in _annotations(table).items():
        obs[name] = values
    var = pd.DataFrame(index=pd.Index(table.feature_names, dtype=object))
    if table.symbols is not None:
        var["symbol"] = table.symbols
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        anndata.AnnData(X=table.X, obs=obs, var=var).write_h5ad(path)


def _annotations(table: Table) -> dict[str, np.ndarray]:
    """Return kept columns and labels as obs can hold them."""
    columns = {**table.kept, **({} if table.y is None else {table.label: table.y})}
    return {
        name: values.astype(object) if values.dtype.kind in "UO" else values
        for name, values in columns.items()
    }


def write_subset(
    path: Path, output: Path, table: Table, X: Any = None, *, use_raw: bool = False
) -> None:
    """Write some features of an AnnData file to another, with everything about the samples.

    obs, obsm, obsp, uns and raw are copied. X, layers, var, varm and varp are reduced to the
    features. Labels and columns from other files are added to obs. Only the wanted columns of large
    matrices are loaded, unless samples were left out or the file is older than anndata 0.8.

    Parameters
    ----------
    path, output : Path
        The file to read, and the file to write, which is replaced when the new one is complete.
    table : Table
        The features and samples to keep.
    X : matrix or None
        Values to write instead of those in the file, such as filled-in ones.
    use_raw : bool
        Whether raw becomes X, as by ``adata.raw.to_adata()``.
    """
    _anndata("Writing an h5ad file")
    import h5py
    from anndata.io import read_elem

    with h5py.File(path, "r") as file, replacing(output) as temporary:
        refuse_outside(file)
        if "encoding-type" in file.attrs:
            obs = _with_columns(read_elem(file["obs"]), table)
            if len(obs) == table.X.shape[0]:
                with h5py.File(temporary, "w") as made:
                    _copy_subset(file, made, table.feature_names, X, obs, use_raw)
                return
        # Files by anndata before 0.8, or without some samples, are read and written as a whole.
        _subset_of_whole(_read_whole(path), table, X, use_raw).write_h5ad(temporary)


def _subset_of_whole(data: Any, table: Table, X: Any, use_raw: bool) -> Any:
    data = data.raw.to_adata() if use_raw else data
    obs = _with_columns(data.obs.copy(), table)
    rows = slice(None) if table.ids is None else obs.index.get_indexer(table.ids)
    kept = data[rows, list(table.feature_names)].copy()
    kept.obs = obs.iloc[rows]
    kept.X = kept.X if X is None else X
    return kept


def _with_columns(obs: Any, table: Table) -> Any:
    """Return obs with the labels and columns of a table that it does not have."""
    import pandas as pd

    whole = len(obs) == table.X.shape[0]
    for name, values in _annotations(table).items():
        if name not in obs:
            placed = values if whole else pd.Series(values, index=table.ids).reindex(obs.index)
            obs[name] = placed
    return obs


def _copy_subset(
    file: Any, made: Any, features: Sequence[str], X: Any, obs: Any, use_raw: bool
) -> None:
    from anndata.io import read_elem, write_elem

    main = file["raw"] if use_raw else file
    var = read_elem(main["var"])
    places = var.index.astype(str).get_indexer(list(features))
    values = main["X"] if hasattr(main["X"], "shape") else main["X"].get("data")
    packed = {"compression": getattr(values, "compression", None)}
    made.attrs.update(file.attrs)
    write_elem(made, "var", var.iloc[places])
    write_elem(made, "obs", obs)
    write_elem(made, "X", _columns(main["X"], places) if X is None else X, dataset_kwargs=packed)
    of_others = {"layers", "varp", "raw"} if use_raw else set()
    for key in file.keys() - {"X", "var", "obs"} - of_others:
        if key == "layers":
            layers = {name: _columns(each, places) for name, each in file[key].items()}
            write_elem(made, key, layers, dataset_kwargs=packed)
        elif key in ("varm", "varp"):
            found = main.get(key, {}).items()
            write_elem(made, key, {name: _lines(each, key, places) for name, each in found})
        else:
            file.copy(key, made)


def _columns(stored: Any, places: np.ndarray) -> Any:
    """Return some columns of a matrix in a file, read by blocks of rows unless it is CSC."""
    import numpy as np
    from anndata.io import read_elem, sparse_dataset
    from scipy.sparse import vstack

    kind = stored.attrs.get("encoding-type", "array")
    if kind == "csc_matrix":
        return sparse_dataset(stored)[:, places]
    if kind not in ("array", "csr_matrix"):
        whole = read_elem(stored)
        return whole.iloc[:, places] if hasattr(whole, "iloc") else whole[:, places]
    values = stored if kind == "array" else stored["data"]
    matrix = stored if kind == "array" else sparse_dataset(stored)
    n_rows = matrix.shape[0]
    height = max(1, _BLOCK * n_rows // max(1, values.size * values.dtype.itemsize))
    blocks = [matrix[row : row + height][:, places] for row in range(0, n_rows, height)]
    return np.concatenate(blocks) if kind == "array" else vstack(blocks, format="csr")


def _lines(stored: Any, key: str, places: np.ndarray) -> Any:
    """Return the part of an entry of varm or varp that belongs to some features."""
    from anndata.io import read_elem

    found = read_elem(stored)
    found = found.iloc[places] if hasattr(found, "iloc") else found[places]
    return found[:, places] if key == "varp" else found


def ranks_raw(path: Path, options: ReadOptions) -> bool:
    """Whether raw is the matrix of a file that is ranked."""
    from featrank.sources.anndata_files import choose_in_file

    with parsing(path, "h5ad"):
        return choose_in_file(path, options).use_raw


def raw_only_genes(path: Path) -> list[str]:
    """Return the genes of raw that X does not have."""
    from featrank.sources.anndata_files import gene_names

    main, raw = gene_names(path)
    known = set(main)
    return [name for name in raw if name not in known]


def _anndata(purpose: str) -> Any:
    try:
        import anndata
    except ImportError as error:
        raise missing_extra("anndata", "bio", purpose) from error
    return anndata
